"""Contributions: what people add to every shuffle, checked where it comes in."""

from collections.abc import Sequence
from typing import Protocol

from stammtisch.table.v1 import table_pb2

from service.api.errors import invalid
from service.draw import COMMITMENT_BYTES, CONTRIBUTION_BYTES
from service.terms import Terms

PERSON = (table_pb2.SEAT_KIND_UNSPECIFIED, table_pb2.SEAT_KIND_PERSON)


class SitsDown(Protocol):
    """A request of somebody who sits down."""

    contribution: bytes
    commitment: bytes


def contributions(seats: Sequence[table_pb2.NewSeat], terms: Terms) -> tuple[bytes, ...]:
    """Return what the seats of a new table add to every shuffle, as far as it is known already."""
    for index, seat in enumerate(seats):
        if seat.kind in PERSON:
            check(f"seats[{index}].", seat, terms)
    return tuple(seat.contribution for seat in seats)


def commitments(seats: Sequence[table_pb2.NewSeat], terms: Terms) -> tuple[bytes, ...]:
    """Return what the seats of a new table commit themselves to, where that is done."""
    return tuple(seat.commitment for seat in seats) if terms.revealing else ()


def check(path: str, person: SitsDown, terms: Terms) -> None:
    """Fail unless a person who sits down contributes in the way of the terms."""
    if terms.revealing is None:
        _check_given(path, person)
    else:
        _check_committed(path, person)


def revealed(path: str, value: bytes) -> bytes:
    """Return a contribution that somebody reveals."""
    if len(value) != CONTRIBUTION_BYTES:
        raise invalid(path, f"Send the {CONTRIBUTION_BYTES} bytes that your seat has committed itself to.")
    return value


def _check_given(path: str, person: SitsDown) -> None:
    if person.commitment:
        raise invalid(f"{path}commitment", "At this table nothing is revealed later: send a contribution, or nothing.")
    if len(person.contribution) not in {0, CONTRIBUTION_BYTES}:
        raise invalid(f"{path}contribution", f"Send {CONTRIBUTION_BYTES} random bytes, or nothing.")


def _check_committed(path: str, person: SitsDown) -> None:
    if person.contribution:
        raise invalid(f"{path}contribution", "Keep it until all have committed themselves: send its commitment alone.")
    if len(person.commitment) != COMMITMENT_BYTES:
        raise invalid(
            f"{path}commitment",
            "Send SHA-256 of `stammtisch/contribution/1` and 32 random bytes, and keep these to reveal them.",
        )
