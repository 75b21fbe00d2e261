"""Guests: everybody who calls, with what they may see and how much they may take."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from google.protobuf import duration_pb2
from stammtisch.table.v1.table_pb2 import Closed

from service.api.attendance import Attendance
from service.api.errors import no_such_table
from service.api.frames import Frames
from service.api.inbox import Draining, Inbox, Overflow
from service.api.limits import ApiLimits, Buckets, Streams
from service.api.tokens import Caller, Tokens, may_see, seeing
from service.fold import Step, Table
from service.history import NoSuchTable
from service.live import Lost, Reset
from service.objections import TokenOutdated
from service.table import Tables, sits

RETRY_SECONDS = {  # the longest wait before watching again; each stream gets a random part of it, lest all come at once
    Closed.REASON_DRAINING: 2.0,
    Closed.REASON_LOG_UNAVAILABLE: 5.0,
    Closed.REASON_STREAM_TOO_OLD: 1.0,
}


class Guests:
    """What all services share: the tables, who may see them, and who is watching."""

    def __init__(
        self, tables: Tables, attendance: Attendance, tokens: Tokens, limits: ApiLimits, *, anybody_creates: bool
    ) -> None:
        self.tables = tables
        self.attendance = attendance
        self.tokens = tokens
        self.limits = limits
        self.anybody_creates = anybody_creates
        self.commands = Buckets(limits.commands_a_second, limits.command_burst)
        self.streams = Streams(limits.streams)
        self.frames = Frames()
        self._inboxes: set[Inbox] = set()
        self._draining = False

    async def look(self, caller: Caller, table_id: str, *, passing: bool = False) -> tuple[int | None, Table]:
        """Return the seat that a caller sees as, and the table; fail if it is not for the caller to see.

        Who is only passing, and does not stay to watch, sees a table that stands in the lobby too.
        """
        sitting = seeing(caller, table_id)
        try:
            table = await self.tables.look(table_id)
        except NoSuchTable:
            raise no_such_table() from None
        self.check_sight(caller, table, passing=passing)
        return sitting.seat if sitting else None, table

    def check_sight(self, caller: Caller, table: Table, *, passing: bool) -> None:
        """Fail if a table as it is now is not for a caller to see."""
        if not may_see(caller, spectators=table.charter.spectators or (passing and table.is_listed)):
            raise no_such_table()
        if not _sits(caller, table):
            raise TokenOutdated

    @contextmanager
    def inbox(self) -> Iterator[Inbox]:
        """Open an inbox, which will be told when this server is being replaced."""
        inbox = Inbox(self.limits.changes)
        if self._draining:
            inbox.put(Draining())
        self._inboxes.add(inbox)
        try:
            yield inbox
        finally:
            self._inboxes.discard(inbox)

    async def wait(self, table: Table, version: int, seconds: float) -> Table:
        """Wait until a table has come to a version, or cannot come to it any more, or the time is over."""
        deadline = asyncio.get_running_loop().time() + seconds
        with self.inbox() as inbox:
            async with self.tables.watch(table.charter.table_id, inbox.put) as watched:
                table = watched
                while table.head.version < version and not table.has_ended:
                    message = await inbox.next(deadline - asyncio.get_running_loop().time())
                    if message is None or isinstance(message, Draining | Lost):
                        break
                    table = message.table
        return table

    async def happenings(
        self, caller: Caller, table: Table, inbox: Inbox
    ) -> AsyncIterator[Step | Reset | Overflow | Closed | None]:
        """Return what happens after a table's version, None for a heartbeat, and last why there will be no more."""
        now = asyncio.get_running_loop().time
        ends = now() + self.limits.stream_seconds
        while not table.has_ended:
            if now() >= ends:
                yield closed(Closed.REASON_STREAM_TOO_OLD)
                return
            match await inbox.next(self.limits.heartbeat_seconds):
                case Draining():
                    yield closed(Closed.REASON_DRAINING)
                    return
                case Lost():
                    yield closed(Closed.REASON_LOG_UNAVAILABLE)
                    return
                case None:
                    yield None
                case happened:
                    table = happened.table
                    if not _sits(caller, table):  # the next who takes the seat is dealt cards there
                        yield closed(Closed.REASON_SEAT_LEFT)
                        return
                    yield happened
        yield closed(Closed.REASON_TABLE_ENDED)

    def drain(self) -> None:
        """Tell everybody who watches that this server is being replaced."""
        self._draining = True
        for inbox in self._inboxes:
            inbox.put(Draining())


def _sits(caller: Caller, table: Table) -> bool:
    """Whether a caller still has the seat that he comes with, if any."""
    sitting = seeing(caller, table.charter.table_id)
    return sitting is None or sits(table, sitting.seat, sitting.since)


def closed(reason: Closed.Reason.ValueType) -> Closed:
    """Return the last frame of a stream."""
    if reason not in RETRY_SECONDS:
        return Closed(reason=reason)
    milliseconds = random.randrange(100, int(RETRY_SECONDS[reason] * 1000))  # noqa: S311 - to spread the load
    wait = duration_pb2.Duration(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)
    return Closed(reason=reason, retry_after=wait)
