"""A REST client that costs next to nothing: HTTP/1.1, one request after another on one connection."""

import asyncio
from types import TracebackType
from typing import Self

from tests.bench.scripts import Line


class RestConnection:
    """One connection to the front door."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    async def send(self, line: Line) -> bytes:
        """Return the body of the answer."""
        head = (
            f"POST {line.target} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {line.token}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(line.body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + line.body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200"), answer
        length = answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        return await self._reader.readexactly(int(length))
