"""Motifs and cards. There is one object for each, so `is` compares them, and its notation is its name."""

from dataclasses import dataclass
from enum import Enum
from itertools import combinations


class Suit(Enum):
    """The four suits, each with its letter."""

    CLUBS = "C"
    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"


@dataclass(frozen=True, slots=True, eq=False)
class Motif:
    """One half of a card: `CA`, `H2`, `POPE`, `FOOL`."""

    notation: str
    suit: Suit | None  # POPE and FOOL have none
    rank: int

    @classmethod
    def parse(cls, text: str) -> "Motif":
        """Read the notation, or raise ValueError."""
        if text not in MOTIFS:
            raise ValueError(
                f"{text[:12]!r} is no motif: give C, S, H or D with 2 to 9, T, J, Q, K or A; or POPE, FOOL"
            )
        return MOTIFS[text]

    def __str__(self) -> str:
        return self.notation


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """Two motifs, the higher first but POPE and FOOL last: `CA/H2`, `C8/POPE`."""

    notation: str
    motifs: tuple[Motif, Motif]
    suits: tuple[Suit | None, Suit | None]  # what it can follow

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read the notation, the motifs in either order, or raise ValueError."""
        if text not in _CARDS:
            raise ValueError(f"{text[:12]!r} is no card: give two motifs that differ in suit and rank, such as CA/H2")
        return _CARDS[text]

    def __str__(self) -> str:
        return self.notation


RANKS = {letter: rank for rank, letter in enumerate("23456789TJQKA", start=2)}
POPE = Motif("POPE", None, 15)
FOOL = Motif("FOOL", None, 16)
REGULAR = tuple(Motif(suit.value + letter, suit, rank) for suit in Suit for letter, rank in RANKS.items())
MOTIFS = {motif.notation: motif for motif in (*REGULAR, POPE, FOOL)}


def _card(first: Motif, second: Motif) -> Card:
    return Card(f"{first}/{second}", (first, second), (first.suit, second.suit))


ALL_CARDS = (
    *(
        _card(*sorted(pair, key=lambda motif: -motif.rank))
        for pair in combinations(REGULAR, 2)
        if pair[0].suit is not pair[1].suit and pair[0].rank != pair[1].rank
    ),
    *(_card(motif, special) for motif in REGULAR for special in (POPE, FOOL)),
)
"""Every card that a set may hold. POPE and FOOL never share one."""

_CARDS = {f"{a}/{b}": card for card in ALL_CARDS for a, b in (card.motifs, card.motifs[::-1])}

CARDS_IN_A_SET = 27

_PAIRING = """
CA/H2 SA/D2 HA/C2 DA/S2   CK/S3 SK/H3 HK/D3 DK/C3   CQ/D4 SQ/C4 HQ/S4 DQ/H4
CJ/H5 SJ/D5 HJ/C5 DJ/S5   CT/S6 ST/H6 HT/D6 DT/C6   C9/D8 S9/C7 H9/S7 D9/H7   S8/D7 C8/POPE H8/FOOL
"""
COMPLEMENT16 = tuple(map(Card.parse, _PAIRING.split()))
"""The default pairing: ranks that add up to 16, as far as they go."""


def trump_of(turn_up: Card) -> Suit | None:
    """Return the suit of the higher motif; POPE and FOOL are higher than all, and make no trump."""
    return max(turn_up.motifs, key=lambda motif: motif.rank).suit
