"""Adding to groups: laying off a card, and swapping a joker for the card it stands for."""

from collections.abc import Iterator

from service.games.romme10.cards import JOKER, Card
from service.games.romme10.commands import LayOff, Reason, SwapJoker
from service.games.romme10.events import CardLaidOff, JokerSwapped
from service.games.romme10.groups import End, Group, Kind
from service.games.romme10.options import Options
from service.games.romme10.state import State
from service.kit.game import Refused

Ends = tuple[End | None, ...]  # at which a card can be added
NO_ENDS: Ends = (None,)  # of a set
KEPT = 2  # cards, by who has not laid down the contract: one is discarded, and a hand is never empty then


def lay_offs(state: State, seat: int) -> Iterator[LayOff]:
    """Yield whatever the seat may lay off."""
    if why_no_adding(state, seat, needs_contract=state.setup.options.layoff_requires_contract) is not None:
        return
    for card in dict.fromkeys(state.hands[seat - 1]):
        for group in state.table:
            if why_not_on(group, card, state.setup.options) is None:
                yield from (LayOff(group.number, card, end) for end in ends_for(group, card))


def swaps(state: State, seat: int) -> Iterator[SwapJoker]:
    """Yield whatever jokers the seat may swap."""
    options = state.setup.options
    if why_no_adding(state, seat, needs_contract=options.swap_requires_contract) is not None:
        return
    hand = dict.fromkeys(state.hands[seat - 1])
    for group in state.table:
        ends = free_ends(group, options)
        for position, laid in enumerate(group.cards, 1):
            if ends and laid.card is JOKER:
                for card in (each for each in hand if replaces(group, position, each)):
                    yield from (SwapJoker(group.number, position, card, end) for end in ends)


def lay_off(state: State, seat: int, command: LayOff) -> CardLaidOff:
    """Return the card laid off, or raise Refused."""
    options, card = state.setup.options, command.card
    group = _group(state, seat, command, needs_contract=options.layoff_requires_contract)
    if (reason := why_not_on(group, card, options)) is not None:
        raise Refused(reason)
    end = _end(command.end, ends_for(group, card), Reason.DOES_NOT_FIT)
    return CardLaidOff(seat, group.number, card, end)


def swap_joker(state: State, seat: int, command: SwapJoker) -> JokerSwapped:
    """Return the joker swapped, or raise Refused."""
    options, position, card = state.setup.options, command.position, command.card
    group = _group(state, seat, command, needs_contract=options.swap_requires_contract)
    if not 1 <= position <= len(group.cards) or group.cards[position - 1].card is not JOKER:
        raise Refused(Reason.NO_JOKER_THERE)
    if not replaces(group, position, card):
        raise Refused(Reason.NOT_THE_JOKERS_CARD)
    ends = free_ends(group, options)
    if not ends and group.kind is Kind.SET:
        raise Refused(Reason.SET_FULL)
    return JokerSwapped(seat, group.number, position, card, _end(command.end, ends, Reason.NOWHERE_FOR_JOKER))


def why_no_adding(state: State, seat: int, *, needs_contract: bool) -> Reason | None:
    """Return why the seat may not add any card to a group."""
    if state.has_laid(seat):
        return None
    if needs_contract:
        return Reason.CONTRACT_FIRST
    return Reason.KEEP_TWO_CARDS if len(state.hands[seat - 1]) <= KEPT else None


def why_not_on(group: Group, card: Card, options: Options) -> Reason | None:
    """Return why the card cannot be laid off on the group, at whichever end."""
    if group.kind is Kind.SET:
        if card is JOKER and not options.joker_layoff_on_sets:
            return Reason.NO_JOKERS_ON_SETS
        if card is not JOKER and card.rank != group.rank:
            return Reason.DOES_NOT_FIT
        if len(group.cards) >= options.set_max:
            return Reason.SET_FULL
    if card is JOKER and not group.may_take_joker:
        return Reason.TOO_MANY_JOKERS
    return None if ends_for(group, card) else Reason.DOES_NOT_FIT


def ends_for(group: Group, card: Card) -> Ends:
    """Return the ends of a run that the card goes on from; a set has none."""
    if group.kind is Kind.SET:
        return NO_ENDS
    beyond = {end: group.beyond(end) for end in End}
    return tuple(end for end, next_card in beyond.items() if next_card is not None and card in (next_card, JOKER))


def free_ends(group: Group, options: Options) -> Ends:
    """Return where a swapped joker can go."""
    if group.kind is Kind.RUN:
        return ends_for(group, JOKER)
    return NO_ENDS if len(group.cards) < options.set_max else ()


def replaces(group: Group, position: int, card: Card) -> bool:
    """Whether the card is the one that the joker at this position stands for."""
    if group.kind is Kind.SET:
        return card.rank == group.rank
    return card is group.cards[position - 1].meaning


def _group(state: State, seat: int, command: LayOff | SwapJoker, *, needs_contract: bool) -> Group:
    """Return the group that a card of the hand is to be added to, or raise Refused."""
    if (reason := why_no_adding(state, seat, needs_contract=needs_contract)) is not None:
        raise Refused(reason)
    if command.card not in state.hands[seat - 1]:
        raise Refused(Reason.CARD_NOT_IN_HAND)
    if not 1 <= command.group <= len(state.table):
        raise Refused(Reason.NO_SUCH_GROUP)
    return state.table[command.group - 1]


def _end(wanted: End | None, possible: Ends, otherwise: Reason) -> End | None:
    """Return the end that is wanted, or the only one there is, or raise Refused."""
    if wanted in possible:
        return wanted
    if wanted is None and len(possible) == 1:
        return possible[0]
    if possible == NO_ENDS:
        raise Refused(Reason.NO_ENDS)
    raise Refused(Reason.WHICH_END if wanted is None and possible else otherwise)
