"""Tables: the one place where rules meet log. Act, view, watch."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile
from typing import Any, TypeVar

import structlog
from stammtisch.table.v1 import entry_pb2

from service.alarms import Alarms, now_ms
from service.draft import Choose, Draft, Founding, Sitting, found
from service.duty import DEFAULT_PATIENCE, Duty, Patience, Task, next_duty
from service.entry import Entry
from service.fold import ABANDONED, CLOSED, EXPIRED, FORMING, REVEALING, RUNNING, RulesUnknown, Step, Table
from service.history import LogDamaged, NoSuchTable, last, load, missing, replay, whole
from service.hosting import Idle
from service.kit.game import CHANCE, Refused
from service.live import Listener, Live, LiveTables
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
    Place,
    Push,
)
from service.objections import (
    CannotNow,
    CommandIdReused,
    ContributionDiffers,
    NotEnded,
    NothingToDo,
    NotStarted,
    OutOfTime,
    RulesRefuse,
    SeatAway,
    SeatNotOpen,
    Stale,
    TableEnded,
    TableFull,
    TokenOutdated,
    TooManyConflicts,
    VersionUnknown,
    WrongGame,
)
from service.outages import Outages
from service.rematch import once_more
from service.seal import MasterKeys, SealBroken, UnknownKey
from service.seating import ANY, PERSON, ContributionUnfit, NoSeat
from service.shard import shard
from service.sights import chooser
from service.tale import Tale

logger = structlog.get_logger()
Result = TypeVar("Result")

SWEEP_SECONDS = 1.0  # between two looks at what is late
LATE_MS = 250  # past its time, what has an alarm in some process that works has been done
LATE_MAX = 100  # tables of a shard that one sweep takes up
ENDINGS = {Task.EXPIRE: EXPIRED, Task.ABANDON: ABANDONED}
TICKS_MAX = 64  # at work in one process at a time

RANDOM_CHARACTERS = 18  # of base32, 90 bits


@dataclass(frozen=True, slots=True)
class TableLimits:
    """What one process and one table may take."""

    cached_tables: int = 10_000
    cached_idle_seconds: float = 600
    entries: int = 20_000  # a table's log
    conflicts: int = 32  # tries of one command while others write first
    unknown_outcomes: int = 5  # tries of one append whose outcome is unknown
    unknown_pause_seconds: float = 0.05  # before the first such try; doubled each time


@dataclass(frozen=True, slots=True)
class Asked:
    """A command, and who gives it."""

    seat: int  # 0 for the table, and where the table decides who that will be
    command_id: bytes
    command: Any
    expected: int | None = None  # the version that the table must have
    arrived_ms: int | None = None  # when it came to this server; None: now
    since: int = 0  # the version in which the person sat down who asks


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a command."""

    table: Table
    entries: tuple[Entry, ...]  # the command's own, and those it brought about
    duplicate: bool


class Tables:
    """All tables of one store, as one process sees them."""

    def __init__(
        self,
        log: Log,
        keys: MasterKeys,
        limits: TableLimits,
        patience: Patience = DEFAULT_PATIENCE,
        now_ms: Callable[[], int] = now_ms,
    ) -> None:
        self._log = log
        self._keys = keys
        self._limits = limits
        self._patience = patience
        self._now_ms = now_ms
        self._alarms = Alarms(self._ring, now_ms)
        self._outages = Outages()
        self._ringing: set[str] = set()  # tables that have rung and not been looked at yet
        self._ticking = asyncio.Semaphore(TICKS_MAX)
        self._sweeping = asyncio.Lock()
        self._live = LiveTables(limits.cached_tables, limits.cached_idle_seconds)
        self._tasks: set[asyncio.Task[Any]] = set()  # appends and repairs that outlive their callers

    async def create(self, creator: str, command_id: bytes, founding: Founding) -> Done:
        """Create a table, once for each creator and command id."""
        bits = self._keys.table_id_bits(creator, command_id)
        done = await self._shielded(self._create(_table_id(f"{bits[0]:02x}", bits), founding))
        if done.duplicate and not _founded_on(done.table, founding):
            raise CommandIdReused
        return done

    async def rematch(self, before: Table) -> Done:
        """Create the table at which those of an ended one play once more, once for each."""
        if not before.has_ended:
            raise NotEnded
        table_id = before.charter.table_id
        rematch_id = _table_id(shard(table_id), self._keys.rematch_id_bits(table_id))
        return await self._shielded(self._create(rematch_id, once_more(before)))

    async def act(self, table_id: str, asked: Asked) -> Done:
        """Do what a seat asks for, exactly once for each command id."""

        def decide(draft: Draft) -> None:
            game, state = draft.table.charter.game, draft.table.state
            if not isinstance(asked.command, game.commands):
                raise WrongGame(game.name)
            if draft.table.status in (FORMING, REVEALING):
                raise NotStarted
            check_sitting(draft.table, asked.seat, asked.since)
            if draft.table.seating.chair(asked.seat).away:
                raise SeatAway
            self._check_time(draft, asked.seat)
            draft.add(asked.seat, asked.command_id, asked.command, game.decide(state, asked.seat, asked.command))
            draft.add_consequences()

        return await self._shielded(self._once(table_id, asked, decide))

    async def join(self, table_id: str, command_id: bytes, wanted: entry_pb2.TakeSeat, name: str) -> Done:
        """Sit down, exactly once for each command id. The first entry says on which seat."""
        # Whoever knows the command id is given the seat's token again, so it must not be read from the log.
        noted = hashlib.sha256(b"stammtisch/join/1" + command_id).digest()[: len(command_id)]

        def decide(draft: Draft) -> None:
            draft.add_sitting_down(noted, wanted, name)
            draft.add_consequences()

        return await self._shielded(self._once(table_id, Asked(ANY, noted, wanted), decide))

    async def rejoin(self, table_id: str, command_id: bytes, wanted: entry_pb2.TakeSeat, name: str) -> Done:
        """Sit down at a rematch where one sat before. Who sits there already is told of that again."""
        try:
            return await self.join(table_id, command_id, wanted, name)
        except CannotNow:
            chair = (await self.look(table_id)).seating.chair(wanted.seat)
            if not chair.again:
                raise
            return _done(await self._told(table_id, chair.since), duplicate=True)

    async def host(self, table_id: str, asked: Asked) -> Done:
        """Do what is the table's own: begin with bots, leave, come back. Exactly once for each command id."""

        def decide(draft: Draft) -> None:
            if asked.seat != CHANCE:
                check_sitting(draft.table, asked.seat, asked.since)
            if isinstance(asked.command, entry_pb2.LeaveSeat):
                draft.add_leaving(asked.seat, asked.command_id)
            else:
                draft.add_own(asked.seat, asked.command_id, asked.command)
            draft.add_consequences()

        return await self._shielded(self._once(table_id, asked, decide))

    async def reveal(self, table_id: str, asked: Asked) -> Done:
        """Reveal what a seat has committed itself to, exactly once for each command id."""

        def decide(draft: Draft) -> None:
            check_sitting(draft.table, asked.seat, asked.since)
            if draft.table.status == FORMING:
                raise NotStarted
            self._check_time(draft, asked.seat)
            draft.add_own(asked.seat, asked.command_id, asked.command)
            draft.add_consequences()

        return await self._shielded(self._once(table_id, asked, decide))

    async def close(self, table_id: str, command_id: bytes, expected: int | None = None) -> Done:
        """End a table before its game ends."""

        def decide(draft: Draft) -> None:
            draft.add_end(CLOSED, (), command_id)

        asked = Asked(CHANCE, command_id, entry_pb2.EndTable(status=CLOSED), expected)
        return await self._shielded(self._once(table_id, asked, decide))

    async def look(self, table_id: str) -> Table:
        """Return the newest version of a table."""
        async with self._live.held(table_id) as live:
            table = await self._newest(live)
        return table.followed(await self._log.rematch(table_id)) if table.has_ended else table

    async def listed(self, game: str, after: Place | None, limit: int) -> tuple[list[Table], Place | None]:
        """Return tables that people may join, and after which place there may be more; None where there are not."""
        places = await self._log.lobby(game, after, limit)
        tables = await asyncio.gather(*(self._listed(table_id) for _, table_id in places))
        return [table for table in tables if table is not None], places[-1] if len(places) == limit else None

    async def log(self, table_id: str) -> list[tuple[Head, bytes]]:
        """Return all entries as they are stored, each with the head that it led to."""
        entries = await whole(self._log, table_id)
        heads = accumulate(entries, lambda head, entry: head.after(table_id, entry), initial=GENESIS)
        return list(zip(islice(heads, 1, None), entries, strict=True))

    async def steps(self, table_id: str, after: int) -> list[Step]:
        """Return everything that happened at a table after a version."""
        entries, names = await whole(self._log, table_id), await self._log.names(table_id)
        replayed = replay(table_id, entries, self._keys, names)
        return [step async for step in replayed if step.entry.version > after]

    async def look_back(self, table_id: str, version: int) -> Step:
        """Return how a table came to a version, or raise VersionUnknown."""
        entries, names = await whole(self._log, table_id), await self._log.names(table_id)
        if not 1 <= version <= len(entries):
            raise VersionUnknown(len(entries))
        return await last(table_id, entries[:version], self._keys, names)

    @asynccontextmanager
    async def watch(self, table_id: str, listener: Listener) -> AsyncIterator[Table]:
        """Tell a listener everything that happens after the table that entering returns."""
        live = self._live[table_id]
        try:
            async with self._live.held(table_id) as live:
                await self._follow(live)
                table = await self._newest(live)
                live.listeners.add(listener)
            yield table
        finally:
            live.listeners.discard(listener)
            if not live.listeners:
                _ = self._kept(self._unfollow(table_id))

    async def tidy(self) -> None:
        """Forget idle tables, for ever."""
        while True:
            await asyncio.sleep(self._limits.cached_idle_seconds / 10)
            self._live.forget_idle()

    async def keep_time(self) -> None:
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
            self._ring(table_id)

    async def tick(self, table_id: str) -> None:
        """Do what a table has to do by itself now, if no other process has."""
        await self._shielded(self._tick(table_id))

    async def note_presence(self, table_id: str, process: bytes, there: Callable[[], Collection[Sitting]]) -> None:
        """Note who is connected through a process and who is no longer, if the table follows that."""
        await self._shielded(self._note_presence(table_id, process, there))

    async def drain(self) -> None:
        """Wait for appends whose callers may have gone."""
        self._alarms.silence()
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listed(self, table_id: str) -> Table | None:
        """Return a table if it can be joined. One that cannot even be read keeps no other out of the lobby."""
        try:
            table = await self.look(table_id)
        except (NoSuchTable, LogDamaged, RulesUnknown, SealBroken, UnknownKey):
            return None
        return table if table.is_listed else None

    async def _create(self, table_id: str, founding: Founding) -> Done:
        async with self._live.held(table_id) as live:
            try:
                await self._newest(live)
            except NoSuchTable:
                draft = found(table_id, founding, self._keys, self._now_ms())
                if await self._append(live, draft):
                    return _done(draft.steps)
                await self._newest(live)
            return _done(await self._told(table_id, 1), duplicate=True)

    async def _once(self, table_id: str, asked: Asked, decide: Callable[[Draft], None]) -> Done:
        async with self._live.held(table_id) as live:
            if pause := live.way_of_others():
                await asyncio.sleep(pause)
            for _ in range(self._limits.conflicts):
                table = live.table or await self._newest(live)
                if version := table.commands.get(asked.command_id):
                    if done := await self._again(table_id, version, asked):
                        return done
                    await self._newest(live)
                    continue
                try:
                    draft = self._draft(table, asked, decide)
                except CannotNow:
                    if (await self._newest(live)).head == table.head:
                        raise
                    continue
                if await self._append(live, draft):
                    return _done(draft.steps)
        raise TooManyConflicts

    def _draft(self, table: Table, asked: Asked, decide: Callable[[Draft], None]) -> Draft:
        """Decide, or raise CannotNow."""
        if table.has_ended:
            raise TableEnded
        if asked.expected is not None and not 0 <= table.head.version - asked.expected <= table.presence.newest:
            raise Stale(table.head.version)
        if self._is_full(table) and not isinstance(asked.command, entry_pb2.EndTable):
            raise TableFull
        draft = Draft(table, asked.arrived_ms or self._now_ms())
        self._put_back_clocks(draft)
        try:
            decide(draft)
        except Refused as refused:
            raise RulesRefuse(refused, table) from refused
        except NoSeat as refused:
            raise SeatNotOpen from refused
        except Idle as refused:
            raise NothingToDo from refused
        except ContributionUnfit as refused:
            raise ContributionDiffers from refused
        return draft

    def _is_full(self, table: Table) -> bool:
        """Whether a log is as long as it may be; notes of who is connected take none of its room."""
        return table.head.version - table.presence.notes >= self._limits.entries

    def _check_time(self, draft: Draft, seat: int) -> None:
        """Fail if a seat's time was over when its command came, unless the service may have been down meanwhile."""
        deadline = draft.table.deadline(seat)
        if deadline is None or (draft.table.charter.game.races and draft.table.status == RUNNING):
            return
        if deadline < min(draft.now_ms, self._outages.known_ms(draft.table.charter.table_id)):
            raise OutOfTime

    def _put_back_clocks(self, draft: Draft) -> None:
        for outage in self._outages.missed(draft.table):
            draft.add_pause(outage.began_ms, outage.ended_ms)

    async def _learn_outages(self, table_id: str, until_ms: int) -> None:
        """Make sure that all outages of a table are known, or raise LogUnavailable."""
        async with self._sweeping:
            if self._outages.known_ms(table_id) < until_ms:
                await self.sweep()
        if self._outages.known_ms(table_id) < until_ms:
            raise LogUnavailable("the store does not say whether anybody served this table; its clocks wait")

    def _ring(self, table_id: str) -> None:
        if table_id not in self._ringing:  # a sweep finds again what is still waiting for its turn
            self._ringing.add(table_id)
            _ = self._kept(self._tick_alone(table_id))

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
        async with self._live.held(table_id) as live:
            for _ in range(self._limits.conflicts):
                table = live.table or await self._newest(live)
                duty = next_duty(table, self._patience)
                if duty is not None and duty.task is Task.FORGET and duty.at_ms <= self._now_ms():
                    if await self._forget(live):
                        return
                    continue
                if duty is None or duty.at_ms > self._now_ms():
                    draft = Draft(table, self._now_ms())  # of nothing: it puts right when the table is due
                else:
                    draft = await self._draft_duty(live, table, duty)
                if await self._append(live, draft):
                    return
        raise TooManyConflicts

    async def _forget(self, live: Live) -> bool:
        """Take an ended table out of the log; False if history changed and it has not ended after all."""
        if await self._log.forget(live.table_id):
            live.table = None
            return True
        await self._newest(live)
        return False

    async def _draft_duty(self, live: Live, table: Table, duty: Duty) -> Draft:
        """Draft what a table has to do now. Where its clocks have to be put back first, that is all."""
        if duty.task in (Task.RUN_OUT, Task.MISS, Task.ABANDON):
            await self._learn_outages(live.table_id, duty.at_ms - self._patience.grace_ms)
        draft = Draft(table, self._now_ms())
        self._put_back_clocks(draft)
        if draft.entries:
            return draft
        if self._is_full(table):
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
                draft.add_bots_command(duty.seat, await self._chooser(live, draft.table))
            case Task.RUN_OUT:
                draft.add_run_out(duty.seat, await self._chooser(live, draft.table))
            case Task.MISS:
                draft.add_miss(duty.seat)
            case ending:
                raise AssertionError(f"{ending} is no entry that the game goes on after")

    async def _note_presence(self, table_id: str, process: bytes, there: Callable[[], Collection[Sitting]]) -> None:
        async with self._live.held(table_id) as live:
            table = (live.pushes and live.table) or await self._newest(live)
            for _ in range(self._limits.conflicts):
                draft = Draft(table, self._now_ms())
                draft.add_presence(process, there())  # as they are by now, so that whoever notes last is right
                if not draft.entries or await self._append(live, draft):
                    return
                table = live.table or await self._newest(live)
        raise TooManyConflicts

    async def _chooser(self, live: Live, table: Table) -> Choose:
        """Return what chooses for bots, who know what their seats have seen since the last deal."""
        if live.tale is None or live.tale.version != table.head.version:
            live.tale = Tale()
            for step in await self.steps(table.charter.table_id, 0):
                live.tale.add(step)
        return chooser(live.tale.events)

    async def _append(self, live: Live, draft: Draft) -> bool:
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
                return True
            case Behind(page):
                if not live.receive(page):
                    await self._newest(live)
            case Forked(head):
                await self._reload(live, head)
            case Ended():
                raise TableEnded
        return False

    async def _outcome(self, append: Append) -> Outcome:
        """Append until the outcome is known. The same append can be written only once, as its head is gone by then."""
        pause = self._limits.unknown_pause_seconds
        for _ in range(self._limits.unknown_outcomes - 1):
            try:
                return await self._log.append(append)
            except LogUnavailable:
                await asyncio.sleep(pause)
                pause *= 2
        return await self._log.append(append)

    async def _again(self, table_id: str, version: int, asked: Asked) -> Done | None:
        """Return what came of a command that was accepted before; None if history has lost it since."""
        told = await self._told(table_id, version)
        if not told or told[0].entry.command_id != asked.command_id:
            return None
        if asked.seat not in (ANY, told[0].entry.seat) or asked.command != told[0].entry.command:
            raise CommandIdReused
        return _done(told, duplicate=True)

    async def _told(self, table_id: str, version: int) -> list[Step]:
        """Return the step of a version, and those it brought about."""
        steps = await self.steps(table_id, version - 1)
        return [*steps[:1], *takewhile(lambda step: not step.entry.command_id, steps[1:])]

    async def _newest(self, live: Live) -> Table:
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

    async def _follow(self, live: Live) -> None:
        if live.pushes is None:
            stack = AsyncExitStack()
            await stack.enter_async_context(self._log.watch(live.table_id, lambda push: self._receive(live, push)))
            live.pushes = stack

    async def _unfollow(self, table_id: str) -> None:
        async with self._live.held(table_id) as live:
            if not live.listeners and live.pushes is not None:
                try:
                    await live.pushes.aclose()
                finally:
                    live.pushes = None

    def _receive(self, live: Live, push: Push) -> None:
        with suppress(Exception):  # what cannot be folded here, the repair meets again and reports
            if isinstance(push, Page) and live.receive(push):
                return
        _ = self._kept(self._repair(live))

    async def _repair(self, live: Live) -> None:
        """Load what pushes did not bring, or tell everybody who listens that it cannot be had."""
        try:
            async with self._live.held(live.table_id):
                await self._newest(live)
        except Exception as error:
            logger.warning("table lost", table=live.table_id, error=type(error).__name__)
            live.lose()

    async def _shielded(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Finish even if the caller hangs up: who is gone has not undone a move."""
        task = self._kept(coroutine)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_note_untold)
            raise

    def _kept(self, coroutine: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def check_sitting(table: Table, seat: int, since: int) -> None:
    """Fail unless whoever sat down in a version still has the seat."""
    chair = table.seating.chair(seat)
    if chair.kind != PERSON or chair.since != since:
        raise TokenOutdated


def _done(steps: Sequence[Step], *, duplicate: bool = False) -> Done:
    return Done(steps[-1].table, tuple(step.entry for step in steps), duplicate)


def _note_untold(task: asyncio.Task[Any]) -> None:
    """Note what a caller who has hung up is not told any more."""
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.info("nobody was told", error=type(error).__name__)


def _founded_on(table: Table, founding: Founding) -> bool:
    charter = table.charter
    given = charter.founded
    names = {seat: name for seat, name in table.seating.names.items() if seat not in given.open_seats}
    bots = {seat: chair.bot for seat, chair in enumerate(given.chairs, 1) if chair.bot}
    return founding == Founding(
        charter.game,
        charter.options,
        given.contributions,
        charter.spectators,
        names,
        given.open_seats,
        bots,
        charter.terms,
        commitments=given.commitments if charter.terms.revealing else (),
        rematch_of=charter.rematch_of,
    )


def _table_id(shard: str, bits: bytes) -> str:
    return f"{shard}.{base64.b32encode(bits[1:]).decode().lower()[:RANDOM_CHARACTERS]}"
