"""Cards: two French packs with three jokers each. Equal cards are one object, so `is` compares them."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Suit(Enum):
    """The four suits, each with its letter."""

    CLUBS = "C"
    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"


LOWEST, HIGHEST = 2, 14  # ranks; the ace is high only
JOKER_POINTS = 50


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A suit and a rank, or the joker: `HK`, `D2`, `*`."""

    notation: str
    suit: Suit | None  # the joker has none
    rank: int  # 2 to 14; 0 for the joker
    points: int
    place: int  # in a sorted hand

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read the notation, or raise ValueError."""
        if text not in CARDS:
            raise ValueError(
                f"{text[:12]!r} is no card: give C, S, H or D with 2 to 9, T, J, Q, K or A, such as HK; or *, a joker"
            )
        return CARDS[text]

    def __str__(self) -> str:
        return self.notation


@dataclass(frozen=True, slots=True)
class Cards:
    """Some cards together: a hand, a pile, a group."""

    cards: tuple[Card, ...]


def _points(rank: int) -> int:
    if rank == HIGHEST:
        return 20
    return 10 if rank >= 10 else 5


_RANKS = tuple(enumerate("23456789TJQKA", start=LOWEST))
REGULAR = tuple(
    Card(suit.value + letter, suit, rank, _points(rank), row * len(_RANKS) + rank)
    for row, suit in enumerate(Suit)
    for rank, letter in _RANKS
)
JOKER = Card("*", None, 0, JOKER_POINTS, 100)
CARDS = {card.notation: card for card in (*REGULAR, JOKER)}
PACK = REGULAR * 2 + (JOKER,) * 6

_BY_SUIT = {suit: {card.rank: card for card in REGULAR if card.suit is suit} for suit in Suit}


def card_of(suit: Suit, rank: int) -> Card:
    """Return the card of a suit that has this rank."""
    return _BY_SUIT[suit][rank]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sort a hand: by suit, each from low to high, the jokers last."""
    return tuple(sorted(cards, key=_place))


def points_of(cards: Iterable[Card]) -> int:
    """Return what some cards are worth together."""
    return sum(card.points for card in cards)


def _place(card: Card) -> int:
    return card.place
