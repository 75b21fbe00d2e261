"""A real service in this process, on a log in memory, which can be stopped and started again."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.api.attendance import Attendance
from service.api.guests import Guests
from service.api.limits import ApiLimits
from service.api.server import Server
from service.api.tokens import Tokens
from service.log import Append, MemoryLog, Outcome
from service.seal import MasterKeys
from service.shelf import TableLimits
from service.table import Tables

PLENTY = ApiLimits(commands_a_second=1e6, command_burst=10**6)
CREATOR_KEY = "the-creators-key"


class NotedLog(MemoryLog):
    """The log in memory, which can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self._written = asyncio.Event()

    async def append(self, append: Append) -> Outcome:
        """Write the entries, and say so."""
        outcome = await super().append(append)
        self._written.set()
        return outcome

    async def holds(self, tables: int, *, entries: int) -> None:
        """Wait for so many tables with so many entries each."""
        while sum(head.version >= entries for head in self._heads.values()) < tables:
            self._written.clear()
            await self._written.wait()

    def ended(self) -> list[bool]:
        """Return of every table whether it has ended."""
        return [table_id in self._ended for table_id in self._entries]


class Served:
    """A service on a port of its own. Its tables are those of its log."""

    def __init__(self, limits: ApiLimits = PLENTY, *, anybody_creates: bool = True) -> None:
        self.log = NotedLog()
        self.address = f"127.0.0.1:{free_port()}"
        self._limits = limits
        self._anybody_creates = anybody_creates

    async def start(self) -> None:
        """Serve."""
        tables = Tables(self.log, MasterKeys("k1", {"k1": bytes(32)}), TableLimits())
        tokens = Tokens({"t1": bytes(32)}, "t1", {"shop": CREATOR_KEY})
        guests = Guests(
            tables, Attendance(tables, self.log), tokens, self._limits, anybody_creates=self._anybody_creates
        )
        self._server = Server(guests, reflect=False)
        await self._server.start(self.address)

    async def stop(self) -> None:
        """Stop as a service does that is being replaced."""
        await self._server.stop(1)

    async def kill(self) -> None:
        """Stop in the middle of everything, as far as anybody outside can see."""
        await self._server._server.stop(None)


@asynccontextmanager
async def serving(limits: ApiLimits = PLENTY, *, anybody_creates: bool = True) -> AsyncIterator[Served]:
    """Serve for a while."""
    served = Served(limits, anybody_creates=anybody_creates)
    await served.start()
    try:
        yield served
    finally:
        await served.stop()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
