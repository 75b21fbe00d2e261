"""Node: one server of the store."""

import asyncio
from typing import Any

from redis.asyncio import Connection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from service.redis_log.lane import Lane
from service.redis_log.settings import Settings


class Node:
    """One server: its connections, and a lane each for what may write and for what only reads."""

    def __init__(self, settings: Settings, address: dict[str, Any]) -> None:
        self._pool = ConnectionPool(
            **address,
            protocol=2,  # in 3 redis-py takes pushes off the stream by itself
            retry=Retry(NoBackoff(), 0),  # who may try again, and when, is decided here and not in redis-py
            socket_connect_timeout=settings.connect_timeout,
            socket_timeout=settings.answer_timeout,
        )
        self.writes = Lane(
            self._pool,
            settings.answer_timeout,
            queue=settings.write_queue,
            batch=settings.write_batch,
            replica_wait=settings.replica_wait,
        )
        self.reads = Lane(self._pool, settings.answer_timeout, queue=settings.read_queue, batch=settings.read_batch)
        self.connecting = asyncio.Lock()  # held while its subscriber is made, so that there is one

    def connection(self) -> Connection:
        """Return a connection apart from the lanes', not yet connected: for a subscriber."""
        connection: Connection = self._pool.make_connection()
        return connection

    async def close(self) -> None:
        """Return when everything asked has been answered and the connections are closed."""
        await self.writes.close()
        await self.reads.close()
        await self._pool.aclose()
