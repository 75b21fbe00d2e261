"""Laying down a contract: whether groups of cards meet it, and what they are then."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, permutations, product

from service.games.romme10.cards import JOKER, Card, Cards
from service.games.romme10.commands import LayContract, Reason
from service.games.romme10.contracts import Contract
from service.games.romme10.events import ContractLaid
from service.games.romme10.groups import End, Group, Kind, laid_run, laid_set
from service.games.romme10.runs import RUN_MIN, placements
from service.games.romme10.state import State
from service.kit.game import Refused

SET_MIN = 3


def lay_contract(state: State, seat: int, command: LayContract) -> ContractLaid:
    """Return the contract laid down, or raise Refused."""
    if state.has_laid(seat):
        raise Refused(Reason.CONTRACT_ALREADY_LAID)
    options, contract = state.setup.options, state.round.contract
    if contract is None or len(command.groups) != contract.groups:
        raise Refused(Reason.WRONG_NUMBER_OF_GROUPS)
    if not holds(state.hands[seat - 1], command.groups):
        raise Refused(Reason.CARD_NOT_IN_HAND)
    for group in command.groups:
        if (reason := why_no_group(group.cards, options.set_max)) is not None:
            raise Refused(reason)
    if not meets(contract, command.groups):
        raise Refused(Reason.CONTRACT_NOT_MET)
    groups = place(len(state.table) + 1, seat, command.groups, adjacent=options.adjacent_runs)
    if groups is None:
        raise Refused(Reason.RUNS_TOUCH)
    return ContractLaid(seat, groups)


def holds(hand: Sequence[Card], groups: Sequence[Cards]) -> bool:
    """Whether all cards of the groups are in the hand."""
    return Counter(chain.from_iterable(group.cards for group in groups)) <= Counter(hand)


def why_no_group(cards: Sequence[Card], set_max: int) -> Reason | None:
    """Return why these cards are neither a set nor a run, however the jokers are placed."""
    if sum(card is JOKER for card in cards) * 2 > len(cards):
        return Reason.TOO_MANY_JOKERS
    if len(cards) < SET_MIN:
        return Reason.NOT_A_GROUP
    if kind_of(cards) is Kind.SET:
        return Reason.SET_FULL if len(cards) > set_max else None
    return Reason.NOT_A_GROUP if len(cards) < RUN_MIN or not any(placements(cards)) else None


def kind_of(cards: Sequence[Card]) -> Kind:
    """Return what these cards can be only: two cards that are no jokers tell a set from a run."""
    return Kind.SET if len({card.rank for card in cards if card is not JOKER}) == 1 else Kind.RUN


def meets(contract: Contract, groups: Sequence[Cards]) -> bool:
    """Whether each group meets one of the contract's: of a kind the longest the longest, and so on."""
    lengths: dict[Kind, list[int]] = {Kind.SET: [], Kind.RUN: []}
    for group in groups:
        lengths[kind_of(group.cards)].append(len(group.cards))
    wanted = ((contract.sets, lengths[Kind.SET]), (contract.runs, lengths[Kind.RUN]))
    return all(
        len(least) == len(longest) and all(map(int.__le__, least, sorted(longest, reverse=True)))
        for least, longest in wanted
    )


def place(first: int, seat: int, groups: Sequence[Cards], *, adjacent: bool) -> tuple[Group, ...] | None:
    """Return the groups as they are laid down, numbered on; None where runs would touch that must not."""
    choices = (list(_candidates(number, seat, group.cards)) for number, group in enumerate(groups, first))
    return next((laid for laid in product(*choices) if adjacent or not _touching(laid)), None)


def _candidates(number: int, seat: int, cards: tuple[Card, ...]) -> Iterator[Group]:
    if kind_of(cards) is Kind.SET:
        yield laid_set(number, seat, cards)
    else:
        yield from (laid_run(number, seat, run) for run in placements(cards))


def _touching(groups: Sequence[Group]) -> bool:
    """Whether a run ends just below where another one of its suit begins."""
    runs = [group for group in groups if group.kind is Kind.RUN]
    return any(low.beyond(End.HIGH) is high.cards[0].meaning for low, high in permutations(runs, 2))
