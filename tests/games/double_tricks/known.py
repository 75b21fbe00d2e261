"""What the laws must know of DOUBLE."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from service.games.double_tricks.cards import COMPLEMENT16, POPE, RANKS, Card, Motif, Suit
from service.games.double_tricks.commands import Deal, PlayCard
from service.games.double_tricks.options import Bank, Options, TieBreak, pack_suffices
from service.games.double_tricks.state import State
from tests.games.story import History, Known


def options(random: Random, seats: int) -> Options:
    sets = random.choice((1, 2) if seats <= 5 else (2,))
    largest = max(size for size in range(1, 10) if pack_suffices(seats, sets, size))
    return Options(
        sets=sets,
        deck_pairs=random.choice((COMPLEMENT16, _renamed(random))),
        hand_sizes=tuple(random.randint(1, largest) for _ in range(random.randint(1, 6))),
        start_points=random.choice((0, 1, 15, 40)),
        exact_bonus=random.choice((0, 5, 50)),
        specials_anytime=random.random() < 0.5,
        dealer_restriction=random.random() < 0.5,
        bank=random.choice(list(Bank)),
        tie_break=random.choice(list(TieBreak)),
        first_dealer=random.randint(0, seats),
        show_trick_history=random.random() < 0.5,
    )


def _renamed(random: Random) -> tuple[Card, ...]:
    """Return a pairing with suits and ranks exchanged: the motifs of each card still differ in both."""
    suits = dict(zip(Suit, random.sample(list(Suit), 4), strict=True))
    ranks = dict(zip(RANKS, random.sample(list(RANKS), 13), strict=True))

    def renamed(motif: Motif) -> str:
        return str(motif) if motif.suit is None else suits[motif.suit].value + ranks[str(motif)[1]]

    return tuple(Card.parse("/".join(map(renamed, card.motifs))) for card in COMPLEMENT16)


def pack(state: State) -> tuple[Card, ...]:
    return state.setup.pack if state.round.number else ()


def places(state: State) -> Iterator[Card]:
    for hand in state.hands:
        yield from hand
    for plays in (state.trick, *(trick.plays for trick in state.tricks)):
        yield from (play.card for play in plays)
    yield from state.round.stock
    if state.round.turn_up is not None:
        yield state.round.turn_up


def redeals(random: Random, start: State, history: History, seat: int | None) -> Iterator[History]:
    """Deal anew all stocks of the rounds before, and ever fewer of the hidden cards of the last round."""
    deals = [place for place, (_, command) in enumerate(history) if isinstance(command, Deal)]
    ends = [*deals[1:], len(history)]
    sizes = start.setup.options.hand_sizes
    changed, hidden = list(history), list[int]()
    for begin, end, size in zip(deals, ends, sizes, strict=False):
        hidden = _hidden(start, history[begin:end], size, seat)
        changed[begin] = _shuffled(random, history[begin][1], hidden if end < len(history) else [])
    count = len(hidden)
    while count > 1:
        changed[deals[-1]] = _shuffled(random, history[deals[-1]][1], random.sample(hidden, count))
        yield changed
        count -= 1 + count // 3


def _hidden(start: State, of_round: History, size: int, seat: int | None) -> list[int]:
    """Return the places in the dealt pack whose cards the seat has not seen."""
    seats, deal = start.setup.seats, of_round[0][1]
    played = Counter((player, command.card) for player, command in of_round if isinstance(command, PlayCard))
    hidden = []
    for place, card in enumerate(deal.pack[: seats * size]):
        owner = (deal.dealer + place) % seats + 1
        if played[owner, card]:
            played[owner, card] -= 1
        elif owner != seat:
            hidden.append(place)
    return hidden + list(range(seats * size + 1, len(deal.pack)))


def _shuffled(random: Random, deal: Deal, places: list[int]) -> tuple[int, Any]:
    cards = list(deal.pack)
    moved = random.sample(places, len(places))
    for place, source in zip(places, moved, strict=True):
        cards[place] = deal.pack[source]
    return 0, Deal(deal.dealer, tuple(cards))


KNOWN = Known(
    longest=20 * (1 + 8 * 27),
    options=options,
    pack=pack,
    places=places,
    strangers=(Card.parse("CA/H3"), Card.parse("S2/POPE"), POPE),
    redeals=redeals,
    short=Options(hand_sizes=(1, 2, 3, 4, 3)),
)
