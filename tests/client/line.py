"""A line between client and service that can go dead or be cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

CHUNK = 65_536


class Line:
    """Carries bytes both ways, until told otherwise."""

    def __init__(self, address: str) -> None:
        self._host, _, self._port = address.partition(":")
        self._answering = asyncio.Event()
        self._answering.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.address = ""

    def mute(self) -> None:
        """Carry no more answers, as if the service had died without a word."""
        self._answering.clear()

    def cut(self) -> None:
        """Break all connections, answers under way with them; new ones are carried again."""
        for writer in self._writers:
            writer.transport.abort()
        self.unmute()

    def unmute(self) -> None:
        """Carry the answers that were held back, and all others."""
        self._answering.set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        service_reader, service_writer = await asyncio.open_connection(self._host, self._port)
        ends = {writer, service_writer}
        self._writers |= ends
        always = asyncio.Event()
        always.set()
        await asyncio.gather(_pump(reader, service_writer, always), _pump(service_reader, writer, self._answering))
        self._writers -= ends


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flowing: asyncio.Event) -> None:
    try:
        while data := await reader.read(CHUNK):
            await flowing.wait()
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    writer.close()


@asynccontextmanager
async def line_to(address: str) -> AsyncIterator[Line]:
    """Lay a line to a service."""
    line = Line(address)
    server = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    line.address = "{}:{}".format(*server.sockets[0].getsockname())
    async with server:
        yield line
        line.cut()
