"""Tally: what has been played so far."""

import time
from collections import Counter
from collections.abc import Sequence

from stammtisch import StammtischError

from service.play.door import Place


class Tally:
    """Counts tables, commands and points."""

    def __init__(self) -> None:
        self.tables = 0
        self.commands = 0
        self.refusals = 0
        self.retries = 0
        self.wins: Counter[int] = Counter()
        self.points: Counter[int] = Counter()
        self._started = time.monotonic()

    def retried(self, _error: StammtischError) -> None:
        """Count a request that was sent again."""
        self.retries += 1

    def finished(self, places: Sequence[Place]) -> None:
        """Count a table that has ended."""
        self.tables += 1
        for place in places:
            self.wins[place.seat] += place.rank == 1
            self.points[place.seat] += place.score

    def line(self) -> str:
        """Return all counts in a line."""
        seconds = time.monotonic() - self._started
        return (
            f"{_many(self.tables, 'table')}, {_many(self.commands, 'command')} in {seconds:.1f} s "
            f"({self.commands / seconds:,.0f} a second), "
            f"{_many(self.refusals, 'refusal')}, {_many(self.retries, 'retry', 'retries')}"
        )

    def standing(self) -> list[str]:
        """Return a line for each seat, the best first."""
        best = sorted(self.points, key=lambda seat: (-self.wins[seat], -self.points[seat], seat))
        return [f"  seat {seat}: {_many(self.wins[seat], 'win')}, {_many(self.points[seat], 'point')}" for seat in best]


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"
