"""Redealing: in a fork, the cards that nobody but their holder has seen, or nobody at all, are dealt anew."""

from collections import Counter
from collections.abc import Iterator, Sequence

from service.games.double_tricks.cards import Card, Motif
from service.games.double_tricks.commands import Reason, Redeal
from service.games.double_tricks.events import Hand, Redealt
from service.games.double_tricks.state import Phase, State
from service.games.double_tricks.tricks import must_follow
from service.kit.exchange import exchanged, portions
from service.kit.game import CHANCE, Draw, Refused


def redeal(state: State, draw: Draw) -> Redeal | None:
    """Return all hands and the stock dealt anew, as far as what was played leaves room; None between two rounds."""
    if state.phase not in (Phase.BID, Phase.PLAY):
        return None
    sizes = _sizes(state)
    possible = [*(_possible(state, seat) for seat in range(1, state.setup.seats + 1)), frozenset(state.setup.pack)]
    places = [cards for cards, size in zip(possible, sizes, strict=True) for _ in range(size)]

    def fits(cards: Sequence[Card]) -> bool:
        return all(card in possible for card, possible in zip(cards, places, strict=True))

    return Redeal(exchanged(_hidden(state), draw, fits))


def deal_anew(state: State, seat: int, redeal: Redeal) -> tuple[Redealt]:
    """Return what the dealer deals anew, or raise Refused."""
    if seat != CHANCE:
        raise Refused(Reason.NOT_THE_DEALER)
    if state.phase is Phase.OVER:
        raise Refused(Reason.GAME_OVER)
    if state.phase is Phase.DEAL:
        raise Refused(Reason.NOT_TIME_TO_DEAL)
    if Counter(redeal.cards) != Counter(_hidden(state)):
        raise Refused(Reason.WRONG_PACK)
    *hands, stock = portions(redeal.cards, _sizes(state))
    return (Redealt(tuple(map(Hand, hands)), stock),)


def _hidden(state: State) -> tuple[Card, ...]:
    """Return the hands in the order of seats, then the stock."""
    return (*(card for hand in state.hands for card in hand), *state.round.stock)


def _sizes(state: State) -> list[int]:
    return [*map(len, state.hands), len(state.round.stock)]


def _possible(state: State, seat: int) -> frozenset[Card]:
    """Return the cards that a seat may hold: none that it would have had to play before."""
    anytime, plays = state.setup.options.specials_anytime, list(_plays(state, seat))
    return frozenset(
        card
        for card in state.setup.pack
        if not any(must_follow((card,), led, motif, specials_anytime=anytime) for led, motif in plays)
    )


def _plays(state: State, seat: int) -> Iterator[tuple[Motif, Motif]]:
    """Yield what was led, and what a seat played to it, in this round."""
    for plays in (*(trick.plays for trick in state.tricks), state.trick):
        yield from ((plays[0].motif, play.motif) for play in plays[1:] if play.seat == seat)
