"""Pushes: what is appended to watched tables, as it happens, from whichever node."""

import asyncio
import struct
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import Context

import structlog
from redis.exceptions import RedisError

from service.log import GENESIS, Gap, Head, LogUnavailable, Page, Push
from service.redis_log import keys
from service.redis_log.node import Node
from service.redis_log.settings import Settings
from service.redis_log.store import Store
from service.redis_log.subscriber import Subscriber
from service.redis_log.watched import Watched

LOG = structlog.get_logger()


class Pushes:
    """One subscriber a node; where it may have missed something, the inboxes get a Gap."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._watched: dict[str, Watched] = {}
        self._subscribers: dict[Node, Subscriber] = {}
        self._mending: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to compare heads."""
        self._looking = asyncio.create_task(self._look_for_ever(), context=Context())

    async def close(self) -> None:
        """Push nothing any more."""
        tasks = [task for task in (self._mending, self._looking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        subscribers, self._subscribers = self._subscribers, {}
        for subscriber in subscribers.values():
            await subscriber.close()

    @asynccontextmanager
    async def watch(self, table_id: str, inbox: Callable[[Push], None]) -> AsyncIterator[None]:
        """Push every append from now on, in order, into the inbox."""
        watched = self._watched.setdefault(table_id, Watched(table_id))
        watched.inboxes.append(inbox)
        try:
            await self._begin(watched)
            yield
        finally:
            watched.inboxes.remove(inbox)
            if not watched.inboxes:
                del self._watched[table_id]
                await self._unsubscribe(table_id)

    async def _begin(self, watched: Watched) -> None:
        try:
            async with asyncio.timeout(self._settings.answer_timeout):
                await self._subscribe(watched)
        except TimeoutError as error:
            raise LogUnavailable("the store did not acknowledge a subscription in time; try again later") from error

    async def _subscribe(self, watched: Watched) -> None:
        """Subscribe at the node that owns the table now, and only then see where the log stands."""
        async with watched.subscribing:
            if watched.subscriber is not None:
                return
            watched.head = watched.doubted = None
            try:
                channel = keys.channel(watched.table_id)
                await self._store.follow(channel, lambda node: self._subscribe_at(node, watched, channel))
                stored = await self._head(watched)
            except BaseException:
                watched.subscriber = None
                raise
            if watched.subscriber is None:
                raise LogUnavailable("the subscription was lost as soon as it was made; try again later")
            watched.begin(stored)

    async def _subscribe_at(self, node: Node, watched: Watched, channel: str) -> None:
        watched.subscriber = await self._subscriber(node)
        await watched.subscriber.subscribe(channel)

    async def _subscriber(self, node: Node) -> Subscriber:
        async with node.connecting:
            if node not in self._subscribers:
                subscriber = Subscriber(node.connection(), self._settings.ping_every, hear=self._hear, lose=self._lost)
                await subscriber.open()
                self._subscribers[node] = subscriber
            return self._subscribers[node]

    async def _unsubscribe(self, table_id: str) -> None:
        with suppress(LogUnavailable, RedisError, OSError):  # without a connection there is no subscription
            subscriber = self._subscribers.get(self._store.owner(keys.channel(table_id)))
            if subscriber is not None:
                await subscriber.unsubscribe(keys.channel(table_id))

    def _hear(self, channel: str, message: bytes) -> None:
        watched = self._watched.get(keys.table_id(channel))
        if watched is not None:
            page = _page(message)
            watched.head = page.head
            watched.push(page)

    def _lost(self, subscriber: Subscriber, channel: str | None) -> None:
        if channel is None:
            self._subscribers = {node: other for node, other in self._subscribers.items() if other is not subscriber}
        for watched in self._watched.values():
            if watched.subscriber is subscriber and channel in {None, keys.channel(watched.table_id)}:
                watched.subscriber = None
        self._mend()

    def _mend(self) -> None:
        if self._mending is None or self._mending.done():
            self._mending = asyncio.create_task(self._mend_all(), context=Context())

    async def _mend_all(self) -> None:
        pause = self._settings.resubscribe_first
        while lost := [watched for watched in self._watched.values() if watched.subscriber is None]:
            with suppress(LogUnavailable):
                await self._store.look()
            for some in self._batches(lost):
                await asyncio.gather(*(self._resubscribe(watched) for watched in some))
            await asyncio.sleep(pause)
            pause = min(2 * pause, self._settings.resubscribe_longest)

    async def _resubscribe(self, watched: Watched) -> None:
        try:
            await self._begin(watched)
        except LogUnavailable as error:
            LOG.info("subscription not restored yet", table=watched.table_id, why=str(error))
        else:
            watched.push(Gap())

    async def _look_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self._settings.look_every)
            for some in self._batches([watched for watched in self._watched.values() if watched.subscriber]):
                await asyncio.gather(*(self._look(watched) for watched in some))

    async def _look(self, watched: Watched) -> None:
        with suppress(LogUnavailable):  # the next look may succeed
            if watched.misses(await self._head(watched)):
                LOG.warning("a push was lost", table=watched.table_id)
                watched.push(Gap())

    async def _head(self, watched: Watched) -> Head:
        key = keys.head(watched.table_id)
        version, newest = await self._store.read(key, "HMGET", key, "version", "hash")
        return GENESIS if version is None else Head(int(version), newest)

    def _batches(self, watched: Sequence[Watched]) -> Iterator[Sequence[Watched]]:
        for first in range(0, len(watched), self._settings.look_batch):
            yield watched[first : first + self._settings.look_batch]


def _page(message: bytes) -> Page:
    """Read what the function library published: the hash, the version before, then each entry after its length."""
    (after,) = struct.unpack_from(">Q", message, 32)
    place, entries = 40, []
    while place < len(message):
        (length,) = struct.unpack_from(">I", message, place)
        entries.append(message[place + 4 : place + 4 + length])
        place += 4 + length
    return Page(after, tuple(entries), Head(after + len(entries), message[:32]))
