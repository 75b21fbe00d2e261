"""State: everything there is to know of a game, hidden cards included."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from service.games.doppelkopf.cards import SEATS_PLAYING, Card, pack_of
from service.games.doppelkopf.commands import Answer
from service.games.doppelkopf.contract import Contract, Party, Solo
from service.games.doppelkopf.events import Announced, CardPlayed, ContractMade, DealScored, Named
from service.games.doppelkopf.options import Options, check, rules_of
from service.games.doppelkopf.order import Order, order_of
from service.games.doppelkopf.rules import Rules, Settlement


class Phase(Enum):
    """What the table waits for."""

    DEAL = "the dealer"
    RESERVE = "what each seat says to reservations"
    NAME = "the names of reservations"
    PLAY = "cards"
    OVER = "nothing"


@dataclass(frozen=True, slots=True)
class Trick:
    """A complete trick, in the order played."""

    plays: tuple[CardPlayed, ...]
    winner: int

    @property
    def eyes(self) -> int:
        """What the cards count together."""
        return sum([play.card.eyes for play in self.plays])


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same for the whole game."""

    options: Options
    rules: Rules
    seats: int
    pack: tuple[Card, ...]
    hand_size: int  # which is the number of tricks


@dataclass(frozen=True, slots=True)
class Session:
    """What changes from deal to deal only."""

    sheet: tuple[DealScored, ...]
    totals: tuple[int, ...]  # of each seat
    pot: int
    owed: tuple[int, ...]  # the mandatory solos that each seat has left


@dataclass(frozen=True, slots=True)
class Dealing:
    """What stays the same for a whole deal."""

    number: int
    dealer: int
    playing: tuple[int, ...]  # from forehand on
    soloist: int  # whose mandatory solo is due, or 0
    trick_before: Trick | None  # the last one of the deal before


class Bidding(NamedTuple):
    """What was said before the first card."""

    answers: tuple[Answer | None, ...]  # of each seat
    named: tuple[Named, ...]
    made: ContractMade | None
    order: Order


class Said(NamedTuple):
    """What a party announced."""

    level: int = 0  # as a Camp has it
    late: bool = False  # whether it only replied, too late for anything more


class Sides(NamedTuple):
    """Who plays with whom, who is known to, and what they announced."""

    parties: tuple[Party | None, ...]  # of each seat; None where it sits out, or is not decided yet
    known: tuple[Party | None, ...]  # of each seat, as everybody knows
    resolved: int  # the trick that resolved a marriage; 0 before
    calls: tuple[Announced, ...]
    re: Said
    kontra: Said


class State(NamedTuple):  # made once an event, at a third of a frozen dataclass's cost
    """The game between two events. What belongs to a deal stays until the next one is dealt."""

    setup: Setup
    session: Session
    dealing: Dealing
    bidding: Bidding
    sides: Sides
    phase: Phase
    turn: int  # 0 when no seat is to act
    hands: tuple[tuple[Card, ...], ...]  # of each seat
    trick: tuple[CardPlayed, ...]
    tricks: tuple[Trick, ...]

    @property
    def unresolved(self) -> ContractMade | None:
        """The marriage, where it is one whose holder has not found a partner yet."""
        made = self.bidding.made
        return made if made and made.contract is Contract.MARRIAGE and not self.sides.resolved else None


def start(options: Options, seats: int) -> State:
    """Return the state before the first deal, or refuse the options."""
    check(options, seats)
    rules = rules_of(options)
    pack = pack_of(nines=rules.nines)
    setup = Setup(options, rules, seats, pack, len(pack) // SEATS_PLAYING)
    paid = options.ante if rules.settlement is Settlement.POT else 0
    session = Session((), (-paid,) * seats, paid * seats, (rules.mandatory_solo,) * seats)
    dealing = Dealing(0, 0, (), 0, None)
    return State(setup, session, dealing, no_bidding(setup), no_sides(seats), Phase.DEAL, 0, ((),) * seats, (), ())


def no_bidding(setup: Setup) -> Bidding:
    """Return the state before anybody has said anything."""
    return Bidding((None,) * setup.seats, (), None, order_of(Solo.NORMAL, tollen=setup.rules.tollen))


def no_sides(seats: int) -> Sides:
    """Return the state before there are parties."""
    return Sides((None,) * seats, (None,) * seats, 0, (), Said(), Said())
