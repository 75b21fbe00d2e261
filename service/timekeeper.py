"""Timekeeper: does what tables have to do by themselves, when its time has come and no other process was faster."""

import asyncio
from contextlib import suppress

import structlog

from service.alarms import Alarms
from service.draft import Choose, Draft
from service.duty import Duty, Patience, Task, next_duty
from service.fold import ABANDONED, CLOSED, EXPIRED, RUNNING, Table
from service.history import NoSuchTable, steps
from service.live import Live
from service.log import GENESIS, Append, Log, LogUnavailable
from service.objections import OutOfTime, TooManyConflicts
from service.outages import Outages
from service.seal import MasterKeys
from service.shelf import Shelf
from service.sights import chooser
from service.tale import Tale

SWEEP_SECONDS = 1.0  # between two looks at what is late
LATE_MS = 250  # past its time, what has an alarm in some process that works has been done
LATE_MAX = 100  # tables of a shard that one sweep takes up
TICKS_MAX = 64  # at work in one process at a time
ENDINGS = {Task.EXPIRE: EXPIRED, Task.ABANDON: ABANDONED}

logger = structlog.get_logger()


class Timekeeper:
    """What one process knows of time: when tables are due, and when nobody served."""

    def __init__(  # noqa: PLR0913, PLR0917 -- all that there is of a process
        self, log: Log, keys: MasterKeys, shelf: Shelf, alarms: Alarms, outages: Outages, patience: Patience
    ) -> None:
        self._log = log
        self._keys = keys
        self._shelf = shelf
        self._patience = patience
        self._now_ms = alarms.now_ms
        self._outages = outages
        self._ringing: set[str] = set()  # tables that have rung and not been looked at yet
        self._ticking = asyncio.Semaphore(TICKS_MAX)
        self._sweeping = asyncio.Lock()
        alarms.listen(self.ring)

    async def keep(self) -> None:
        """Do what tables have to do by themselves and no process has done, for ever."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with suppress(LogUnavailable):
                await self.sweep()

    async def sweep(self) -> None:
        """Leave a sign of life, learn of outages, and do what is late."""
        now_ms = self._now_ms()
        sweep = await self._log.sweep(now_ms, LATE_MS, LATE_MAX, self._outages.unheard_ms)
        self._outages.learn(sweep, now_ms)
        for table_id in sweep.late:
            self.ring(table_id)

    async def tick(self, table_id: str) -> None:
        """Do what a table has to do by itself now, if no other process has."""
        await self._shelf.shielded(self._tick(table_id))

    def ring(self, table_id: str) -> None:
        """Look at a table as soon as there is room for it."""
        if table_id not in self._ringing:  # a sweep finds again what is still waiting for its turn
            self._ringing.add(table_id)
            _ = self._shelf.kept(self._tick_alone(table_id))

    def check(self, table: Table, seat: int, arrived_ms: int | None) -> None:
        """Fail if a seat's time was over when its command came, unless the service may have been down meanwhile."""
        deadline = table.deadline(seat)
        if deadline is None or (table.charter.game.races and table.status == RUNNING):
            return
        if deadline < min(arrived_ms or self._now_ms(), self._outages.known_ms(table.charter.table_id)):
            raise OutOfTime

    def put_back_clocks(self, draft: Draft) -> None:
        """Add the pauses that the table's clocks have missed."""
        for outage in self._outages.missed(draft.table):
            draft.add_pause(outage.began_ms, outage.ended_ms)

    async def _learn_outages(self, table_id: str, until_ms: int) -> None:
        """Make sure that all outages of a table are known, or raise LogUnavailable."""
        async with self._sweeping:
            if self._outages.known_ms(table_id) < until_ms:
                await self.sweep()
        if self._outages.known_ms(table_id) < until_ms:
            raise LogUnavailable("the store does not say whether anybody served this table; its clocks wait")

    async def _tick_alone(self, table_id: str) -> None:
        """Tick for nobody who could be told. What fails now is found again by a sweep."""
        async with self._ticking:
            try:
                await self._tick(table_id)
            except NoSuchTable:
                await self._log.append(Append(table_id, GENESIS, (), GENESIS))  # it is not due at all
            except Exception as error:
                logger.warning("a table could not do what was due", table=table_id, error=type(error).__name__)
            finally:
                self._ringing.discard(table_id)

    async def _tick(self, table_id: str) -> None:
        async with self._shelf.held(table_id) as live:
            for _ in range(self._shelf.limits.conflicts):
                table = live.table or await self._shelf.newest(live)
                duty = next_duty(table, self._patience)
                if duty is not None and duty.task is Task.FORGET and duty.at_ms <= self._now_ms():
                    if await self._forget(live):
                        return
                    continue
                if duty is None or duty.at_ms > self._now_ms():
                    draft = Draft(table, self._now_ms())  # of nothing: it puts right when the table is due
                else:
                    draft = await self._draft_duty(live, table, duty)
                if await self._shelf.append(live, draft):
                    return
        raise TooManyConflicts

    async def _forget(self, live: Live) -> bool:
        """Take an ended table out of the log; False if history changed and it has not ended after all."""
        if await self._log.forget(live.table_id):
            live.table = None
            return True
        await self._shelf.newest(live)
        return False

    async def _draft_duty(self, live: Live, table: Table, duty: Duty) -> Draft:
        """Draft what a table has to do now. Where its clocks have to be put back first, that is all."""
        if duty.task in (Task.RUN_OUT, Task.MISS, Task.ABANDON):
            await self._learn_outages(live.table_id, duty.at_ms - self._patience.grace_ms)
        draft = Draft(table, self._now_ms())
        self.put_back_clocks(draft)
        if draft.entries:
            return draft
        if self._shelf.is_full(table):
            draft.add_end_by_itself(CLOSED)
        elif duty.task in ENDINGS:
            draft.add_end_by_itself(ENDINGS[duty.task])
        else:
            await self._do(draft, live, duty)
            draft.add_consequences()
        return draft

    async def _do(self, draft: Draft, live: Live, duty: Duty) -> None:
        match duty.task:
            case Task.PLAY:
                draft.add_bots_command(duty.seat, await self._chooser(live, draft))
            case Task.RUN_OUT:
                draft.add_run_out(duty.seat)
                if draft.table.owed:
                    draft.add_bots_command(duty.seat, await self._chooser(live, draft))
            case Task.MISS:
                draft.add_miss(duty.seat)
            case ending:
                raise AssertionError(f"{ending} is no entry that the game goes on after")

    async def _chooser(self, live: Live, draft: Draft) -> Choose:
        """Return what chooses for bots, who know what their seats had seen since the last deal."""
        if live.tale is None or live.tale.version != draft.seen.version:
            live.tale = Tale()
            for step in await steps(self._log, live.table_id, self._keys):
                live.tale.add(step)
        return chooser(live.tale.events)
