"""Tricks: which cards may be played, and which one wins."""

from collections.abc import Sequence

from service.games.doppelkopf.cards import Card
from service.games.doppelkopf.commands import Reason
from service.games.doppelkopf.order import Order
from service.games.doppelkopf.rules import FollowRule


def playable(
    hand: Sequence[Card], trick: Sequence[Card], order: Order, rule: FollowRule, *, second_tolle: bool
) -> tuple[Card, ...]:
    """Return every card that the hand may play to the trick. Equal cards are one."""
    if not trick:
        return tuple(dict.fromkeys(hand))
    allowed = _suited(hand, trick[0], order, rule)
    if rule is FollowRule.FOLLOW_AND_BEAT:
        allowed = [card for card in allowed if _wins(card, trick, order, second_tolle=second_tolle)] or allowed
    return tuple(dict.fromkeys(allowed))


def why_not_playable(  # noqa: PLR0913 -- a card, and all that the trick allows it by
    card: Card, hand: Sequence[Card], trick: Sequence[Card], order: Order, rule: FollowRule, *, second_tolle: bool
) -> Reason | None:
    """Return why a card of the hand may not be played to the trick."""
    if not trick or (card in order.following[trick[0]] and rule is not FollowRule.FOLLOW_AND_BEAT):
        return None  # as for most cards, and the hand need not be looked through
    if card in playable(hand, trick, order, rule, second_tolle=second_tolle):
        return None
    if card in _suited(hand, trick[0], order, rule):
        return Reason.MUST_BEAT
    return Reason.MUST_FOLLOW if any(other in order.following[trick[0]] for other in hand) else Reason.MUST_TRUMP


def winner(cards: Sequence[Card], order: Order, *, second_tolle: bool) -> int:
    """Return the place of the winning card: among equal ones the first, but the second Tolle where that beats it."""
    led, best, place = order.suit[cards[0]], 0, 0
    for index, card in enumerate(cards):
        suit, strength = order.suit[card], order.strength[card]
        if (suit is None or suit is led) and (
            strength > best or (second_tolle and strength == best and card is order.tolle)
        ):
            best, place = strength, index
    return place


def _suited(hand: Sequence[Card], led: Card, order: Order, rule: FollowRule) -> list[Card]:
    """Return the cards that follow, or else trumps where one must trump, or else all."""
    following = order.following[led]
    if cards := [card for card in hand if card in following]:
        return cards
    must_trump = rule is not FollowRule.FOLLOW_ONLY
    return (must_trump and [card for card in hand if card in order.trumps]) or list(hand)


def _wins(card: Card, trick: Sequence[Card], order: Order, *, second_tolle: bool) -> bool:
    return winner((*trick, card), order, second_tolle=second_tolle) == len(trick)
