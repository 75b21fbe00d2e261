"""Lane: calls to one node, gathered into pipelines."""

import asyncio
import math
from collections import deque
from collections.abc import Iterable, Sequence
from contextvars import Context
from typing import Any

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AuthenticationError, ReadOnlyError, RedisError, ResponseError

from service.log import LogUnavailable
from service.redis_log import library
from service.redis_log.unfit import UnfitStore

# What redis-py and uvloop raise where a connection closes while it is written to.
CLOSED = (AttributeError, RuntimeError)

Call = tuple[Any, ...]
Waiting = tuple[Call, asyncio.Future[Any]]


class Lane:
    """Sends the calls of one event-loop tick together; while they are out, the next ones gather behind them.

    Nothing is sent again after a connection broke: whether it was done is for the caller to find out.
    """

    def __init__(
        self,
        connection: AbstractConnection,
        timeout: float,
        *,
        queue: int,
        batch: int,
        replica_wait: float | None = None,
    ) -> None:
        self._connection = connection  # without a time-out of its own: the lane's is over connecting and answering
        self._timeout = timeout + (replica_wait or 0)
        self._queue = queue
        self._batch = batch
        self._replica_wait = replica_wait
        self._waiting: deque[Waiting] = deque()
        self._sending: asyncio.Task[None] | None = None

    async def call(self, *call: Any) -> Any:
        """Return the store's answer; raise what the store answered as an error."""
        if len(self._waiting) >= self._queue:
            raise LogUnavailable(f"{self._queue} calls wait for the store already; nothing was done, try again later")
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((call, answer))
        if self._sending is None:
            self._sending = asyncio.create_task(self._drain(), context=Context())
        return await answer

    async def close(self) -> None:
        """Return when all that was asked has been answered, and the connection is closed."""
        if self._sending is not None:
            await self._sending
        await self._connection.disconnect()

    async def _drain(self) -> None:
        try:
            while self._waiting:
                await self._gather()
                await self._send(self._take())
        finally:
            self._sending = None

    async def _gather(self) -> None:
        """Let more calls come, for as long as every turn of the event loop brings some."""
        before = 0
        while before < len(self._waiting) < self._batch:
            before = len(self._waiting)
            await asyncio.sleep(0)

    def _take(self) -> list[Waiting]:
        taken = [self._waiting.popleft() for _ in range(min(self._batch, len(self._waiting)))]
        return [waiting for waiting in taken if not waiting[1].done()]  # not those whose callers have gone

    async def _send(self, batch: Sequence[Waiting]) -> None:
        try:
            answers = await self._pipeline([call for call, _ in batch])
        except LogUnavailable as error:
            self._fail(batch, error)
        except AuthenticationError as error:
            self._fail((*batch, *self._waiting), UnfitStore(f"the store does not let in the user of its URL: {error}"))
            self._waiting.clear()
        except (RedisError, OSError, *CLOSED) as error:
            self._fail(batch, LogUnavailable(f"the store did not answer; whether this was done is not known: {error}"))
            self._fail(self._waiting, LogUnavailable(f"the store does not answer; this was not sent: {error}"))
            self._waiting.clear()
        else:
            for (_, future), answer in zip(batch, answers, strict=True):
                _settle(future, answer)

    def _fail(self, waiting: Iterable[Waiting], error: LogUnavailable) -> None:
        for _, future in waiting:
            _settle(future, type(error)(str(error)))  # one each: whoever raises it adds its own traceback

    async def _pipeline(self, calls: Sequence[Call]) -> list[Any]:
        answers = await self._once(calls)
        missing = [place for place, answer in enumerate(answers) if library.is_missing(answer)]
        if missing:  # the store was started anew, and empty
            (loaded,) = await self._exchange([library.LOAD])
            library.check(loaded)
            again = await self._once([calls[place] for place in missing])
            for place, answer in zip(missing, again, strict=True):
                answers[place] = answer
        if any(isinstance(answer, ReadOnlyError) for answer in answers):  # the store's name means another node by now
            await self._connection.disconnect()
        return answers

    async def _once(self, calls: Sequence[Call]) -> list[Any]:
        if self._replica_wait is None:
            return await self._exchange(calls)
        *answers, replicas = await self._exchange([*calls, ("WAIT", 1, round(self._replica_wait * 1000))])
        if not (isinstance(replicas, int) and replicas >= 1):
            raise LogUnavailable(f"no replica has confirmed within {self._replica_wait} s: {replicas}")
        return answers

    async def _exchange(self, calls: Sequence[Call]) -> list[Any]:
        """Send calls in one piece and read their answers: a tenth of the CPU that redis-py's pipeline takes."""
        async with asyncio.timeout(self._timeout):
            await self._connect()
            await self._connection.send_packed_command(b"".join(map(pack_command, calls)), check_health=False)
            return [await _answer(self._connection) for _ in calls]

    async def _connect(self) -> None:
        """Connect, if the connection does not stand or has been closed at the other end."""
        if self._connection.is_connected and await self._connection.can_read():
            await self._connection.disconnect(nowait=True)
        if not self._connection.is_connected:
            await self._connection.connect()


async def _answer(connection: AbstractConnection) -> Any:
    try:
        return await connection.read_response(timeout=math.inf)
    except ResponseError as error:
        return error


def _settle(future: asyncio.Future[Any], answer: Any) -> None:
    if future.done():  # its caller has gone
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
