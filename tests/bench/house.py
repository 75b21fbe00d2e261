"""The house under load: the whole of `make run`, with limits that do not stand in the way."""

import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
from redis.asyncio import Redis

from tests.bench.scripts import SETTING
from tests.process import Process
from tests.readiness import serves
from tests.stores import free_port

CHANNEL = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 1 << 24))
MANY = "1000000"


@dataclass(frozen=True, slots=True)
class House:
    """A running house, and the ways into it."""

    process: Process
    service: grpc.aio.Channel  # to the service itself, past the front door
    port: int  # of the front door
    store: Redis
    store_url: str

    def resident_bytes(self) -> int:
        """Return the memory of the service."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def opened(**settings: str) -> AsyncIterator[House]:
    """Open a house with an empty store."""
    with tempfile.TemporaryDirectory(prefix="bench-") as directory:
        data, port = Path(directory), free_port()
        address = f"unix:{data / 'service.sock'}"
        environment = {
            "STAMMTISCH_DATA": str(data / "data"),
            "STAMMTISCH_RUN": str(data),
            "STAMMTISCH_LISTEN": f"127.0.0.1:{port}",
            "STAMMTISCH_COMMANDS_PER_SECOND": MANY,
            "STAMMTISCH_COMMANDS_BURST": MANY,
            "STAMMTISCH_REQUESTS_PER_SECOND": MANY,
            "STAMMTISCH_REQUESTS_BURST": MANY,
            "STAMMTISCH_STREAMS_PER_TOKEN": "10000",
            "STAMMTISCH_LOG_LEVEL": "warning",
            "STAMMTISCH_MASTER_KEYS": SETTING,
            "STAMMTISCH_TOKEN_KEYS": SETTING,
        }
        async with grpc.aio.insecure_channel(address, CHANNEL) as channel:
            program = (sys.executable, "-m", "service")
            process = Process(program, environment | settings, data / "house.log", lambda: serves(channel))
            await process.start()
            try:
                await process.ready()
                url = f"unix://{data / 'valkey.sock'}"
                async with Redis.from_url(url) as store:
                    yield House(process, channel, port, store, url)
            finally:
                await process.stop()
