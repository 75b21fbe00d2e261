"""Shelf: the tables that this process holds, brought up to date and written back."""

import asyncio
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from service.alarms import Alarms
from service.draft import Draft
from service.duty import Patience, next_duty
from service.fold import FORMING, Table
from service.history import load, missing
from service.live import Live, LiveTables
from service.log import (
    GENESIS,
    Append,
    Behind,
    Committed,
    Ended,
    Forked,
    Head,
    Log,
    LogUnavailable,
    Outcome,
    Page,
    Push,
)
from service.objections import TableEnded
from service.outages import Outages
from service.seal import MasterKeys

logger = structlog.get_logger()
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class TableLimits:
    """What one process and one table may take."""

    cached_tables: int = 10_000
    cached_idle_seconds: float = 600
    entries: int = 20_000  # a table's log
    conflicts: int = 32  # tries of one command while others write first
    unknown_outcomes: int = 5  # tries of one append whose outcome is unknown
    unknown_pause_seconds: float = 0.05  # before the first such try; doubled each time


class Shelf:
    """One process's copies of tables. Whoever changes one has it to himself; the log decides between processes."""

    def __init__(  # noqa: PLR0913, PLR0917 -- all that there is of a process
        self, log: Log, keys: MasterKeys, limits: TableLimits, patience: Patience, alarms: Alarms, outages: Outages
    ) -> None:
        self._log = log
        self._keys = keys
        self.limits = limits
        self._patience = patience
        self._alarms = alarms
        self._outages = outages
        self.live = LiveTables(limits.cached_tables, limits.cached_idle_seconds)
        self._tasks: set[asyncio.Task[Any]] = set()  # appends and repairs that outlive their callers

    def held(self, table_id: str) -> AbstractAsyncContextManager[Live]:
        """Have a table to oneself."""
        return self.live.held(table_id)

    def is_full(self, table: Table) -> bool:
        """Whether a log is as long as it may be; notes of who is connected take none of its room."""
        return table.head.version - table.presence.notes >= self.limits.entries

    async def newest(self, live: Live) -> Table:
        """Bring a table up to its newest version. Needs its lock."""
        if live.table is None:
            return await self._load(live)
        known = live.table.head
        page = await missing(self._log, live.table_id, known.version)
        # Names are written with the entries that they belong to, so they must be read after these.
        names = await self._log.names(live.table_id) if live.table.status == FORMING else None
        if page.head.version < known.version or not live.receive(page, names):
            await self._reload(live, page.head)
        return live.table

    async def append(self, live: Live, draft: Draft) -> bool:
        """Write a draft to the log; False if the table is another by now."""
        table = draft.table
        duty = next_duty(table, self._patience)
        append = Append(
            live.table_id,
            draft.seen,
            tuple(draft.entries),
            table.head,
            ends=table.has_ended,
            names=draft.names,
            due_ms=duty and duty.at_ms,
            lobby=table.charter.game.name if table.charter.terms.listed else None,
            listed=table.is_listed,
            now_ms=draft.now_ms,
            rematch_of="" if draft.seen.version else table.charter.rematch_of,
        )
        match await self._outcome(append):
            case Committed(told):
                live.adopt(draft, told)
                self._alarms.set(live.table_id, append.due_ms)
                self._outages.doubt(live.table_id, self._alarms.now_ms() - append.now_ms)
                return True
            case Behind(page):
                if not live.receive(page):
                    await self.newest(live)
            case Forked(head):
                await self._reload(live, head)
            case Ended():
                raise TableEnded
        return False

    async def follow(self, live: Live) -> None:
        """Hear of everything that any process writes to a table. Needs its lock."""
        if live.pushes is None:
            stack = AsyncExitStack()
            await stack.enter_async_context(self._log.watch(live.table_id, lambda push: self._receive(live, push)))
            live.pushes = stack

    async def unfollow(self, table_id: str) -> None:
        """Hear of a table no longer, unless somebody listens again."""
        async with self.held(table_id) as live:
            if not live.listeners and live.pushes is not None:
                try:
                    await live.pushes.aclose()
                finally:
                    live.pushes = None

    async def tidy(self) -> None:
        """Forget idle tables, for ever."""
        while True:
            await asyncio.sleep(self.limits.cached_idle_seconds / 10)
            self.live.forget_idle()

    async def drain(self) -> None:
        """Do nothing by oneself any more, and wait for all that outlives its caller."""
        self._alarms.silence()
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def shielded(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Finish even if the caller hangs up: who is gone has not undone a move."""
        task = self.kept(coroutine)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_note_untold)
            raise

    def kept(self, coroutine: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Run something that nobody waits for; `drain` does."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _outcome(self, append: Append) -> Outcome:
        """Append until the outcome is known. The same append can be written only once, as its head is gone by then."""
        pause = self.limits.unknown_pause_seconds
        for _ in range(self.limits.unknown_outcomes - 1):
            try:
                return await self._log.append(append)
            except LogUnavailable:
                await asyncio.sleep(pause)
                pause *= 2
        return await self._log.append(append)

    async def _load(self, live: Live) -> Table:
        live.table = None
        table = await load(self._log, live.table_id, self._keys)
        live.take(table)
        return table

    async def _reload(self, live: Live, head: Head) -> None:
        """Take over the history that the store has now, which is not the one that this process knew."""
        if head != GENESIS or live.table is None or not live.table.has_ended:  # otherwise it was forgotten
            logger.error("history changed", table=live.table_id, version=head.version)
        await self._load(live)

    def _receive(self, live: Live, push: Push) -> None:
        with suppress(Exception):  # what cannot be folded here, the repair meets again and reports
            if isinstance(push, Page) and live.receive(push):
                return
        _ = self.kept(self._repair(live))

    async def _repair(self, live: Live) -> None:
        """Load what pushes did not bring, or tell everybody who listens that it cannot be had."""
        try:
            async with self.held(live.table_id):
                await self.newest(live)
        except Exception as error:
            logger.warning("table lost", table=live.table_id, error=type(error).__name__)
            live.lose()


def _note_untold(task: asyncio.Task[Any]) -> None:
    """Note what a caller who has hung up is not told any more."""
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.info("nobody was told", error=type(error).__name__)
