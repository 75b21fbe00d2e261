"""Piles: two to draw from face down, and two of discards. The top card is the last one."""

from collections.abc import Sequence
from enum import Enum
from typing import TypeVar

from service.games.romme10.cards import Card

Item = TypeVar("Item")
Piles = tuple[tuple[Card, ...], ...]  # in the order of Pile


class Pile(Enum):
    """The four piles, each with its place."""

    STOCK_1 = 0
    STOCK_2 = 1
    DISCARD_1 = 2
    DISCARD_2 = 3


STOCKS = (Pile.STOCK_1, Pile.STOCK_2)
DISCARDS = (Pile.DISCARD_1, Pile.DISCARD_2)


def halves(cards: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Split cards, the top one first, into two piles; the first gets the odd card."""
    middle = (len(cards) + 1) // 2
    return tuple(reversed(cards[:middle])), tuple(reversed(cards[middle:]))


def buried(piles: Piles) -> tuple[Card, ...]:
    """Return the discards that lie below the tops."""
    return tuple(card for pile in DISCARDS for card in piles[pile.value][:-1])


def stocks_empty(piles: Piles) -> bool:
    """Whether both draw piles are empty."""
    return not any(piles[pile.value] for pile in STOCKS)
