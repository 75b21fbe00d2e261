"""Deck: the cards of a table, and which of them fit which."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from service.games.double_speed.cards import HALVES, Card

DECKS_MAX = 16  # remembered

Fits = Mapping[Card, frozenset[Card]]


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """All cards, and those that fit on each."""

    cards: tuple[Card, ...]
    fits: Fits


@lru_cache(DECKS_MAX)
def deck_of(cards: tuple[Card, ...], *, rotation: bool) -> Deck:
    """Return the deck of these cards."""
    return Deck(cards, _fits(frozenset(cards), rotation=rotation))


def _fits(cards: frozenset[Card], *, rotation: bool) -> Fits:
    """Return, for each card, those that meet it with both halves: straight, or turned where that is allowed."""
    first = {half: frozenset(card for card in cards if _meet(card.halves[0], half)) for half in HALVES}
    second = {half: frozenset(card for card in cards if _meet(card.halves[1], half)) for half in HALVES}
    straight = {top: first[top.halves[0]] & second[top.halves[1]] for top in cards}
    turned = {top: first[top.halves[1]] & second[top.halves[0]] for top in cards} if rotation else {}
    return MappingProxyType({top: straight[top] | turned.get(top, frozenset()) for top in cards})


def _meet(one: str, other: str) -> bool:
    """Whether two halves have the same colour, or the same symbol."""
    return one[0] == other[0] or one[1] == other[1]
