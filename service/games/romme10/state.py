"""State: everything there is to know of a game, hidden cards included."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from service.games.romme10.cards import Card
from service.games.romme10.contracts import Contract
from service.games.romme10.events import LotsDrawn, RoundScored
from service.games.romme10.groups import Group
from service.games.romme10.options import FirstDealer, Options, board_of, check, most_bought
from service.games.romme10.piles import Piles
from service.games.romme10.profiles import Board


class Phase(Enum):
    """What the table waits for."""

    LOTS = "lots for the first deal"
    DEAL = "the dealer"
    RESHUFFLE = "the dealer to shuffle the discards"
    DRAW = "a seat to draw, or to announce what it buys"
    BUY = "a seat to draw what it has bought"
    MELD = "a seat to lay cards down, lay off or swap as it likes, and to discard"
    OVER = "nothing"


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same for the whole game."""

    options: Options
    board: Board
    seats: int


@dataclass(frozen=True, slots=True)
class Round:
    """What stays the same for a whole round."""

    place: int  # among the rounds played, from 1; 0 before the first deal
    number: int  # of its contract
    contract: Contract | None  # None only before the first deal
    dealer: int
    groups_before: tuple[Group, ...]  # those of the round before


class Turn(NamedTuple):
    """What a seat has done in its turn."""

    announced: int | None = None
    drawn: int = 0
    laid: bool = False  # its contract
    taken: tuple[Card, ...] = ()  # from discard piles, and not used since
    idle: bool = True  # with nothing laid down

    @property
    def left(self) -> int:
        """How many cards are still to be drawn."""
        return 1 + (self.announced or 0) - self.drawn


class State(NamedTuple):  # made once an event, at a third of a frozen dataclass's cost
    """The game between two events. What belongs to a round stays until the next one is dealt."""

    setup: Setup
    sheet: tuple[RoundScored, ...]
    totals: tuple[int, ...]  # of each seat
    lots: tuple[LotsDrawn, ...]
    round: Round
    phase: Phase
    turn: int  # 0 when no seat is to act
    now: Turn
    hands: tuple[tuple[Card, ...], ...]  # of each seat, sorted
    piles: Piles
    table: tuple[Group, ...]
    bought: tuple[int, ...]  # cards of each seat
    taken: tuple[tuple[Card, ...], ...]  # by each seat from discard piles
    reshuffles: int
    idle: int  # turns since something was laid down

    @property
    def acting(self) -> int:
        """The seat to act; 0 where the dealer is, or nobody."""
        return 0 if self.phase is Phase.RESHUFFLE else self.turn

    def has_laid(self, seat: int) -> bool:
        """Whether the seat's contract is on the table."""
        return any(group.owner == seat for group in self.table)

    @property
    def can_buy(self) -> int:
        """How many cards can be bought in a turn of this round."""
        return most_bought(self.setup.options, self.round.number)


NO_PILES: Piles = ((), (), (), ())


def start(options: Options, seats: int) -> State:
    """Return the state before the first deal, or refuse the options."""
    check(options, seats)
    return State(
        setup=Setup(options, board_of(options), seats),
        sheet=(),
        totals=(0,) * seats,
        lots=(),
        round=Round(0, 0, None, 0, ()),
        phase=Phase.LOTS if options.first_dealer is FirstDealer.DRAW else Phase.DEAL,
        turn=0,
        now=Turn(),
        hands=((),) * seats,
        piles=NO_PILES,
        table=(),
        bought=(0,) * seats,
        taken=((),) * seats,
        reshuffles=0,
        idle=0,
    )
