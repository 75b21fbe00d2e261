"""The log: entries in order, appended only on the head they were decided on; and the log in memory."""

import hashlib
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Protocol

from service.lease import LAPSED_MAX, Lease
from service.shard import MemoryShard, shard
from service.sweep import Outage, Sweep


@dataclass(frozen=True, slots=True)
class Head:
    """Version and hash of a table's newest entry."""

    version: int
    hash: bytes

    def after(self, table_id: str, entry: bytes) -> "Head":
        """Return the head once the entry has been appended."""
        version = self.version + 1
        link = b"stammtisch/chain/1" + table_id.encode() + self.hash + version.to_bytes(8, "big") + entry
        return Head(version, hashlib.sha256(link).digest())

    def after_all(self, table_id: str, entries: Sequence[bytes]) -> "Head":
        """Return the head once all of the entries have been appended."""
        head = self
        for entry in entries:
            head = head.after(table_id, entry)
        return head


GENESIS = Head(0, bytes(32))

PAGE_ENTRIES = 500  # the most entries of a page …
PAGE_BYTES = 1 << 20  # … and the most bytes of all of them, though one entry always has room


class LogUnavailable(Exception):
    """The store cannot be reached. What was being appended may or may not have been written."""


@dataclass(frozen=True, slots=True)
class Append:
    """Consecutive entries, written together or not at all, and what is noted of the table in the same step.

    One without entries writes nothing into the log: if the head seen is the newest, it puts right what is noted.
    """

    table_id: str
    seen: Head  # what the entries were decided on
    entries: tuple[bytes, ...]
    head: Head  # what the table's head will be
    ends: bool = False  # whether the last entry ends the table
    names: Mapping[int, str] | None = None  # of the seats, with a table's first entry; kept beside the log
    due_ms: int | None = None  # when the table next has something to do by itself; None: never
    lobby: str | None = None  # the game in whose lobby the table stands if it is listed, or else no longer …
    listed: bool = False  # … since the time at which it was first; None: lobbies stay as they are
    now_ms: int = 0
    rematch_of: str = ""  # with a table's first entry: the table beside whose log it is noted as the rematch


@dataclass(frozen=True, slots=True)
class Committed:
    """The entries stand in the log."""

    told: int = field(default=0, compare=False)  # how many processes watch the table


@dataclass(frozen=True, slots=True)
class Behind:
    """Somebody wrote first: here is what the caller has not seen, or its first page. Nothing was written."""

    page: "Page"


@dataclass(frozen=True, slots=True)
class Forked:
    """The caller's head is not in this log: history changed. Nothing was written."""

    head: Head


@dataclass(frozen=True, slots=True)
class Ended:
    """The caller's head is the newest, and it has ended the table. Nothing was written."""


Outcome = Committed | Behind | Forked | Ended


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries, the first at `after` + 1, and the head of the whole log as it was when they were read."""

    after: int
    entries: tuple[bytes, ...]
    head: Head  # GENESIS where there is no such table


@dataclass(frozen=True, slots=True)
class Gap:
    """Pushes may have been lost: load what is missing."""


Push = Page | Gap

Place = tuple[int, str]  # in a lobby: since when a table is listed, and its id


class Log(Protocol):
    """What a table needs of its store. Everything may raise LogUnavailable."""

    async def append(self, append: Append) -> Outcome:
        """Write the entries and what is noted with them, if the table's head is still the one seen."""

    async def sweep(self, now_ms: int, late_ms: int, limit: int, since_ms: int) -> Sweep:
        """Leave a sign of life; return who is late by so much, at most so many a shard, and outages that ended since.

        A part of the store that does not answer is left out; what it finds later, a later sweep returns.
        """

    async def lobby(self, game: str, after: Place | None, limit: int) -> list[Place]:
        """Return since when which tables are listed, the longest first, and only those that come after one of them."""

    async def forget(self, table_id: str) -> bool:
        """Take an ended table out of the log; its id is never used again. False if it has not ended, or never was."""

    async def renew(self, leases: Collection[Lease], until_ms: int) -> None:
        """Let leases run until a time. Where a part of the store does not answer, all others are renewed."""

    async def lapsed(self, now_ms: int, again_ms: int) -> list[Lease]:
        """Return leases that have lapsed; nobody else is told of them before a later time."""

    async def release(self, lease: Lease, again_ms: int) -> None:
        """Forget a lease that had lapsed, unless it has been renewed since; `again_ms` is when others would be told."""

    async def read(self, table_id: str, after: int, limit: int) -> Page:
        """Return up to `limit` entries after a version, never more than a page holds: read on until its head."""

    async def names(self, table_id: str) -> Mapping[int, str]:
        """Return the names at the seats; empty where there are none."""

    async def rematch(self, table_id: str) -> str:
        """Return the table that was noted as the rematch of another; empty where there is none."""

    def watch(self, table_id: str, inbox: Callable[[Push], None]) -> AbstractAsyncContextManager[None]:
        """Push every append from now on, in order, into the inbox; entering returns once nothing can be missed."""


class MemoryLog:
    """The log of one process, for tests."""

    def __init__(self) -> None:
        self._entries: dict[str, list[bytes]] = defaultdict(list)
        self._heads: dict[str, Head] = {}
        self._ended: set[str] = set()
        self._names: dict[str, dict[int, str]] = defaultdict(dict)
        self._inboxes: dict[str, list[Callable[[Push], None]]] = defaultdict(list)
        self._leases: dict[Lease, int] = {}
        self._rematches: dict[str, str] = {}
        self._shards: dict[str, MemoryShard] = defaultdict(MemoryShard)

    async def append(self, append: Append) -> Outcome:
        """Write the entries if the table's head is still the one seen."""
        table_id, seen = append.table_id, append.seen
        head = self._heads.get(table_id, GENESIS)
        if seen.version < head.version:
            return Behind(await self.read(table_id, seen.version, PAGE_ENTRIES))
        if seen != head:
            return Forked(head)
        if table_id in self._ended and append.entries:
            return Ended()
        self._note(append)
        if append.entries:
            self._write(append)
        return Committed(len(self._inboxes[table_id]))

    def _note(self, append: Append) -> None:
        table_id, here = append.table_id, self._shards[shard(append.table_id)]
        here.arm(table_id, append.due_ms, append.now_ms)
        if append.lobby is not None:
            here.enlist(table_id, append.lobby, append.now_ms, listed=append.listed)
        if append.rematch_of in self._heads:
            self._rematches[append.rematch_of] = table_id

    def _write(self, append: Append) -> None:
        table_id = append.table_id
        self._entries[table_id].extend(append.entries)
        self._heads[table_id] = append.head
        if append.ends:
            self._ended.add(table_id)
        self._names[table_id].update(append.names or {})
        push = Page(append.seen.version, append.entries, append.head)
        for inbox in tuple(self._inboxes[table_id]):
            inbox(push)

    async def sweep(self, now_ms: int, late_ms: int, limit: int, since_ms: int) -> Sweep:
        """Leave a sign of life; return who is late by so much, and outages that ended since."""
        late: list[tuple[int, str]] = []
        outages: dict[str, tuple[Outage, ...]] = {}
        for name, here in self._shards.items():
            here.live(now_ms)
            late += here.late(now_ms - late_ms, limit)
            if found := here.outages(since_ms):
                outages[name] = found
        return Sweep(tuple(table_id for _, table_id in sorted(late)), outages)

    async def lobby(self, game: str, after: Place | None, limit: int) -> list[Place]:
        """Return since when which tables are listed, the longest first."""
        listed = (place for here in self._shards.values() for place in here.lobby(game))
        return sorted(place for place in listed if after is None or place > after)[:limit]

    async def forget(self, table_id: str) -> bool:
        """Take an ended table out of the log."""
        if table_id not in self._ended:
            return False
        for kept in (self._entries, self._heads, self._names):
            kept.pop(table_id, None)
        self._shards[shard(table_id)].arm(table_id, None, 0)
        return True

    async def renew(self, leases: Collection[Lease], until_ms: int) -> None:
        """Let leases run until a time."""
        self._leases.update(dict.fromkeys(leases, until_ms))

    async def lapsed(self, now_ms: int, again_ms: int) -> list[Lease]:
        """Return leases that have lapsed."""
        found = [lease for lease, until_ms in self._leases.items() if until_ms <= now_ms][:LAPSED_MAX]
        await self.renew(found, again_ms)
        return found

    async def release(self, lease: Lease, again_ms: int) -> None:
        """Forget a lease that had lapsed, unless it has been renewed since."""
        if self._leases.get(lease) == again_ms:
            del self._leases[lease]

    async def read(self, table_id: str, after: int, limit: int) -> Page:
        """Return up to `limit` entries after a version."""
        entries = self._entries.get(table_id, [])[after : after + min(limit, PAGE_ENTRIES)]
        sizes = accumulate(len(entry) for entry in entries)
        fitting = max(1, sum(size <= PAGE_BYTES for size in sizes))
        return Page(after, tuple(entries[:fitting]), self._heads.get(table_id, GENESIS))

    async def names(self, table_id: str) -> Mapping[int, str]:
        """Return the names at the seats; empty where there are none."""
        return dict(self._names.get(table_id, {}))

    async def rematch(self, table_id: str) -> str:
        """Return the table that was noted as the rematch of another; empty where there is none."""
        return self._rematches.get(table_id, "")

    @asynccontextmanager
    async def watch(self, table_id: str, inbox: Callable[[Push], None]) -> AsyncIterator[None]:
        """Push every append from now on, in order, into the inbox."""
        self._inboxes[table_id].append(inbox)
        try:
            yield
        finally:
            self._inboxes[table_id].remove(inbox)
