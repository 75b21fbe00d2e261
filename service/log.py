"""The log: entries in order, appended only on the head they were decided on; and the log in memory."""

import hashlib
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Protocol


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
    """Consecutive entries, written together or not at all; none only asks whether the head seen is the newest."""

    table_id: str
    seen: Head  # what the entries were decided on
    entries: tuple[bytes, ...]
    head: Head  # what the table's head will be
    ends: bool = False  # whether the last entry ends the table
    names: Mapping[int, str] | None = None  # of the seats, with a table's first entry; kept beside the log


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


class Log(Protocol):
    """What a table needs of its store. Everything may raise LogUnavailable."""

    async def append(self, append: Append) -> Outcome:
        """Write the entries if the table's head is still the one seen."""

    async def read(self, table_id: str, after: int, limit: int) -> Page:
        """Return up to `limit` entries after a version, never more than a page holds: read on until its head."""

    async def names(self, table_id: str) -> Mapping[int, str]:
        """Return the names at the seats; empty where there are none."""

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

    async def append(self, append: Append) -> Outcome:
        """Write the entries if the table's head is still the one seen."""
        table_id, seen = append.table_id, append.seen
        head = self._heads.get(table_id, GENESIS)
        if seen.version < head.version:
            return Behind(await self.read(table_id, seen.version, PAGE_ENTRIES))
        if seen != head:
            return Forked(head)
        if table_id in self._ended:
            return Ended()
        if append.entries:
            self._write(append)
        return Committed(len(self._inboxes[table_id]))

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

    async def read(self, table_id: str, after: int, limit: int) -> Page:
        """Return up to `limit` entries after a version."""
        entries = self._entries.get(table_id, [])[after : after + min(limit, PAGE_ENTRIES)]
        sizes = accumulate(len(entry) for entry in entries)
        fitting = max(1, sum(size <= PAGE_BYTES for size in sizes))
        return Page(after, tuple(entries[:fitting]), self._heads.get(table_id, GENESIS))

    async def names(self, table_id: str) -> Mapping[int, str]:
        """Return the names at the seats; empty where there are none."""
        return dict(self._names.get(table_id, {}))

    @asynccontextmanager
    async def watch(self, table_id: str, inbox: Callable[[Push], None]) -> AsyncIterator[None]:
        """Push every append from now on, in order, into the inbox."""
        self._inboxes[table_id].append(inbox)
        try:
            yield
        finally:
            self._inboxes[table_id].remove(inbox)
