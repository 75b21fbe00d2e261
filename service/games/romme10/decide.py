"""Decide: what comes of a command, or why the rules refuse it."""

from typing import assert_never

from service.games.romme10.adding import lay_off, lay_offs, swap_joker, swaps
from service.games.romme10.commands import (
    AnnounceBuy,
    Command,
    Deal,
    Discard,
    Draw,
    DrawLots,
    LayContract,
    LayOff,
    Reason,
    Redeal,
    Reshuffle,
    SwapJoker,
)
from service.games.romme10.dealing import deal_out, draw_lots, reshuffle
from service.games.romme10.discarding import discard, discards
from service.games.romme10.drawing import announce, announcements, draw, draws, exhausted
from service.games.romme10.events import CardDiscarded, CardLaidOff, ContractLaid, Event, JokerSwapped
from service.games.romme10.evolve import evolve
from service.games.romme10.finding import contract_in
from service.games.romme10.laying import lay_contract
from service.games.romme10.redealing import deal_anew
from service.games.romme10.score import settle
from service.games.romme10.state import Phase, State
from service.kit.game import Refused

NOBODY = 0


def decide(state: State, seat: int, command: Command) -> tuple[Event, ...]:  # noqa: PLR0911, C901 -- one case a command
    """Return what comes of the seat's command, or raise Refused."""
    match command:
        case Draw():
            _refuse(why_wait(state, seat))
            return draw(state, seat, command)
        case AnnounceBuy():
            _refuse(why_wait(state, seat))
            return announce(state, seat, command)
        case Discard():
            _refuse(why_no_meld(state, seat))
            return _with_its_end(state, discard(state, seat, command))
        case LayContract():
            _refuse(why_no_meld(state, seat))
            return _with_its_end(state, lay_contract(state, seat, command))
        case LayOff():
            _refuse(why_no_meld(state, seat))
            return _with_its_end(state, lay_off(state, seat, command))
        case SwapJoker():
            _refuse(why_no_meld(state, seat))
            return _with_its_end(state, swap_joker(state, seat, command))
        case DrawLots():
            return draw_lots(state, seat, command)
        case Deal():
            return deal_out(state, seat, command)
        case Reshuffle():
            return reshuffle(state, seat, command)
        case Redeal():
            return deal_anew(state, seat, command)
        case unknown:
            assert_never(unknown)


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """Return what the seat may do now. Of all the ways to lay down the contract one is listed, if there is any."""
    if seat != state.acting or seat == NOBODY:
        return ()
    if state.phase is not Phase.MELD:
        return (*announcements(state), *draws(state))
    return (*_contract(state, seat), *swaps(state, seat), *lay_offs(state, seat), *discards(state, seat))


def why_wait(state: State, seat: int) -> Reason | None:
    """Return why it is not for this seat to do anything now."""
    if seat == state.acting != NOBODY:
        return None
    return Reason.GAME_OVER if state.phase is Phase.OVER else Reason.NOT_YOUR_TURN


def why_no_meld(state: State, seat: int) -> Reason | None:
    """Return why the seat may not lay down, lay off, swap or discard anything now."""
    if (waiting := why_wait(state, seat)) is not None:
        return waiting
    return None if state.phase is Phase.MELD else Reason.DRAW_FIRST


def _contract(state: State, seat: int) -> tuple[LayContract, ...]:
    contract = state.round.contract
    if contract is None or state.has_laid(seat):
        return ()
    found = contract_in(state.hands[seat - 1], contract, adjacent=state.setup.options.adjacent_runs)
    return () if found is None else (LayContract(found),)


def _with_its_end(state: State, event: ContractLaid | CardLaidOff | JokerSwapped | CardDiscarded) -> tuple[Event, ...]:
    """Return the event, and the round's end if somebody has no card left, or nobody can draw any more."""
    after, discarded = evolve(state, event), isinstance(event, CardDiscarded)
    if not after.hands[event.seat - 1]:
        laid = isinstance(event, ContractLaid) or state.now.laid
        bonus = laid and (not discarded or state.setup.options.bonus_final_discard)
        return (event, settle(after, event.seat, bonus=bonus))
    return (event, settle(after, NOBODY, bonus=False)) if discarded and exhausted(after) else (event,)


def _refuse(reason: Reason | None) -> None:
    if reason is not None:
        raise Refused(reason)
