"""Reserving: what may be named instead of a normal game, and what is played then."""

from service.games.doppelkopf.cards import CLUB_ACE, CLUB_QUEEN
from service.games.doppelkopf.commands import Answer, Name, Reason, Reserve
from service.games.doppelkopf.contract import Contract, MarriageMode, Solo
from service.games.doppelkopf.events import ContractMade, Named
from service.games.doppelkopf.state import State

_ANSWERS = {answer: Reserve(answer) for answer in Answer}
_NAMES = (
    *(Name(contract, solo, None) for contract in (Contract.MANDATORY_SOLO, Contract.SOLO) for solo in Solo),
    *(Name(Contract.MARRIAGE, None, mode) for mode in MarriageMode),
)
_RANKING = (Contract.MANDATORY_SOLO, Contract.SOLO, Contract.MARRIAGE)
NORMAL_GAME = ContractMade(Contract.NORMAL, 0, None, None)


def answers(state: State, seat: int) -> tuple[Reserve, ...]:
    """Return what the seat may say when it is asked for a reservation."""
    return tuple(reserve for answer, reserve in _ANSWERS.items() if why_no_answer(state, seat, answer) is None)


def why_no_answer(state: State, seat: int, answer: Answer) -> Reason | None:
    """Return why the seat may not say this."""
    if answer is Answer.RESERVATION or state.setup.rules.silent_solo or not has_both_queens(state, seat):
        return None
    return Reason.MUST_RESERVE


def names(state: State, seat: int) -> tuple[Name, ...]:
    """Return what the seat may name."""
    return tuple(name for name in _NAMES if why_no_name(state, seat, name) is None)


def why_no_name(state: State, seat: int, name: Name) -> Reason | None:
    """Return why the seat may not name this."""
    match name:
        case Name(Contract.SOLO | Contract.MANDATORY_SOLO, Solo() as solo, None):
            return _why_no_solo(state, seat, name.contract, solo)
        case Name(Contract.MARRIAGE, None, MarriageMode() as mode):
            return _why_no_marriage(state, seat, mode)
        case _:
            return Reason.NAME_ONE_THING


def has_both_queens(state: State, seat: int) -> bool:
    """Whether the seat was dealt both queens of clubs; asked before the first card."""
    return state.hands[seat - 1].count(CLUB_QUEEN) == 2


def highest(named: tuple[Named, ...]) -> ContractMade:
    """Return what is played: the highest reservation; among equal ones that of the seat nearest to forehand."""
    best = min(named, key=lambda each: _RANKING.index(each.contract))
    return ContractMade(best.contract, best.seat, best.solo, best.mode)


def _why_no_solo(state: State, seat: int, contract: Contract, solo: Solo) -> Reason | None:
    if solo not in state.setup.rules.solo_types:
        return Reason.SOLO_NOT_PLAYED
    owes, mandatory = state.session.owed[seat - 1] > 0, contract is Contract.MANDATORY_SOLO
    if mandatory and not owes:
        return Reason.NO_MANDATORY_SOLO_LEFT
    if owes and not mandatory:
        return Reason.MANDATORY_SOLO_DUE if state.dealing.soloist else Reason.MANDATORY_SOLO_FIRST
    return None


def _why_no_marriage(state: State, seat: int, mode: MarriageMode) -> Reason | None:
    if state.dealing.soloist:
        return Reason.MANDATORY_SOLO_DUE
    if not has_both_queens(state, seat):
        return Reason.MARRIAGE_NEEDS_BOTH_QUEENS
    if mode not in state.setup.rules.marriage_modes:
        return Reason.MODE_NOT_PLAYED
    if mode is MarriageMode.FIRST_CLUB_ACE and state.hands[seat - 1].count(CLUB_ACE) == 2:
        return Reason.BOTH_CLUB_ACES
    return None
