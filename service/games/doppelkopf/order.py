"""Orders: which cards are trumps, and which is higher; one for every kind of game."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from service.games.doppelkopf.cards import CARDS, TOLLE, Card, Suit
from service.games.doppelkopf.contract import Solo

_RANKS = "ATK9"
_QUEENS, _JACKS = ([CARDS[suit.value + rank] for suit in Suit] for rank in "QJ")
_TRUMP_SUITS = {
    Solo.NORMAL: Suit.DIAMONDS,
    Solo.CLUBS: Suit.CLUBS,
    Solo.SPADES: Suit.SPADES,
    Solo.HEARTS: Suit.HEARTS,
    Solo.DIAMONDS: Suit.DIAMONDS,
}
_ONLY_TRUMPS = {Solo.QUEENS: _QUEENS, Solo.JACKS: _JACKS, Solo.MEATLESS: list[Card]()}
_PLAIN_RANKS = {Solo.QUEENS: "ATKJ9", Solo.JACKS: "ATKQ9", Solo.MEATLESS: "ATKQJ9"}
_TRUMP_STRENGTH = 100  # above every plain card


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """How the cards rank. Trumps follow each other, whatever is printed on them."""

    trumps: tuple[Card, ...]  # the highest first
    suit: dict[Card, Suit | None]  # what a card follows; None for a trump
    following: dict[Card, frozenset[Card]]  # by the card led: what follows it
    strength: dict[Card, int]
    tolle: Card | None  # the ten of hearts, where it is the highest trump


@cache
def order_of(solo: Solo, *, tollen: bool) -> Order:
    """Return the order of a solo; a normal game has that of the normal solo."""
    trumps = _trumps(solo, tollen=tollen)
    plain = _PLAIN_RANKS.get(solo, _RANKS)
    suit = {card: None if card in trumps else card.suit for card in CARDS.values()}
    strength = {card: len(plain) - plain.index(card.rank) for card, kind in suit.items() if kind}
    strength |= {card: _TRUMP_STRENGTH + len(trumps) - place for place, card in enumerate(trumps)}
    following = {led: frozenset(card for card in CARDS.values() if suit[card] is suit[led]) for led in CARDS.values()}
    return Order(trumps, suit, following, strength, TOLLE if tollen and trumps[:1] == (TOLLE,) else None)


def _trumps(solo: Solo, *, tollen: bool) -> tuple[Card, ...]:
    if solo in _ONLY_TRUMPS:
        return tuple(_ONLY_TRUMPS[solo])
    in_suit = (CARDS[_TRUMP_SUITS[solo].value + rank] for rank in _RANKS)
    return _once([TOLLE] if tollen else [], _QUEENS, _JACKS, in_suit)


def _once(*groups: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(dict.fromkeys(card for group in groups for card in group))
