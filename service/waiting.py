"""Waiting: since when a table has waited for each seat, and what time each has left."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from service.kit.tuples import with_item
from service.terms import Clock

NOBODY: Mapping[int, int] = MappingProxyType({})


class Waiting(NamedTuple):
    """What a table's clocks show. Times are milliseconds."""

    since: Mapping[int, int] = NOBODY  # by seat; empty where neither a clock nor a bot needs it
    left: tuple[int, ...] = ()  # of each seat's time per game, when the table last began to wait for it
    paused_until: int = 0  # the end of the last time for which all clocks stood still


def begun(clock: Clock | None, seats: int) -> Waiting:
    """Return what the clocks of a new table show."""
    return Waiting(left=(clock.per_game_ms,) * seats if clock and clock.per_game_ms else ())


def paid(waiting: Waiting, seat: int, now_ms: int, earned_ms: int) -> Waiting:
    """Take the time for which a seat has been waited for from what it had left, and add what it has earned."""
    left = max(0, waiting.left[seat - 1] - (now_ms - waiting.since[seat])) + earned_ms
    return waiting._replace(left=with_item(waiting.left, seat - 1, left), since={**waiting.since, seat: now_ms})


def waited(waiting: Waiting, seats: Collection[int], kept: Collection[int], now_ms: int) -> Waiting:
    """Wait for some seats from now on; for those kept, as long as before."""
    return waiting._replace(since={seat: waiting.since[seat] if seat in kept else now_ms for seat in seats})


def stood_still(waiting: Waiting, from_ms: int, to_ms: int) -> Waiting:
    """Stop all clocks for a time that has passed."""
    since = {seat: put_back(start, from_ms, to_ms) for seat, start in waiting.since.items()}
    return waiting._replace(since=since, paused_until=to_ms)


def put_back(since_ms: int, from_ms: int, to_ms: int) -> int:
    """Return since when something has run that stood still for a time."""
    return since_ms + max(0, to_ms - max(from_ms, since_ms))
