"""Alarms: when this process looks at its tables again by itself."""

import asyncio
import time
from collections.abc import Callable

ALARMS_MAX = 100_000  # set at a time; what finds no room is found late, by the sweep …
AHEAD_MS = 3_600_000  # … and so is what is due later than that: by then, who knows who serves


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Alarms:
    """One alarm a table at most. What rings in no process, because it ended, is found by the sweeps of the others."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.now_ms = now_ms
        self._hear: Callable[[str], None] | None = None
        self._set: dict[str, asyncio.TimerHandle] = {}
        self._silent = False

    def listen(self, hear: Callable[[str], None]) -> None:
        """Say who is told of a table when its alarm rings."""
        self._hear = hear

    def set(self, table_id: str, at_ms: int | None) -> None:
        """Ring for a table at a time and at no other; None: not at all."""
        if alarm := self._set.pop(table_id, None):
            alarm.cancel()
        if at_ms is None or self._silent or len(self._set) >= ALARMS_MAX:
            return
        ahead_ms = max(0, at_ms - self.now_ms())
        if ahead_ms > AHEAD_MS:
            return
        self._set[table_id] = asyncio.get_running_loop().call_later(ahead_ms / 1000, self._rings, table_id)

    def silence(self) -> None:
        """Ring no more."""
        self._silent = True
        for alarm in self._set.values():
            alarm.cancel()
        self._set.clear()

    def _rings(self, table_id: str) -> None:
        del self._set[table_id]
        if self._hear:
            self._hear(table_id)
