"""Deadlock: when nobody can go on, and what helps."""

from service.games.double_speed.events import Reopened, RoundEnded, Unblocked
from service.games.double_speed.options import HardDeadlock
from service.games.double_speed.score import stalemate
from service.games.double_speed.state import Phase, State

REOPENINGS_MAX = 72  # in a row; then it is a stalemate


def stuck(state: State) -> bool:
    """Whether nobody may draw any more, and no card in any hand fits."""
    if state.phase is not Phase.RACE:
        return False
    fitting, limit = state.setup.deck.fits[state.pile.top], state.setup.options.hand_limit
    for hand, stack in zip(state.hands, state.stacks, strict=True):
        if (stack and len(hand) < limit) or not fitting.isdisjoint(hand):
            return False
    return True


def way_out(state: State, seat: int) -> Unblocked | Reopened | RoundEnded:
    """Return what helps: another card of the pile; once each has been on top, one from a stack; else a stalemate."""
    pile = state.pile
    if pile.turned < len(pile.cards) - 1:
        return Unblocked(seat, pile.cards[0])
    givers = _givers(state)
    by_choice = state.setup.options.hard_deadlock is HardDeadlock.STALEMATE
    if by_choice or not givers or pile.reopened == REOPENINGS_MAX:
        return stalemate(state)
    giver = givers[pile.reopened % len(givers)]
    return Reopened(giver, state.stacks[giver - 1][0])


def _givers(state: State) -> list[int]:
    """Return the seats that have a stack, clockwise from the starter."""
    seats, first = state.setup.seats, state.round.starter
    clockwise = ((first - 1 + place) % seats + 1 for place in range(seats))
    return [seat for seat in clockwise if state.stacks[seat - 1]]
