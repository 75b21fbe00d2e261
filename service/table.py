"""Tables: the one place where rules meet log. Act, view, watch."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile
from typing import Any

from stammtisch.table.v1 import entry_pb2

from service.alarms import Alarms, now_ms
from service.draft import Draft, Founding, Sitting, found
from service.duty import DEFAULT_PATIENCE, Patience
from service.entry import Entry
from service.fold import CLOSED, FORMING, REVEALING, RulesUnknown, Step, Table
from service.fork import Position, position_after
from service.history import LogDamaged, NoSuchTable, last, steps, whole
from service.hosting import Idle
from service.kit.game import CHANCE, Refused
from service.live import Listener
from service.log import (
    GENESIS,
    Head,
    Log,
    Place,
)
from service.objections import (
    CannotNow,
    CommandIdReused,
    ContributionDiffers,
    NotEnded,
    NothingToDo,
    NotStarted,
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
from service.seating import ANY, OPEN, PERSON, ContributionUnfit, NoSeat
from service.shard import shard
from service.shelf import Shelf, TableLimits
from service.timekeeper import Timekeeper

RANDOM_CHARACTERS = 18  # of base32, 90 bits


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
        self._now_ms = now_ms
        alarms, outages = Alarms(now_ms), Outages()
        self.shelf = Shelf(log, keys, limits, patience, alarms, outages)
        self.time = Timekeeper(log, keys, self.shelf, alarms, outages, patience)

    async def create(self, creator: str, command_id: bytes, founding: Founding, position: Sequence[Any] = ()) -> Done:
        """Create a table, a fork with the events of its position, once for each creator and command id."""
        bits = self._keys.table_id_bits(creator, command_id)
        done = await self.shelf.shielded(self._create(_table_id(f"{bits[0]:02x}", bits), founding, position))
        if done.duplicate and not _founded_on(await self.look(done.table.charter.table_id), founding):
            raise CommandIdReused
        return done

    async def rematch(self, before: Table) -> Done:
        """Create the table at which those of an ended one play once more, once for each."""
        if not before.has_ended:
            raise NotEnded
        table_id = before.charter.table_id
        rematch_id = _table_id(shard(table_id), self._keys.rematch_id_bits(table_id))
        return await self.shelf.shielded(self._create(rematch_id, once_more(before)))

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
            self.time.check(draft.table, asked.seat, asked.arrived_ms)
            draft.add(asked.seat, asked.command_id, asked.command, game.decide(state, asked.seat, asked.command))
            draft.add_consequences()

        done = await self.shelf.shielded(self._once(table_id, asked, decide))
        # The log shows ids and commands: one who had the seat before could send them again, to be shown its cards.
        check_sitting(done.table, asked.seat, asked.since)
        return done

    async def join(self, table_id: str, command_id: bytes, wanted: entry_pb2.TakeSeat, name: str) -> Done:
        """Sit down, exactly once for each command id. The first entry says on which seat."""
        # Whoever knows the command id is given the seat's token again, so it must not be read from the log.
        noted = hashlib.sha256(b"stammtisch/join/1" + command_id).digest()[: len(command_id)]

        def decide(draft: Draft) -> None:
            draft.add_sitting_down(noted, wanted, name)
            draft.add_consequences()

        return await self.shelf.shielded(self._once(table_id, Asked(ANY, noted, wanted), decide))

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
            if isinstance(asked.command, entry_pb2.ReturnToSeat):  # or nobody would ever play for who does it for ever
                self.time.check(draft.table, asked.seat, asked.arrived_ms)
            draft.add_consequences()

        return await self.shelf.shielded(self._once(table_id, asked, decide))

    async def reveal(self, table_id: str, asked: Asked) -> Done:
        """Reveal what a seat has committed itself to, exactly once for each command id."""

        def decide(draft: Draft) -> None:
            check_sitting(draft.table, asked.seat, asked.since)
            if draft.table.status == FORMING:
                raise NotStarted
            self.time.check(draft.table, asked.seat, asked.arrived_ms)
            draft.add_own(asked.seat, asked.command_id, asked.command)
            draft.add_consequences()

        return await self.shelf.shielded(self._once(table_id, asked, decide))

    async def close(self, table_id: str, command_id: bytes, expected: int | None = None) -> Done:
        """End a table before its game ends."""

        def decide(draft: Draft) -> None:
            draft.add_end(CLOSED, (), command_id)

        asked = Asked(CHANCE, command_id, entry_pb2.EndTable(status=CLOSED), expected)
        return await self.shelf.shielded(self._once(table_id, asked, decide))

    async def look(self, table_id: str) -> Table:
        """Return the newest version of a table."""
        async with self.shelf.held(table_id) as live:
            table = await self.shelf.newest(live)
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

    async def look_back(self, table_id: str, version: int) -> Step:
        """Return how a table came to a version, or raise VersionUnknown."""
        entries, names = await whole(self._log, table_id), await self._log.names(table_id)
        if not 1 <= version <= len(entries):
            raise VersionUnknown(len(entries))
        return await last(table_id, entries[:version], self._keys, names)

    async def position(self, before: Table, version: int) -> Position:
        """Return where an ended table was at a version, or raise VersionUnknown or CannotFork."""
        if not before.has_ended:
            raise NotEnded
        if not 1 <= version <= before.head.version:
            raise VersionUnknown(before.head.version)
        return position_after((await self.steps(before.charter.table_id, 0))[:version])

    @asynccontextmanager
    async def watch(self, table_id: str, listener: Listener) -> AsyncIterator[Table]:
        """Tell a listener everything that happens after the table that entering returns."""
        live = self.shelf.live[table_id]
        try:
            async with self.shelf.held(table_id) as live:
                await self.shelf.follow(live)
                table = await self.shelf.newest(live)
                live.listeners.add(listener)
            yield table
        finally:
            live.listeners.discard(listener)
            if not live.listeners:
                _ = self.shelf.kept(self.shelf.unfollow(table_id))

    async def steps(self, table_id: str, after: int) -> list[Step]:
        """Return everything that happened at a table after a version."""
        return [step for step in await steps(self._log, table_id, self._keys) if step.entry.version > after]

    async def note_presence(self, table_id: str, process: bytes, there: Callable[[], Collection[Sitting]]) -> None:
        """Note who is connected through a process and who is no longer, if the table follows that."""
        await self.shelf.shielded(self._note_presence(table_id, process, there))

    async def _listed(self, table_id: str) -> Table | None:
        """Return a table if it can be joined. One that cannot even be read keeps no other out of the lobby."""
        try:
            table = await self.look(table_id)
        except (NoSuchTable, LogDamaged, RulesUnknown, SealBroken, UnknownKey):
            return None
        return table if table.is_listed else None

    async def _create(self, table_id: str, founding: Founding, position: Sequence[Any] = ()) -> Done:
        async with self.shelf.held(table_id) as live:
            try:
                await self.shelf.newest(live)
            except NoSuchTable:
                draft = found(table_id, founding, self._keys, self._now_ms(), position)
                if await self.shelf.append(live, draft):
                    return _done(draft.steps)
                await self.shelf.newest(live)
            return _done(await self._told(table_id, 1), duplicate=True)

    async def _once(self, table_id: str, asked: Asked, decide: Callable[[Draft], None]) -> Done:
        async with self.shelf.held(table_id) as live:
            if pause := live.way_of_others():
                await asyncio.sleep(pause)
            for _ in range(self.shelf.limits.conflicts):
                table = live.table or await self.shelf.newest(live)
                if version := table.commands.get(asked.command_id):
                    if done := await self._again(table_id, version, asked):
                        return done
                    await self.shelf.newest(live)
                    continue
                try:
                    draft = self._draft(table, asked, decide)
                except CannotNow:
                    if (await self.shelf.newest(live)).head == table.head:
                        raise
                    continue
                if await self.shelf.append(live, draft):
                    return _done(draft.steps)
        raise TooManyConflicts

    def _draft(self, table: Table, asked: Asked, decide: Callable[[Draft], None]) -> Draft:
        """Decide, or raise CannotNow."""
        if table.has_ended:
            raise TableEnded
        if asked.expected is not None and not 0 <= table.head.version - asked.expected <= table.presence.newest:
            raise Stale(table.head.version)
        if self.shelf.is_full(table) and not isinstance(asked.command, entry_pb2.EndTable):
            raise TableFull
        draft = Draft(table, asked.arrived_ms or self._now_ms())
        self.time.put_back_clocks(draft)
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

    async def _note_presence(self, table_id: str, process: bytes, there: Callable[[], Collection[Sitting]]) -> None:
        async with self.shelf.held(table_id) as live:
            table = (live.pushes and live.table) or await self.shelf.newest(live)
            for _ in range(self.shelf.limits.conflicts):
                draft = Draft(table, self._now_ms())
                draft.add_presence(process, there())  # as they are by now, so that whoever notes last is right
                if not draft.entries or await self.shelf.append(live, draft):
                    return
                table = live.table or await self.shelf.newest(live)
        raise TooManyConflicts

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


def check_sitting(table: Table, seat: int, since: int) -> None:
    """Fail unless whoever sat down in a version still has the seat."""
    if not sits(table, seat, since):
        raise TokenOutdated


def sits(table: Table, seat: int, since: int) -> bool:
    """Whether whoever sat down in a version still has the seat."""
    chair = table.seating.chair(seat)
    return chair.kind == PERSON and chair.since == since


def _done(steps: Sequence[Step], *, duplicate: bool = False) -> Done:
    return Done(steps[-1].table, tuple(step.entry for step in steps), duplicate)


def _founded_on(table: Table, founding: Founding) -> bool:
    charter, given = table.charter, table.charter.founded
    stayed = [seat for seat in charter.seats if _stayed(table, seat)]
    names = {seat: name for seat, name in founding.names.items() if seat not in stayed}
    names |= {seat: name for seat, name in table.seating.names.items() if seat in stayed}
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
        forked_from=charter.forked_from,
    )


def _stayed(table: Table, seat: int) -> bool:
    """Whether who was there when the table was founded still is. Who has left has taken his name along."""
    chair = table.seating.chair(seat)
    return chair.kind == table.charter.founded.chair(seat).kind != OPEN and not chair.since


def _table_id(shard: str, bits: bytes) -> str:
    return f"{shard}.{base64.b32encode(bits[1:]).decode().lower()[:RANDOM_CHARACTERS]}"
