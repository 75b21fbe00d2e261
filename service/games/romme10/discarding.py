"""Discarding: what ends a turn."""

from service.games.romme10.cards import Card
from service.games.romme10.commands import Discard, Reason
from service.games.romme10.events import CardDiscarded
from service.games.romme10.piles import DISCARDS
from service.games.romme10.state import State
from service.kit.game import Refused


def discards(state: State, seat: int) -> tuple[Discard, ...]:
    """Return whatever the seat may discard."""
    cards = [card for card in dict.fromkeys(state.hands[seat - 1]) if why_not_discarded(state, seat, card) is None]
    return tuple(Discard(card, pile) for card in cards for pile in DISCARDS)


def discard(state: State, seat: int, command: Discard) -> CardDiscarded:
    """Return the card discarded, or raise Refused."""
    if command.pile not in DISCARDS:
        raise Refused(Reason.NOT_A_DISCARD_PILE)
    if command.card not in state.hands[seat - 1]:
        raise Refused(Reason.CARD_NOT_IN_HAND)
    if (reason := why_not_discarded(state, seat, command.card)) is not None:
        raise Refused(reason)
    return CardDiscarded(seat, command.pile, command.card)


def why_not_discarded(state: State, seat: int, card: Card) -> Reason | None:
    """Return why the seat, which has drawn, may not discard this card of its hand."""
    if not state.setup.options.forbid_return_discard or not _just_taken(state, seat, card):
        return None
    others = any(not _just_taken(state, seat, other) for other in state.hands[seat - 1])
    return Reason.JUST_TAKEN if others else None


def _just_taken(state: State, seat: int, card: Card) -> bool:
    """Whether the hand holds none of these cards but those taken from discard piles in this turn."""
    return state.hands[seat - 1].count(card) <= state.now.taken.count(card)
