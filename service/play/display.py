"""Display: how far it is, on one line of a terminal or as a line for each table."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from service.play.door import Place
from service.play.tally import Tally

PAUSE_SECONDS = 0.1
CLEAR = "\r\x1b[K"


class Display:
    """Shows how far it is."""

    def __init__(self, tally: Tally, tables: int, *, quiet: bool) -> None:
        self._tally = tally
        self._tables = tables
        self._moving = sys.stdout.isatty() and not quiet
        self._printing = not sys.stdout.isatty() and not quiet

    def finished(self, table_id: str, places: Sequence[Place]) -> None:
        """Show that a table has ended."""
        if self._printing:
            ranks = ", ".join(f"{place.rank}. seat {place.seat} ({place.score})" for place in places)
            print(f"{self._tally.tables} of {self._tables}: table {table_id}: {ranks or 'closed'}", flush=True)

    @asynccontextmanager
    async def moving(self) -> AsyncIterator[None]:
        """Keep the line of a terminal up to date, and leave a clean one behind."""
        if not self._moving:
            yield
            return
        moving = asyncio.create_task(self._move())
        try:
            yield
        finally:
            moving.cancel()
            print(CLEAR, end="", flush=True)

    async def _move(self) -> None:
        while True:
            print(f"{CLEAR}of {self._tables}: {self._tally.line()}", end="", flush=True)
            await asyncio.sleep(PAUSE_SECONDS)
