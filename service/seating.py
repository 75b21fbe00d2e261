"""Seating: who sits where, who may sit down, and whom a bot stands in for. It knows no game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from stammtisch.table.v1 import entry_pb2, table_pb2

from service.draw import committed
from service.kit.tuples import with_item

ANY = 0  # instead of a seat: whichever is open
OPEN, PERSON, BOT = table_pb2.SEAT_KIND_OPEN, table_pb2.SEAT_KIND_PERSON, table_pb2.SEAT_KIND_BOT
NO_BOT = table_pb2.BOT_STRENGTH_UNSPECIFIED

SeatEvent = (
    entry_pb2.SeatTaken
    | entry_pb2.SeatLeft
    | entry_pb2.SeatResumed
    | entry_pb2.BotSeated
    | entry_pb2.ContributionRevealed
    | entry_pb2.ContributionMissed
    | entry_pb2.PresenceNoted
)


class Chair(NamedTuple):
    """One seat."""

    kind: table_pb2.SeatKind.ValueType
    contribution: bytes = b""
    bot: table_pb2.BotStrength.ValueType = NO_BOT  # that sits there
    away: bool = False  # whether a bot stands in for the person
    since: int = 0  # the version in which the person sat down; 0 for those who were there from the beginning
    commitment: bytes = b""  # to the contribution that is to be revealed
    missed: bool = False  # whether it was not revealed in time
    processes: tuple[bytes, ...] = ()  # of the service, through which the person is connected
    again: bool = False  # whether it is the person who had the seat at the table before

    @property
    def hides(self) -> bool:
        """Whether its contribution is still to be revealed."""
        return bool(self.commitment) and not self.contribution and not self.missed


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Seating:
    """All seats of a table, until one of them changes."""

    chairs: tuple[Chair, ...]
    names: Mapping[int, str]  # of the people at the seats; they stand beside the log, not in it

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The seats that nobody has."""
        return tuple(seat for seat, chair in enumerate(self.chairs, 1) if chair.kind == OPEN)

    @property
    def has_bots(self) -> bool:
        """Whether a bot plays for any seat."""
        return any(chair.bot or chair.away for chair in self.chairs)

    @property
    def anybody_connected(self) -> bool:
        """Whether a person is connected who plays for themselves."""
        return any(chair.processes and not chair.away for chair in self.chairs)

    @property
    def contributions(self) -> tuple[bytes, ...]:
        """What each seat adds to every shuffle."""
        return tuple(chair.contribution for chair in self.chairs)

    @property
    def commitments(self) -> tuple[bytes, ...]:
        """What each seat has committed itself to."""
        return tuple(chair.commitment for chair in self.chairs)

    @property
    def to_reveal(self) -> tuple[int, ...]:
        """The seats whose contributions are still to be revealed."""
        return tuple(seat for seat, chair in enumerate(self.chairs, 1) if chair.hides)

    @property
    def is_hiding(self) -> bool:
        """Whether all seats are taken and contributions are still to be revealed."""
        return bool(self.to_reveal) and not self.open_seats

    @property
    def has_missed(self) -> bool:
        """Whether any contribution was not revealed in time."""
        return any(chair.missed for chair in self.chairs)

    @property
    def is_joint(self) -> bool:
        """Whether every person, of whom there are some, has revealed what he had committed himself to."""
        people = [chair for chair in self.chairs if chair.kind == PERSON]
        return bool(people) and all(chair.commitment and chair.contribution for chair in people)

    def chair(self, seat: int) -> Chair:
        """Return one seat."""
        return self.chairs[seat - 1]

    def plays_by_bot(self, seat: int) -> bool:
        """Whether a bot plays for a seat."""
        chair = self.chairs[seat - 1]
        return chair.kind == BOT or chair.away


class NoSeat(Exception):
    """Somebody sits there, or there is no such seat."""


class ContributionUnfit(Exception):
    """The seat has committed itself to another contribution."""


def seated(created: entry_pb2.TableCreated, names: Mapping[int, str]) -> Seating:
    """Return the seats of a new table."""
    bots = {seated.seat: seated.bot for seated in created.bots}
    commitments = dict(enumerate(created.commitments, 1))

    def chair(seat: int, given: bytes) -> Chair:
        if seat in bots:
            return Chair(BOT, bot=bots[seat])
        kind = OPEN if seat in created.open_seats else PERSON
        return Chair(kind, given, commitment=commitments.get(seat, b""))

    return Seating(tuple(chair(seat, given) for seat, given in enumerate(created.contributions, 1)), names)


def take(seating: Seating, wanted: entry_pb2.TakeSeat) -> entry_pb2.SeatTaken:
    """Return who sits down where, or raise NoSeat."""
    free = seating.open_seats
    if not free or wanted.seat not in (ANY, *free):
        raise NoSeat
    seat, given, bound = wanted.seat or free[0], wanted.contribution, wanted.commitment
    return entry_pb2.SeatTaken(seat=seat, contribution=given, commitment=bound, again=wanted.again)


def reveal(seating: Seating, seat: int, contribution: bytes) -> entry_pb2.ContributionRevealed:
    """Return what a seat reveals, or raise ContributionUnfit."""
    if committed(contribution) != seating.chair(seat).commitment:
        raise ContributionUnfit
    return entry_pb2.ContributionRevealed(seat=seat, contribution=contribution)


def changed(seating: Seating, event: SeatEvent, version: int, *, forming: bool) -> Seating:
    """Return the seats after an event of a version, while seats are open or later."""
    chair = seating.chair(event.seat)
    match event:
        case entry_pb2.SeatTaken():
            chair = Chair(PERSON, event.contribution, since=version, commitment=event.commitment, again=event.again)
        case entry_pb2.BotSeated():
            chair = Chair(BOT, bot=event.bot)
        case entry_pb2.SeatLeft():
            chair = Chair(OPEN) if forming else chair._replace(away=True)
        case entry_pb2.SeatResumed():
            chair = chair._replace(away=False)
        case entry_pb2.PresenceNoted():
            others = tuple(process for process in chair.processes if process != event.process)
            chair = chair._replace(processes=(*others, event.process) if event.connected else others)
        case entry_pb2.ContributionRevealed():
            chair = chair._replace(contribution=event.contribution)
        case entry_pb2.ContributionMissed():
            chair = chair._replace(missed=True)
    return Seating(with_item(seating.chairs, event.seat - 1, chair), seating.names)
