"""State: everything there is to know of a game, hidden cards included."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from service.games.double_speed.cards import Card
from service.games.double_speed.deck import Deck, deck_of
from service.games.double_speed.events import CardPlayed, RoundEnded
from service.games.double_speed.options import Options, cards_of, check


class Phase(Enum):
    """What the table waits for."""

    DEAL = "the dealer"
    RACE = "everybody at once"
    OVER = "nothing"


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same for the whole game."""

    options: Options
    seats: int
    deck: Deck


@dataclass(frozen=True, slots=True)
class Round:
    """What stays the same for a whole round."""

    number: int
    starter: int
    box: tuple[Card, ...]


class Pile(NamedTuple):
    """The cards in the middle."""

    cards: tuple[Card, ...]  # the top one last
    version: int  # grows with every new top, from round to round, too
    turned: int  # how often its bottom card was turned up since a card was played
    reopened: int  # how often a stack gave a card since then
    last: CardPlayed | None

    @property
    def top(self) -> Card:
        """The card to play on."""
        return self.cards[-1]


class State(NamedTuple):  # made once an event, at a third of a frozen dataclass's cost
    """The game between two events. What belongs to a round stays until the next one is dealt."""

    setup: Setup
    sheet: tuple[RoundEnded, ...]
    round: Round
    phase: Phase
    pile: Pile
    hands: tuple[tuple[Card, ...], ...]  # of each seat
    stacks: tuple[tuple[Card, ...], ...]  # of each seat, the top card first


def start(options: Options, seats: int) -> State:
    """Return the state before the first deal, or refuse the options."""
    check(options, seats)
    deck = deck_of(cards_of(options), rotation=options.rotation)
    setup, nothing = Setup(options, seats, deck), ((),) * seats
    return State(setup, (), Round(0, 0, ()), Phase.DEAL, Pile((), 0, 0, 0, None), nothing, nothing)
