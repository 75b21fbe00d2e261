"""Ways to send the lines of a script."""

from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from tests.bench import echo
from tests.bench.scripts import Line, Script

Send = Callable[[Line], Awaitable[bytes]]


def grpc_sender(channel: grpc.aio.Channel) -> Send:
    """Return what sends a line over gRPC."""
    methods: dict[str, Any] = {}

    async def send(line: Line) -> bytes:
        method = methods.get(line.method)
        if method is None:
            method = methods[line.method] = channel.unary_unary(line.method)
        answer: bytes = await method(line.request, metadata=_authorization(line))
        return answer

    return send


def echo_sender(channel: grpc.aio.Channel) -> Send:
    """Return what sends a line to the echo server."""
    method: Any = channel.unary_unary(echo.METHOD)

    async def send(line: Line) -> bytes:
        answer: bytes = await method(line.request, metadata=_authorization(line))
        return answer

    return send


async def send_all(send: Send, script: Script) -> None:
    """Play a whole game."""
    for line in script.lines:
        await send(line)


def _authorization(line: Line) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {line.token}"),)
