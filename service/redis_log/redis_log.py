"""RedisLog: the log in Redis or Valkey."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

import structlog

from service.lease import Lease
from service.log import (
    PAGE_BYTES,
    PAGE_ENTRIES,
    Append,
    Behind,
    Committed,
    Ended,
    Forked,
    Head,
    LogUnavailable,
    Outcome,
    Page,
    Place,
    Push,
)
from service.redis_log import keys, library
from service.redis_log.durability import Durability, durability
from service.redis_log.janitor import Janitor
from service.redis_log.leases import Leases
from service.redis_log.lobbies import Lobbies
from service.redis_log.node import Node
from service.redis_log.pushes import Pushes
from service.redis_log.settings import Settings
from service.redis_log.store import Store
from service.redis_log.sweeps import Sweeps
from service.redis_log.unfit import UnfitStore
from service.shard import shard
from service.sweep import Sweep

LOG = structlog.get_logger()


class RedisLog:
    """A table's entries in a stream, appended by one function call that compares the head first."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store = Store(settings)
        self._pushes = Pushes(self._store, settings)
        self._sweeps = Sweeps(self._store, settings)
        self._lobbies = Lobbies(self._store, settings)
        self._janitor = Janitor(settings, settings.janitor_url) if settings.janitor_url else None
        self._leases = Leases(self._store, settings)

    async def open(self) -> None:
        """Connect, and raise UnfitStore where this store must not be used."""
        try:
            await self._store.look()
            await self._check_format()
            await self._check_durability()
            self._pushes.open()
            for node in self._store.nodes:
                await self._sing(node)
            if self._janitor is not None:
                await self._janitor.open()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Return when every append sent has been answered and all connections are closed."""
        await self._pushes.close()
        await self._sweeps.close()
        if self._janitor is not None:
            await self._janitor.close()
        await self._store.close()

    async def durability(self) -> tuple[Durability, ...]:
        """Return the settings of every node that decide whether an acknowledged entry survives."""
        return tuple([await durability(node) for node in self._store.nodes])

    async def reachable(self) -> bool:
        """Return whether any node answers: what is away takes its own tables along, and no others."""
        answers = await asyncio.gather(*(durability(node) for node in self._store.nodes), return_exceptions=True)
        return not all(isinstance(answer, LogUnavailable) for answer in answers)

    async def append(self, append: Append) -> Outcome:
        """Write the entries if the table's head is still the one seen."""
        match await self._write(append):
            case [b"committed", told]:
                return Committed(told)
            case [b"behind", version, newest, entries]:
                return Behind(Page(append.seen.version, tuple(entries), Head(version, newest)))
            case [b"forked", version, newest]:
                return Forked(Head(version, newest))
            case [b"ended"]:
                return Ended()
            case answer:
                raise LogUnavailable(f"the store's function answers what it never should: {answer!r}")

    async def _write(self, append: Append) -> Any:
        table_id, names = append.table_id, append.names or {}
        here = shard(table_id)
        touched = [keys.entries(table_id), keys.head(table_id), keys.names(table_id)]
        touched += [keys.due(here), keys.alive(here), keys.lobby(here, append.lobby or "")]
        touched.append(keys.head(append.rematch_of or table_id))
        if self._settings.replica_wait is not None:
            touched.append(keys.head(keys.canary(here)))
        arguments: list[object] = [append.seen.version, append.seen.hash, append.head.hash]
        arguments += ["ended" if append.ends else "open", table_id, keys.channel(table_id), *_noted(append)]
        arguments += [
            PAGE_ENTRIES,
            PAGE_BYTES,
            len(names),
            *(word for seat in names.items() for word in seat),
            *append.entries,
        ]
        return await self._store.write(touched[0], "FCALL", library.APPEND, len(touched), *touched, *arguments)

    async def sweep(self, now_ms: int, late_ms: int, limit: int, since_ms: int) -> Sweep:
        """Leave a sign of life; return who is late by so much, and outages that ended since."""
        return await self._sweeps.sweep(now_ms, late_ms, limit, since_ms)

    async def lobby(self, game: str, after: Place | None, limit: int) -> list[Place]:
        """Return since when which tables are listed, the longest first, and only those that come after one of them."""
        return await self._lobbies.listed(game, after, limit)

    async def forget(self, table_id: str) -> bool:
        """Take an ended table out of the log; its id is never used again. False if it has not ended, or never was."""
        if self._janitor is None:
            raise UnfitStore("this log was opened without a user who may forget tables")
        return await self._janitor.forget(table_id)

    async def renew(self, leases: Collection[Lease], until_ms: int) -> None:
        """Let leases run until a time. Where a part of the store does not answer, all others are renewed."""
        await self._leases.renew(leases, until_ms)

    async def lapsed(self, now_ms: int, again_ms: int) -> list[Lease]:
        """Return leases that have lapsed; nobody else is told of them before a later time."""
        return await self._leases.lapsed(now_ms, again_ms)

    async def release(self, lease: Lease, again_ms: int) -> None:
        """Forget a lease that had lapsed, unless it has been renewed since; `again_ms` is when others would be told."""
        await self._leases.release(lease, again_ms)

    async def read(self, table_id: str, after: int, limit: int) -> Page:
        """Return up to `limit` entries after a version, never more than a page holds: read on until its head."""
        touched = (keys.entries(table_id), keys.head(table_id))
        bounds = (after, min(limit, PAGE_ENTRIES), PAGE_BYTES)
        version, newest, entries = await self._store.read(touched[0], "FCALL_RO", library.READ, 2, *touched, *bounds)
        return Page(after, tuple(entries), Head(version, newest))

    async def names(self, table_id: str) -> Mapping[int, str]:
        """Return the names at the seats; empty where there are none."""
        found = await self._store.read(keys.names(table_id), "HGETALL", keys.names(table_id))
        return {int(seat): name.decode() for seat, name in zip(found[::2], found[1::2], strict=True)}

    async def rematch(self, table_id: str) -> str:
        """Return the table that was noted as the rematch of another; empty where there is none."""
        (found,) = await self._store.read(keys.head(table_id), "HMGET", keys.head(table_id), "rematch")
        return (found or b"").decode()

    def watch(self, table_id: str, inbox: Callable[[Push], None]) -> AbstractAsyncContextManager[None]:
        """Push every append from now on, in order, into the inbox; entering returns once nothing can be missed."""
        return self._pushes.watch(table_id, inbox)

    async def _check_format(self) -> None:
        found = await self._store.read(keys.FORMAT, "GET", keys.FORMAT)
        if found is None:
            await self._store.write(keys.FORMAT, "SETNX", keys.FORMAT, library.FORMAT)
            found = await self._store.read(keys.FORMAT, "GET", keys.FORMAT)
        if found != library.FORMAT.encode():
            raise UnfitStore(
                f"the store holds format {found.decode()}, this program knows {library.FORMAT}: "
                "nothing was written, use the program that wrote it or another store"
            )

    async def _check_durability(self) -> None:
        weaknesses = {weakness for node in await self.durability() for weakness in node.weaknesses}
        for weakness in sorted(weaknesses):
            LOG.warning("the store may lose what it has acknowledged", why=weakness)
        if weaknesses and self._settings.strict:
            raise UnfitStore(f"the store may lose what it has acknowledged: {'; '.join(sorted(weaknesses))}")

    async def _sing(self, node: Node) -> None:
        """Do once at a node all that an append and a watcher do, so that a missing right shows now."""
        here = self._store.shard(node)
        if here is None:
            return
        canary = keys.canary(here)
        heard = asyncio.Event()
        async with self.watch(canary, lambda _push: heard.set()):
            touched = (keys.entries(canary), keys.head(canary), keys.due(here))
            await self._store.write(touched[0], "FCALL", library.CANARY, 3, *touched, keys.channel(canary), canary)
            try:
                await asyncio.wait_for(heard.wait(), self._settings.answer_timeout)
            except TimeoutError as error:
                raise UnfitStore("the store's pushes do not arrive: does its user may subscribe to t:*?") from error


def _noted(append: Append) -> tuple[object, ...]:
    due = "" if append.due_ms is None else append.due_ms
    listed = "" if append.lobby is None else "yes" if append.listed else "no"
    return due, listed, append.now_ms
