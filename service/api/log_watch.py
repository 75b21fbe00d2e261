"""LogWatch: the log as it is stored, and every entry to come."""

from collections.abc import AsyncIterator, Iterable

from stammtisch.table.v1.service_pb2 import LogEntry, LogReset, WatchLogResponse
from stammtisch.table.v1.table_pb2 import Closed, Heartbeat

from service.api.guests import Guests
from service.api.inbox import Overflow
from service.api.tokens import Caller
from service.fold import Step, Table
from service.live import Reset
from service.log import Head
from service.table import Tables


class LogWatch:
    """One stream of one table's log."""

    def __init__(self, guests: Guests, caller: Caller, table_id: str, after: int) -> None:
        self._guests = guests
        self._caller = caller
        self._table_id = table_id
        self._last = after  # the version of the last entry that was sent

    async def frames(self) -> AsyncIterator[WatchLogResponse]:
        """Return the entries there are, and what happens from then on."""
        with self._guests.inbox() as inbox:
            async with self._guests.tables.watch(self._table_id, inbox.put) as table:
                self._guests.check_sight(self._caller, table, passing=False)
                for frame in await self._first(table):
                    yield frame
                async for happening in self._guests.happenings(self._caller, table, inbox):
                    for frame in await self._happening(happening):
                        yield frame

    async def _first(self, table: Table) -> list[WatchLogResponse]:
        return await (self._missed() if self._last <= table.head.version else self._anew())

    async def _happening(self, happening: Step | Reset | Overflow | Closed | None) -> list[WatchLogResponse]:
        match happening:
            case None:
                return [WatchLogResponse(heartbeat=Heartbeat())]
            case Step():
                return self._new([_entry(happening.table.head, happening.data)])
            case Overflow():
                return await self._missed()
            case Reset():
                return await self._anew()
            case Closed():
                return [WatchLogResponse(closed=happening)]

    async def _missed(self) -> list[WatchLogResponse]:
        return self._new(await log_entries(self._guests.tables, self._table_id))

    async def _anew(self) -> list[WatchLogResponse]:
        self._last = 0
        return [WatchLogResponse(reset=LogReset(after=0)), *await self._missed()]

    def _new(self, entries: Iterable[LogEntry]) -> list[WatchLogResponse]:
        new = [entry for entry in entries if entry.version > self._last]
        if new:
            self._last = new[-1].version
        return [WatchLogResponse(entry=entry) for entry in new]


async def log_entries(tables: Tables, table_id: str) -> list[LogEntry]:
    """Return a table's whole log."""
    return [_entry(head, data) for head, data in await tables.log(table_id)]


def _entry(head: Head, data: bytes) -> LogEntry:
    return LogEntry(version=head.version, entry=data, hash=head.hash)
