"""Attendance: who watches tables through this process, and what is to be noted of that."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import structlog

from service.alarms import now_ms
from service.api.tokens import Seated
from service.draft import Sitting
from service.fold import Table
from service.history import NoSuchTable
from service.lease import Lease
from service.log import Log, LogUnavailable
from service.presence import PROCESS_BYTES
from service.table import Tables

logger = structlog.get_logger()

GRACE_SECONDS = 10.0
LEASE_SECONDS = 60.0
BEATS_A_LEASE = 3  # so often a lease is renewed before it would lapse
NOTING_MAX = 64  # notes at work in one process at a time


class Attendance:
    """Notes who has come at once, and who has gone a little later: most are back by then, here or elsewhere.

    A process that dies, or is replaced, notes nothing more. Its leases lapse, and others do it.
    """

    def __init__(
        self,
        tables: Tables,
        log: Log,
        grace_seconds: float = GRACE_SECONDS,
        lease_seconds: float = LEASE_SECONDS,
        now_ms: Callable[[], int] = now_ms,
    ) -> None:
        self._tables = tables
        self._log = log
        self._grace_seconds = grace_seconds
        self._lease_seconds = lease_seconds
        self._now_ms = now_ms
        self._process = secrets.token_bytes(PROCESS_BYTES)
        self._here: dict[str, Counter[Sitting]] = {}  # by table; who has just gone is there with no stream
        self._going: dict[Seated, asyncio.TimerHandle] = {}
        self._noting = asyncio.Semaphore(NOTING_MAX)
        self._tasks: set[asyncio.Task[Any]] = set()

    @contextmanager
    def of(self, sitting: Seated | None, table: Table) -> Iterator[None]:
        """Have a seat's person here while a stream is open, if the table follows that."""
        if sitting is None or not table.follows_presence:
            yield
            return
        self._come(sitting)
        try:
            yield
        finally:
            self._leave(sitting)

    async def keep(self) -> None:
        """Keep up with those who are here, and with processes that have died, for ever."""
        while True:
            await asyncio.sleep(self._lease_seconds / BEATS_A_LEASE)
            await self.beat()

    async def beat(self) -> None:
        """Renew this process's leases, note what could not be noted before, and see to leases that have lapsed."""
        with suppress(LogUnavailable):  # the next beat comes long before a lease lapses
            await self._renew(self._here)
        await asyncio.gather(*(self._note(Lease(table_id, self._process)) for table_id in tuple(self._here)))
        again_ms = self._now_ms() + int(self._lease_seconds * 1000 / BEATS_A_LEASE)
        with suppress(LogUnavailable):
            lapsed = await self._log.lapsed(self._now_ms(), again_ms)
            await asyncio.gather(*(self._see_to(lease, again_ms) for lease in lapsed))

    async def close(self) -> None:
        """Leave it to others to note who is gone, once all have had the time to come back elsewhere."""
        for going in self._going.values():
            going.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._lease_seconds = self._grace_seconds
        with suppress(LogUnavailable):  # then the leases run a little longer
            await self._renew(self._here)

    def _come(self, sitting: Seated) -> None:
        if going := self._going.pop(sitting, None):
            going.cancel()
        here = self._here.setdefault(sitting.table_id, Counter())
        here[_sitting(sitting)] += 1
        if here[_sitting(sitting)] == 1:
            self._spawn(self._note_arrival(sitting.table_id))

    def _leave(self, sitting: Seated) -> None:
        here = self._here[sitting.table_id]
        here[_sitting(sitting)] -= 1
        if not here[_sitting(sitting)]:
            loop = asyncio.get_running_loop()
            self._going[sitting] = loop.call_later(self._grace_seconds, self._be_gone, sitting)

    def _be_gone(self, sitting: Seated) -> None:
        del self._going[sitting]
        here = self._here[sitting.table_id]
        del here[_sitting(sitting)]
        if not here:
            del self._here[sitting.table_id]
        self._spawn(self._note(Lease(sitting.table_id, self._process)))

    async def _note_arrival(self, table_id: str) -> None:
        with suppress(LogUnavailable):  # the next beat tries again
            await self._renew([table_id])  # before the log says anything that would have to be taken back
            await self._note(Lease(table_id, self._process))

    async def _note(self, lease: Lease) -> bool:
        """Note who is connected under a lease. False if that was not possible: a later beat does it."""
        try:
            async with self._noting:
                await self._tables.note_presence(*lease, lambda: self._connected(lease))
        except NoSuchTable:
            return True
        except Exception as error:
            logger.warning("it could not be noted who is connected", table=lease.table_id, error=type(error).__name__)
            return False
        return True

    async def _see_to(self, lease: Lease, again_ms: int) -> None:
        if await self._note(lease):
            await self._log.release(lease, again_ms)

    async def _renew(self, table_ids: Collection[str]) -> None:
        until_ms = self._now_ms() + int(self._lease_seconds * 1000)
        await self._log.renew([Lease(table_id, self._process) for table_id in table_ids], until_ms)

    def _connected(self, lease: Lease) -> Collection[Sitting]:
        """Return who is connected under a lease: nobody, if it is another process's."""
        here = self._here.get(lease.table_id)
        return here.keys() if here and lease.process == self._process else ()

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _sitting(sitting: Seated) -> Sitting:
    return sitting.seat, sitting.since
