"""Node: one server of the store."""

from typing import Any

from redis.asyncio import Connection, ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from service.redis_log.lane import Lane
from service.redis_log.settings import Settings


class Node:
    """One server: its client, and a lane each for appends and for reads."""

    def __init__(self, settings: Settings, address: dict[str, Any]) -> None:
        pool = ConnectionPool(
            **address,
            protocol=2,  # in 3 redis-py takes pushes off the stream by itself
            retry=Retry(NoBackoff(), 0),  # an append that redis-py sent again in silence would answer Behind, by itself
            socket_connect_timeout=settings.connect_timeout,
            socket_timeout=settings.answer_timeout + (settings.replica_wait or 0),
        )
        self.client = Redis.from_pool(pool)
        self.writes = Lane(
            self.client, queue=settings.write_queue, batch=settings.write_batch, replica_wait=settings.replica_wait
        )
        self.reads = Lane(self.client, queue=settings.read_queue, batch=settings.read_batch)

    def connection(self) -> Connection:
        """Return a connection apart from the client's, not yet connected: for a subscriber."""
        connection: Connection = self.client.connection_pool.make_connection()
        return connection

    async def close(self) -> None:
        """Return when everything asked has been answered and the connections are closed."""
        await self.writes.close()
        await self.reads.close()
        await self.client.aclose()
