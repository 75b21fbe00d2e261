"""A log that fails where a test tells it to, around a real one."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

from service.lease import Lease
from service.log import GENESIS, Append, Gap, LogUnavailable, MemoryLog, Outcome, Page, Place, Push
from service.sweep import Sweep


class FaultyLog:
    """A MemoryLog behind a bad network."""

    def __init__(self) -> None:
        self.store = MemoryLog()
        self.down = False  # nothing answers
        self.lost_appends = 0  # so many appends are not written
        self.lost_answers = 0  # so many appends are written without saying so
        self.deaf = False  # pushes get lost
        self.silent: frozenset[str] = frozenset()  # shards of which a sweep tells no outages
        self.appends = 0
        self.reads = 0
        self.asked = asyncio.Event()  # an append has arrived …
        self.gate = asyncio.Event()  # … and waits here
        self.gate.set()

    async def append(self, append: Append) -> Outcome:
        self.appends += 1
        self._check()
        self.asked.set()
        await self.gate.wait()
        if self.lost_appends:
            self.lost_appends -= 1
            raise LogUnavailable
        outcome = await self.store.append(append)
        if self.lost_answers:
            self.lost_answers -= 1
            raise LogUnavailable
        return outcome

    async def sweep(self, now_ms: int, late_ms: int, limit: int, since_ms: int) -> Sweep:
        self._check()
        return replace(await self.store.sweep(now_ms, late_ms, limit, since_ms), silent=self.silent)

    async def lobby(self, game: str, after: Place | None, limit: int) -> list[Place]:
        self._check()
        return await self.store.lobby(game, after, limit)

    async def forget(self, table_id: str) -> bool:
        self._check()
        return await self.store.forget(table_id)

    async def renew(self, leases: Collection[Lease], until_ms: int) -> None:
        self._check()
        await self.store.renew(leases, until_ms)

    async def lapsed(self, now_ms: int, again_ms: int) -> list[Lease]:
        self._check()
        return await self.store.lapsed(now_ms, again_ms)

    async def release(self, lease: Lease, again_ms: int) -> None:
        self._check()
        await self.store.release(lease, again_ms)

    async def read(self, table_id: str, after: int, limit: int) -> Page:
        self.reads += 1
        self._check()
        return await self.store.read(table_id, after, limit)

    async def names(self, table_id: str) -> Mapping[int, str]:
        self._check()
        return await self.store.names(table_id)

    async def rematch(self, table_id: str) -> str:
        self._check()
        return await self.store.rematch(table_id)

    @asynccontextmanager
    async def watch(self, table_id: str, inbox: Callable[[Push], None]) -> AsyncIterator[None]:
        self._check()
        async with self.store.watch(table_id, lambda push: None if self.deaf else inbox(push)):
            yield

    def entries(self, table_id: str) -> list[bytes]:
        """Return what is stored."""
        return list(self.store._entries[table_id])

    def inboxes(self, table_id: str) -> int:
        """Return how many subscriptions there are."""
        return len(self.store._inboxes[table_id])

    def push(self, table_id: str, push: Push) -> None:
        """Push something to everybody who watches."""
        for inbox in tuple(self.store._inboxes[table_id]):
            inbox(push)

    def announce_gap(self, table_id: str) -> None:
        """Say that pushes may have been lost."""
        self.push(table_id, Gap())

    def truncate(self, table_id: str, version: int) -> None:
        """Fail over to a replica that had not received the newest entries."""
        kept = self.entries(table_id)[:version]
        self.rewrite(table_id, kept)

    def rewrite(self, table_id: str, entries: list[bytes]) -> None:
        """Let the store hold other entries, with the head that fits them."""
        self.store._entries[table_id] = entries
        self.store._heads[table_id] = GENESIS.after_all(table_id, entries)
        self.store._ended.discard(table_id)

    def damage(self, table_id: str, version: int, data: bytes) -> None:
        """Let the store hold an entry that does not fit the head."""
        self.store._entries[table_id][version - 1] = data

    def delete(self, table_id: str) -> None:
        """Lose a table."""
        for held in (self.store._entries, self.store._heads, self.store._names):
            held.pop(table_id, None)
        self.store._ended.discard(table_id)

    def _check(self) -> None:
        if self.down:
            raise LogUnavailable
