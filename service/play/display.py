"""Display: how far it is, on one line of a terminal or as a line for each table."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from service.play.door import Place
from service.play.tally import Tally

PAUSE_SECONDS = 0.1
CLEAR = "\r\x1b[K"


class Display:
    """Shows tables as they end."""

    def __init__(self, tally: Tally, tables: int, *, quiet: bool) -> None:
        self._tally = tally
        self._tables = tables
        self._quiet = quiet
        self._line = sys.stdout.isatty() and not quiet
        self._next = 0.0

    def finished(self, table_id: str, places: Sequence[Place]) -> None:
        """Show that a table has ended."""
        if self._line:
            return self._update()
        if not self._quiet:
            ranks = ", ".join(f"{place.rank}. seat {place.seat} ({place.score})" for place in places)
            print(f"{self._tally.tables} of {self._tables}: table {table_id}: {ranks or 'closed'}", flush=True)
        return None

    def _update(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PAUSE_SECONDS
            print(f"{CLEAR}{self._tally.tables} of {self._tables}: {self._tally.line()}", end="", flush=True)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Leave a clean line behind, however it ends."""
        try:
            yield
        finally:
            if self._line:
                print(CLEAR, end="", flush=True)
