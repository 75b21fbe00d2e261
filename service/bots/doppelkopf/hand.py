"""Hand: what a seat holds, and how strong that is."""

from collections import Counter
from collections.abc import Sequence

from service.bots.brain import Sight
from service.games.doppelkopf.cards import Card, Suit, pack_of
from service.games.doppelkopf.contract import Solo
from service.games.doppelkopf.options import Options
from service.games.doppelkopf.order import Order, order_of

DRAWN_BY_A_LEAD = 2  # cards of its suit that are higher than others of ours


def hand_of(sight: Sight) -> tuple[Card, ...]:
    """Return the cards in hand."""
    return tuple([held.card for held in sight.view.hand])


def order_in(sight: Sight, solo: Solo | None) -> Order:
    """Return how the cards rank in a solo, or in a normal game."""
    return order_of(solo or Solo.NORMAL, tollen=sight.options.tollen)


def strength(hand: Sequence[Card], order: Order, options: Options) -> float:
    """Return the share of the tricks that the hand may hope for: high trumps, many trumps, and high plain cards."""
    others = list((Counter(pack_of(nines=bool(options.nines))) - Counter(hand)).elements())
    suits = {order.suit[card] for card in hand}
    return sum(_tricks_in(suit, hand, others, order) for suit in suits) / len(hand)


def _tricks_in(suit: Suit | None, hand: Sequence[Card], others: Sequence[Card], order: Order) -> float:
    """Return how many tricks one's trumps, or one's cards of a suit, may win."""
    own = sorted((order.strength[card] for card in hand if order.suit[card] is suit), reverse=True)
    theirs = [order.strength[card] for card in others if order.suit[card] is suit]
    tricks = 0.0
    for leads, card in enumerate(own, start=1):
        higher = sum(other > card for other in theirs)
        tricks += max(0.0, 1 - higher / (DRAWN_BY_A_LEAD * leads))
    return tricks / len(own) if suit and order.trumps else tricks  # the longer a plain suit, the sooner it is trumped
