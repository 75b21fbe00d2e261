"""Watching: one sequence of frames, however many streams it takes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

import grpc

from stammtisch.calls import Calls
from stammtisch.errors import StammtischError, Unavailable, from_grpc
from stammtisch.table.v1.table_pb2 import Closed


class Position(NamedTuple):
    """How far a watcher has seen."""

    version: int
    hash: bytes


async def watched(
    calls: Calls, open_stream: Callable[[Position | None], Any], position: Position | None
) -> AsyncIterator[Any]:
    """Return all frames but heartbeats; whenever a stream breaks, go on in another after the last frame."""
    tries = calls.tries()
    while True:
        stream = open_stream(position)
        try:
            async for message in _heard(stream, calls.patience.silence_seconds):
                match message.WhichOneof("frame"):
                    case "closed" if not message.closed.HasField("retry_after"):
                        return
                    case "closed":
                        raise _broken(message.closed)
                    case "heartbeat":
                        tries.forget()
                    case _:
                        tries.forget()
                        position = Position(message.version, message.head_hash)
                        yield message
        except StammtischError as error:
            await tries.pause(error)
        finally:
            stream.cancel()


async def _heard(stream: Any, silence_seconds: float) -> AsyncIterator[Any]:
    """Return what a stream brings, and raise when it breaks or falls silent."""
    while True:
        try:
            async with asyncio.timeout(silence_seconds):
                message = await stream.read()
        except grpc.aio.AioRpcError as failed:
            raise from_grpc(failed) from None
        except TimeoutError:
            sentence = f"The stream has been silent for {silence_seconds:g} s, without a heartbeat."
            raise Unavailable(grpc.StatusCode.UNAVAILABLE, "", sentence) from None
        if message is grpc.aio.EOF:
            raise Unavailable(grpc.StatusCode.UNAVAILABLE, "", "The stream ended without saying why.")
        yield message


def _broken(closed: Closed) -> Unavailable:
    reason = Closed.Reason.Name(closed.reason).removeprefix("REASON_")
    seconds = closed.retry_after.ToTimedelta().total_seconds()
    return Unavailable(grpc.StatusCode.UNAVAILABLE, reason, "The server ended the stream.", None, seconds)
