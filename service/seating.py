"""Seating: who sits where, who may sit down, and whom a bot stands in for. It knows no game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from stammtisch.table.v1 import entry_pb2, table_pb2

from service.kit.tuples import with_item

ANY = 0  # instead of a seat: whichever is open
OPEN, PERSON, BOT = table_pb2.SEAT_KIND_OPEN, table_pb2.SEAT_KIND_PERSON, table_pb2.SEAT_KIND_BOT
NO_BOT = table_pb2.BOT_STRENGTH_UNSPECIFIED

SeatEvent = (
    entry_pb2.SeatTaken | entry_pb2.SeatLeft | entry_pb2.SeatResumed | entry_pb2.BotSeated | entry_pb2.PresenceNoted
)


class Chair(NamedTuple):
    """One seat."""

    kind: table_pb2.SeatKind.ValueType
    contribution: bytes = b""
    bot: table_pb2.BotStrength.ValueType = NO_BOT  # that sits there
    away: bool = False  # whether a bot stands in for the person
    since: int = 0  # the version in which the person sat down; 0 for those who were there from the beginning
    processes: tuple[bytes, ...] = ()  # of the service, through which the person is connected


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

    def chair(self, seat: int) -> Chair:
        """Return one seat."""
        return self.chairs[seat - 1]

    def plays_by_bot(self, seat: int) -> bool:
        """Whether a bot plays for a seat."""
        chair = self.chairs[seat - 1]
        return chair.kind == BOT or chair.away


class NoSeat(Exception):
    """Somebody sits there, or there is no such seat."""


def seated(created: entry_pb2.TableCreated, names: Mapping[int, str]) -> Seating:
    """Return the seats of a new table."""
    bots = {seated.seat: seated.bot for seated in created.bots}

    def chair(seat: int, given: bytes) -> Chair:
        if seat in bots:
            return Chair(BOT, bot=bots[seat])
        return Chair(OPEN if seat in created.open_seats else PERSON, given)

    return Seating(tuple(chair(seat, given) for seat, given in enumerate(created.contributions, 1)), names)


def take(seating: Seating, wanted: entry_pb2.TakeSeat) -> entry_pb2.SeatTaken:
    """Return who sits down where, or raise NoSeat."""
    free = seating.open_seats
    if not free or wanted.seat not in (ANY, *free):
        raise NoSeat
    return entry_pb2.SeatTaken(seat=wanted.seat or free[0], contribution=wanted.contribution)


def changed(seating: Seating, event: SeatEvent, version: int, *, began: bool) -> Seating:
    """Return the seats after an event of a version, before or after the game began."""
    chair = seating.chair(event.seat)
    match event:
        case entry_pb2.SeatTaken():
            chair = Chair(PERSON, event.contribution, since=version)
        case entry_pb2.BotSeated():
            chair = Chair(BOT, bot=event.bot)
        case entry_pb2.SeatLeft():
            chair = chair._replace(away=True) if began else Chair(OPEN)
        case entry_pb2.SeatResumed():
            chair = chair._replace(away=False)
        case entry_pb2.PresenceNoted():
            others = tuple(process for process in chair.processes if process != event.process)
            chair = chair._replace(processes=(*others, event.process) if event.connected else others)
    return Seating(with_item(seating.chairs, event.seat - 1, chair), seating.names)
