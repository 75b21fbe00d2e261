"""Subscriber: one connection that hears the channels of one node."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any

import structlog
from redis.asyncio import Connection
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError, ResponseError

from service.redis_log.lane import CLOSED

LOG = structlog.get_logger()


class Subscriber:
    """Subscribes one channel at a time: a subscription of channels in several slots is refused as a whole.

    It lives as long as its connection; who uses it makes another, and then knows that something may have been missed.
    """

    def __init__(
        self,
        connection: Connection,
        ping_every: float,
        *,
        hear: Callable[[str, bytes], None],
        lose: Callable[["Subscriber", str | None], None],
    ) -> None:
        self._connection = connection
        self._ping_every = ping_every
        self._hear = hear  # a channel's message
        self._lose = lose  # one channel, or with None all of them
        self._asked: deque[tuple[str, asyncio.Future[None] | None]] = (
            deque()
        )  # answers come in the order of the questions
        self._sending = asyncio.Lock()
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect and listen."""
        await self._connection.connect()
        self._listening = asyncio.create_task(self._listen(), context=Context())

    async def close(self) -> None:
        """Disconnect; nothing is heard or lost any more."""
        self._lose = lambda _subscriber, _channel: None
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])

    async def subscribe(self, channel: str) -> None:
        """Return when the node has acknowledged the subscription."""
        acknowledged: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._ask("SSUBSCRIBE", channel, acknowledged)
        await acknowledged

    async def unsubscribe(self, channel: str) -> None:
        """Ask the node to end the subscription; nobody need wait until it has."""
        await self._ask("SUNSUBSCRIBE", channel, None)

    async def _ask(self, command: str, channel: str, acknowledged: asyncio.Future[None] | None) -> None:
        async with self._sending:
            if self._listening is None or self._listening.done():
                raise Disconnected("the subscriber's connection is lost")
            self._asked.append((channel, acknowledged))
            await self._send(command, channel)

    async def _listen(self) -> None:
        try:
            while True:
                await self._take(await self._next())
        except (RedisError, OSError) as error:
            LOG.info("subscriber connection lost", why=str(error))
        except Exception:
            LOG.exception("subscriber connection given up: a message cannot be read")
        finally:
            await self._connection.disconnect(nowait=True)
            while self._asked:
                _resolve(self._asked.popleft()[1], Disconnected("the subscriber's connection is lost"))
            self._lose(self, None)

    async def _next(self) -> Any:
        """Return the next message or answer; a node that stays silent after a ping is taken for dead."""
        for ping in (True, False):
            try:
                message = await self._connection.read_response(timeout=self._ping_every, disconnect_on_error=False)
            except ResponseError as error:
                return error
            if message is not None:
                return message
            if ping:
                async with self._sending:
                    await self._send("PING")
        raise Disconnected(f"silent for {2 * self._ping_every} s")

    async def _send(self, *command: str) -> None:
        try:
            await self._connection.send_command(*command, check_health=False)
        except CLOSED as error:
            raise Disconnected("the subscriber's connection is lost") from error

    async def _take(self, message: Any) -> None:
        match message:
            case [b"smessage", channel, data]:
                self._hear(channel.decode(), data)
            case [b"ssubscribe", _, _]:
                _resolve(self._asked.popleft()[1], None)
            case [b"sunsubscribe", channel, _]:
                self._end(channel.decode())
            case ResponseError():
                _resolve(self._asked.popleft()[1], message)
            case _:  # the answer to a ping
                pass

    def _end(self, channel: str) -> None:
        if self._asked and self._asked[0][0] == channel:
            _resolve(self._asked.popleft()[1], None)
        else:  # nobody asked: the slot has moved to another node
            self._lose(self, channel)


def _resolve(acknowledged: asyncio.Future[None] | None, error: Exception | None) -> None:
    if acknowledged is None or acknowledged.done():  # nobody waits, or no longer
        return
    if error is None:
        acknowledged.set_result(None)
    else:
        acknowledged.set_exception(error)
