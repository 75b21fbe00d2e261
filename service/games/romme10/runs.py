"""Runs: where a run begins, and where its jokers go."""

from collections.abc import Iterator, Sequence

from service.games.romme10.cards import HIGHEST, JOKER, LOWEST, Card

RUN_MIN = 4


def start_of(cards: Sequence[Card]) -> int | None:
    """Return the rank that cards in this order begin a run with; None where they are none."""
    index, first = next((each for each in enumerate(cards) if each[1] is not JOKER), (0, JOKER))
    start = first.rank - index
    if start < LOWEST or start + len(cards) - 1 > HIGHEST:
        return None
    fitting = (card is JOKER or (card.suit, card.rank) == (first.suit, rank) for rank, card in enumerate(cards, start))
    return start if all(fitting) else None


def placements(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield the orders in which cards are a run: as given, or else gaps first, and as many jokers as can be high."""
    if start_of(cards) is not None:
        yield tuple(cards)
        return
    regular = sorted((card for card in cards if card is not JOKER), key=lambda card: card.rank)
    body: list[Card] = []
    for card in regular:
        gap = card.rank - regular[0].rank - len(body)
        body += [*[JOKER] * gap, card]
    spare = len(cards) - len(body)  # jokers, less than none where they are too few for the gaps
    for low in range(spare + 1):
        placed = (*[JOKER] * low, *body, *[JOKER] * (spare - low))
        if start_of(placed) is not None:
            yield placed
