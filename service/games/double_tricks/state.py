"""State: everything there is to know of a game, hidden cards included."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from service.games.double_tricks.cards import Card, Suit
from service.games.double_tricks.events import CardPlayed, RoundScored
from service.games.double_tricks.options import Options, check


class Phase(Enum):
    """What the table waits for."""

    DEAL = "the dealer"
    BID = "bids"
    PLAY = "cards"
    OVER = "nothing"


@dataclass(frozen=True, slots=True)
class Trick:
    """A complete trick, in the order played."""

    plays: tuple[CardPlayed, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same for the whole game."""

    options: Options
    seats: int
    pack: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """What stays the same for a whole round."""

    number: int
    dealer: int
    hand_size: int
    turn_up: Card | None  # None only before the first round
    trump: Suit | None
    stock: tuple[Card, ...]
    trick_before: Trick | None  # the last one of the round before


class State(NamedTuple):  # made once an event, at a third of a frozen dataclass's cost
    """The game between two events. What belongs to a round stays until the next one is dealt."""

    setup: Setup
    sheet: tuple[RoundScored, ...]
    round: Round
    phase: Phase
    turn: int  # 0 when no seat is to act
    points: tuple[int, ...]  # of each seat, as last settled: a stake is still among them
    hands: tuple[tuple[Card, ...], ...]  # of each seat
    bids: tuple[int | None, ...]  # of each seat
    trick: tuple[CardPlayed, ...]
    tricks: tuple[Trick, ...]

    @property
    def stakes(self) -> tuple[int, ...]:
        """The points of each seat that are at stake now."""
        at_stake = self.phase in (Phase.BID, Phase.PLAY)
        return tuple(bid if bid is not None and at_stake else 0 for bid in self.bids)

    @property
    def made(self) -> tuple[int, ...]:
        """The tricks that each seat has made in this round."""
        winners = [trick.winner for trick in self.tricks]
        return tuple(winners.count(seat) for seat in range(1, self.setup.seats + 1))


def start(options: Options, seats: int) -> State:
    """Return the state before the first deal, or refuse the options."""
    check(options, seats)
    setup = Setup(options, seats, options.deck_pairs * options.sets)
    nothing = Round(0, 0, 0, None, None, (), None)
    points = (options.start_points,) * seats
    return State(setup, (), nothing, Phase.DEAL, 0, points, ((),) * seats, (None,) * seats, (), ())
