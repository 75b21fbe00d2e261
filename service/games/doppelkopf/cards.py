"""Cards: French suits, every card twice. The two copies are one object, so `is` compares them."""

from dataclasses import dataclass
from enum import Enum


class Suit(Enum):
    """The four suits, the highest first, each with its letter."""

    CLUBS = "C"
    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"


EYES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A suit and a rank: `CQ`, `HT`, `D9`."""

    notation: str
    suit: Suit
    rank: str
    eyes: int

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read the notation, or raise ValueError."""
        if text not in CARDS:
            raise ValueError(f"{text[:12]!r} is no card: give C, S, H or D with A, T, K, Q, J or 9, such as CQ")
        return CARDS[text]

    def __str__(self) -> str:
        return self.notation


CARDS = {suit.value + rank: Card(suit.value + rank, suit, rank, eyes) for suit in Suit for rank, eyes in EYES.items()}
CLUB_QUEEN, CLUB_ACE, CLUB_JACK, FOX, TOLLE = (CARDS[name] for name in ("CQ", "CA", "CJ", "DA", "HT"))

ALL_EYES = 240
SEATS_PLAYING = 4


def pack_of(*, nines: bool) -> tuple[Card, ...]:
    """Return every card twice."""
    return tuple(card for card in CARDS.values() if nines or card.rank != "9") * 2
