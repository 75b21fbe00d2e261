"""Cards of two halves. There is one object for each, so `is` compares them, and its notation is its name."""

from dataclasses import dataclass
from itertools import permutations

COLOURS = "RGBYVW"  # red, green, blue, yellow, violet, white
SYMBOLS = "oqtsdh"  # circle, square, triangle, star, diamond, heart
HALVES = tuple(colour + symbol for colour in COLOURS for symbol in SYMBOLS)


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """Two halves, each a symbol in a colour: `Ro-Gq`. They differ in both."""

    notation: str
    halves: tuple[str, str]

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read the notation, or raise ValueError."""
        if text not in CARDS:
            raise ValueError(
                f"{text[:12]!r} is no card: give two halves that differ in colour and symbol, such as Ro-Gq"
            )
        return CARDS[text]

    def __str__(self) -> str:
        return self.notation


CARDS = {
    f"{one}-{other}": Card(f"{one}-{other}", (one, other))
    for one, other in permutations(HALVES, 2)
    if one[0] != other[0] and one[1] != other[1]
}
"""Every card that a deck may hold. Which half comes first matters only where cards may not be turned."""


def upright(card: Card) -> Card:
    """Return the card with its halves in the order of their colours, which is its name where cards may be turned."""
    return CARDS["-".join(sorted(card.halves, key=HALVES.index))]


def all_cards(colours: int, symbols: int) -> tuple[Card, ...]:
    """Return every card of so many colours and symbols once, upright."""
    letters = {*COLOURS[:colours], *SYMBOLS[:symbols]}
    return tuple(card for card in CARDS.values() if letters.issuperset("".join(card.halves)) and card is upright(card))
