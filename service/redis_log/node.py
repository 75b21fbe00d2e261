"""Node: one server of the store."""

import asyncio
from typing import Any

from redis.asyncio import Connection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from service.redis_log.lane import Lane
from service.redis_log.settings import Settings


class Node:
    """One server: a lane each for what may write and for what only reads."""

    def __init__(self, settings: Settings, address: dict[str, Any]) -> None:
        self._settings = settings
        self._address = address
        timeout = settings.answer_timeout
        self.writes = Lane(
            self._connection(None),
            timeout,
            queue=settings.write_queue,
            batch=settings.write_batch,
            replica_wait=settings.replica_wait,
        )
        self.reads = Lane(self._connection(None), timeout, queue=settings.read_queue, batch=settings.read_batch)
        self.connecting = asyncio.Lock()  # held while its subscriber is made, so that there is one

    def connection(self) -> Connection:
        """Return a connection apart from the lanes', not yet connected: for a subscriber."""
        return self._connection(self._settings.answer_timeout)

    def _connection(self, timeout: float | None) -> Connection:
        kind: type[Connection] = self._address.get("connection_class", Connection)
        address = {name: value for name, value in self._address.items() if name != "connection_class"}
        return kind(
            **address,
            protocol=2,  # in 3 redis-py takes pushes off the stream by itself
            retry=Retry(NoBackoff(), 0),  # who may try again, and when, is decided here and not in redis-py
            socket_connect_timeout=self._settings.connect_timeout,
            socket_timeout=timeout,
        )

    async def close(self) -> None:
        """Return when everything asked has been answered and the connections are closed."""
        await self.writes.close()
        await self.reads.close()
