"""Seating: who sits where, and who may sit down. It knows no game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from stammtisch.table.v1 import entry_pb2

from service.kit.tuples import with_item

ANY = 0  # instead of a seat: whichever is open


class Chair(NamedTuple):
    """One seat."""

    is_open: bool
    contribution: bytes


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Seating:
    """All seats of a table, until somebody sits down."""

    chairs: tuple[Chair, ...]
    names: Mapping[int, str]  # of the people at the seats; they stand beside the log, not in it

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The seats that nobody has."""
        return tuple(seat for seat, chair in enumerate(self.chairs, 1) if chair.is_open)

    @property
    def contributions(self) -> tuple[bytes, ...]:
        """What each seat adds to every shuffle."""
        return tuple(chair.contribution for chair in self.chairs)


class NoSeat(Exception):
    """Somebody sits there, or there is no such seat."""


def seated(created: entry_pb2.TableCreated, names: Mapping[int, str]) -> Seating:
    """Return the seats of a new table."""
    chairs = (Chair(seat in created.open_seats, given) for seat, given in enumerate(created.contributions, 1))
    return Seating(tuple(chairs), names)


def take(seating: Seating, wanted: entry_pb2.TakeSeat) -> entry_pb2.SeatTaken:
    """Return who sits down where, or raise NoSeat."""
    free = seating.open_seats
    if not free or wanted.seat not in (ANY, *free):
        raise NoSeat
    return entry_pb2.SeatTaken(seat=wanted.seat or free[0], contribution=wanted.contribution)


def taken(seating: Seating, event: entry_pb2.SeatTaken) -> Seating:
    """Return the seats after somebody sat down."""
    sitting = Chair(is_open=False, contribution=event.contribution)
    return Seating(with_item(seating.chairs, event.seat - 1, sitting), seating.names)
