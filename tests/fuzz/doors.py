"""Doors: how a request gets in. gRPC by grpc's own client, with any bytes; HTTP/1.1 by hand, with anything at all."""

import asyncio
from contextlib import suppress
from typing import Any

import grpc

from tests.fuzz.exchange import Answer, Request
from tests.fuzz.reading import read_grpc, read_http

ANSWER_SECONDS = 20.0
HEADERS_BYTES_MAX = 1 << 20
DETAILS = "grpc-status-details-bin"
CHUNKS_MAX = 100_000


class GrpcDoor:
    """A gRPC connection."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.aio.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),))

    async def ask(self, request: Request) -> Answer:
        """Send a request and return the answer, or as many frames as it asks for."""
        ask: Any = self._channel.unary_stream(request.path)
        call: Any = ask(request.content, metadata=request.headers, timeout=ANSWER_SECONDS)
        frames: list[bytes] = []
        try:
            async for frame in call:
                frames.append(frame)
                if len(frames) >= request.frames:
                    call.cancel()
                    return read_grpc(request, frames, 0, "", b"")
        except grpc.aio.AioRpcError as error:
            details = dict(error.trailing_metadata() or ()).get(DETAILS, b"")
            assert isinstance(details, bytes)
            answer = read_grpc(request, frames, error.code().value[0], error.details() or "", details)
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                answer.faults.append(f"no answer in {ANSWER_SECONDS:g} s")
            return answer
        return read_grpc(request, frames, 0, "", b"")

    async def close(self) -> None:
        """Hang up."""
        await self._channel.close()


class HttpDoor:
    """An HTTP/1.1 connection, made anew when the other side has closed it."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: Request) -> Answer:
        """Send a request and return the answer, or as many frames as it asks for."""
        used = self._streams is not None
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                try:
                    return await self._once(request)
                except (ConnectionError, asyncio.IncompleteReadError):
                    await self.close()
                    if not used:  # a used one may have been closed before the request came
                        raise
                    return await self._once(request)
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError) as error:
            await self.close()
            return Answer(f"{request.protocol} none", faults=[f"no answer: {error!r}"])

    async def close(self) -> None:
        """Hang up."""
        if self._streams:
            self._streams[1].close()
            self._streams = None

    async def _once(self, request: Request) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._address, limit=HEADERS_BYTES_MAX)
        reader, writer = self._streams
        writer.write(_sent(request))
        with suppress(ConnectionError):  # an answer may have been given before all of the request was taken
            await writer.drain()
        http, headers = await _head(reader)
        body, whole = await _body(reader, request, http, headers)
        if not whole or headers.get("connection") == "close":
            await self.close()
        return read_http(request, http, headers, body, whole=whole)


def _sent(request: Request) -> bytes:
    names = {name.lower() for name, _ in request.headers}
    headers = [("host", "fuzz"), *request.headers]
    if "content-length" not in names and "transfer-encoding" not in names:
        headers.append(("content-length", str(len(request.content))))
    lines = [f"{request.verb} {request.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + request.content


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = (line.partition(":") for line in head[1:] if line)
    return int(head[0].split()[1]), {name.lower(): value.strip() for name, _, value in fields}


async def _body(
    reader: asyncio.StreamReader, request: Request, http: int, headers: dict[str, str]
) -> tuple[bytes, bool]:
    if request.verb == "HEAD" or http in (204, 304):
        return b"", True
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"])), True
    if headers.get("transfer-encoding") != "chunked":
        return await reader.read(), True
    body = b""
    for _ in range(request.frames if request.rpc and request.rpc.streams else CHUNKS_MAX):
        size = int(await reader.readline(), 16)
        body += await reader.readexactly(size)
        await reader.readexactly(2)
        if not size:
            return body, True
    return body, False
