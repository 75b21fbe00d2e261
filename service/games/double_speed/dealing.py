"""Dealing: who gets which cards."""

from collections import Counter

from service.games.double_speed.commands import Deal, Reason
from service.games.double_speed.events import Dealt, Packet
from service.games.double_speed.state import Phase, State
from service.kit.game import CHANCE, CannotRedeal, Draw, Refused
from service.kit.seats import next_seat
from service.kit.tuples import with_item


def chance(state: State, draw: Draw) -> Deal | None:
    """Return the deal of the next round, when one is due."""
    if state.phase is not Phase.DEAL:
        return None
    starter = _next_starter(state) or draw.below(state.setup.seats, "starter") + 1
    return Deal(starter, draw.shuffled(state.setup.deck.cards))


def redeal(state: State, _draw: Draw) -> None:
    """Deal nothing anew between two rounds, or raise CannotRedeal."""
    if state.phase is Phase.RACE:
        raise CannotRedeal("In the middle of a race, what nobody played tells of the hands.")


def deal_out(state: State, seat: int, deal: Deal) -> Dealt:
    """Return the deal, or raise Refused."""
    setup = state.setup
    if seat != CHANCE:
        raise Refused(Reason.NOT_THE_DEALER)
    if state.phase is Phase.OVER:
        raise Refused(Reason.GAME_OVER)
    if state.phase is not Phase.DEAL:
        raise Refused(Reason.NOT_TIME_TO_DEAL)
    if not 1 <= deal.starter <= setup.seats or _next_starter(state) not in (0, deal.starter):
        raise Refused(Reason.WRONG_STARTER)
    if Counter(deal.pack) != Counter(setup.deck.cards):
        raise Refused(Reason.WRONG_PACK)
    return _dealt(state, deal)


def _dealt(state: State, deal: Deal) -> Dealt:
    """Deal one card at a time, from seat 1 on; the top cards of each share are the hand, the rest is the stack."""
    seats, limit, first = state.setup.seats, state.setup.options.hand_limit, deal.starter - 1
    in_shares = len(deal.pack) // seats * seats
    shares = [deal.pack[place:in_shares:seats] for place in range(seats)]
    stacks = tuple(Packet(share[limit:]) for share in shares)
    top, *rest = stacks[first].cards
    return Dealt(
        state.round.number + 1,
        deal.starter,
        top,
        tuple(Packet(share[:limit]) for share in shares),
        with_item(stacks, first, Packet(tuple(rest))),
        deal.pack[in_shares:],
    )


def _next_starter(state: State) -> int:
    """Return the seat whose stack gives the next round's first card; 0 for one by lot."""
    if state.round.number == 0:
        return state.setup.options.starter
    return next_seat(state.round.starter, state.setup.seats)
