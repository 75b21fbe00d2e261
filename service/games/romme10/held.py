"""Held: a hand as bit masks, which the search for contracts works on. Bits are ranks."""

from collections.abc import Iterable
from typing import NamedTuple

from service.games.romme10.cards import HIGHEST, LOWEST, Card, Suit

_DIGIT = 4  # bits that count the cards of a rank, eight at most


def _spread(mask: int) -> int:
    return sum(1 << _DIGIT * rank for rank in range(LOWEST, HIGHEST + 1) if mask >> rank & 1)


_SPREAD = tuple(_spread(mask << LOWEST) for mask in range(1 << HIGHEST - LOWEST + 1))


class Held(NamedTuple):
    """The cards that are not in a group yet."""

    once: tuple[int, ...]  # by suit: the ranks that are there
    twice: tuple[int, ...]  # by suit: those that are there twice
    ranks: int  # how many cards of each rank, one digit each
    jokers: int

    def without(self, suit: int, regular: int, jokers: int) -> "Held":
        """Leave out some ranks of a suit, and some jokers."""
        once, twice = list(self.once), list(self.twice)
        once[suit] ^= regular & ~twice[suit]
        twice[suit] &= ~regular
        return Held(tuple(once), tuple(twice), self.ranks - _SPREAD[regular >> LOWEST], self.jokers - jokers)

    def counts(self) -> list[tuple[int, int]]:
        """Return each rank with two cards or more, and how many they are."""
        found, ranks, rank = [], self.ranks >> _DIGIT * LOWEST, LOWEST
        while ranks:
            if (count := ranks & 15) > 1:
                found.append((rank, count))
            ranks >>= _DIGIT
            rank += 1
        return found


def held(hand: Iterable[Card]) -> Held:
    """Return the hand as masks."""
    once, twice, jokers, ranks = [0, 0, 0, 0], [0, 0, 0, 0], 0, 0
    for card in hand:
        if card.suit is None:
            jokers += 1
            continue
        suit, bit = _SUITS[card.suit], 1 << card.rank
        twice[suit] |= once[suit] & bit
        once[suit] |= bit
        ranks += 1 << _DIGIT * card.rank
    return Held(tuple(once), tuple(twice), ranks, jokers)


_SUITS = {suit: place for place, suit in enumerate(Suit)}
