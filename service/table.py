"""Tables: the one place where rules meet log. Act, view, watch."""

import asyncio
import base64
import hashlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile
from typing import Any, TypeVar

import structlog
from stammtisch.table.v1 import entry_pb2

from service.entry import Entry
from service.fold import CLOSED, FORMING, Draft, Founding, Step, Table, found
from service.history import NoSuchTable, last, load, missing, replay, whole
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
    Push,
)
from service.objections import (
    CannotNow,
    CommandIdReused,
    NotStarted,
    RulesRefuse,
    SeatNotOpen,
    Stale,
    TableEnded,
    TableFull,
    TooManyConflicts,
    VersionUnknown,
    WrongGame,
)
from service.seal import MasterKeys
from service.seating import ANY, NoSeat

logger = structlog.get_logger()
Result = TypeVar("Result")

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


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a command."""

    table: Table
    entries: tuple[Entry, ...]  # the command's own, and those it brought about
    duplicate: bool


class Tables:
    """All tables of one store, as one process sees them."""

    def __init__(self, log: Log, keys: MasterKeys, limits: TableLimits) -> None:
        self._log = log
        self._keys = keys
        self._limits = limits
        self._live = LiveTables(limits.cached_tables, limits.cached_idle_seconds)
        self._tasks: set[asyncio.Task[Any]] = set()  # appends and repairs that outlive their callers

    async def create(self, creator: str, command_id: bytes, founding: Founding) -> Done:
        """Create a table, once for each creator and command id."""
        table_id = _table_id(self._keys.table_id_bits(creator, command_id))
        return await self._shielded(self._create(table_id, founding))

    async def act(self, table_id: str, asked: Asked) -> Done:
        """Do what a seat asks for, exactly once for each command id."""

        def decide(draft: Draft) -> None:
            game, state = draft.table.charter.game, draft.table.state
            if not isinstance(asked.command, game.commands):
                raise WrongGame(game.name)
            if draft.table.status == FORMING:
                raise NotStarted
            if draft.seen.version >= self._limits.entries:
                raise TableFull
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

    async def close(self, table_id: str, command_id: bytes, expected: int | None = None) -> Done:
        """End a table before its game ends."""

        def decide(draft: Draft) -> None:
            draft.add_end(CLOSED, (), command_id)

        asked = Asked(CHANCE, command_id, entry_pb2.EndTable(status=CLOSED), expected)
        return await self._shielded(self._once(table_id, asked, decide))

    async def look(self, table_id: str) -> Table:
        """Return the newest version of a table."""
        async with self._live.held(table_id) as live:
            return await self._newest(live)

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

    async def drain(self) -> None:
        """Wait for appends whose callers may have gone."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _create(self, table_id: str, founding: Founding) -> Done:
        async with self._live.held(table_id) as live:
            try:
                table = await self._newest(live)
            except NoSuchTable:
                draft = found(table_id, founding, self._keys, _now_ms())
                if await self._append(live, draft):
                    return _done(draft.steps)
                table = await self._newest(live)
            if not _founded_on(table, founding):
                raise CommandIdReused
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
                    draft = self._draft(table, asked.expected, decide)
                except CannotNow:
                    if (await self._newest(live)).head == table.head:
                        raise
                    continue
                if await self._append(live, draft):
                    return _done(draft.steps)
        raise TooManyConflicts

    def _draft(self, table: Table, expected: int | None, decide: Callable[[Draft], None]) -> Draft:
        """Decide, or raise CannotNow."""
        if table.has_ended:
            raise TableEnded
        if expected is not None and expected != table.head.version:
            raise Stale(table.head.version)
        draft = Draft(table, _now_ms())
        try:
            decide(draft)
        except Refused as refused:
            raise RulesRefuse(refused, table) from refused
        except NoSeat as refused:
            raise SeatNotOpen from refused
        return draft

    async def _append(self, live: Live, draft: Draft) -> bool:
        """Write a draft to the log; False if the table is another by now."""
        head, ends = draft.table.head, draft.table.has_ended
        append = Append(live.table_id, draft.seen, tuple(draft.entries), head, ends, draft.names)
        match await self._outcome(append):
            case Committed(told):
                live.adopt(draft, told)
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


def _done(steps: Sequence[Step], *, duplicate: bool = False) -> Done:
    return Done(steps[-1].table, tuple(step.entry for step in steps), duplicate)


def _note_untold(task: asyncio.Task[Any]) -> None:
    """Note what a caller who has hung up is not told any more."""
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.info("nobody was told", error=type(error).__name__)


def _founded_on(table: Table, founding: Founding) -> bool:
    charter = table.charter
    names = {seat: name for seat, name in table.seating.names.items() if seat not in charter.open_seats}
    return founding == Founding(
        charter.game, charter.options, charter.contributions, charter.spectators, names, charter.open_seats
    )


def _table_id(bits: bytes) -> str:
    return f"{bits[0]:02x}.{base64.b32encode(bits[1:]).decode().lower()[:RANDOM_CHARACTERS]}"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
