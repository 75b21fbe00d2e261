"""Seats: counted from 1, clockwise."""


def next_seat(seat: int, seats: int) -> int:
    """Return the left neighbour."""
    return seat % seats + 1
