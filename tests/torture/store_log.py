"""What lies in the store, read without the service."""

from pathlib import Path
from typing import Any

from redis.asyncio import Redis

from tests.torture.judge import Stored

SCAN = 1_000
ENTRIES = "t:{??}:??.*:e"


async def stored_tables(socket: Path) -> dict[str, Stored]:
    """Return every table of the store."""
    async with Redis(unix_socket_path=str(socket)) as client:
        found = [key.decode() async for key in client.scan_iter(ENTRIES, count=SCAN)]
        return {key.split(":")[2]: await _stored(client, key.removesuffix(":e")) for key in found}


async def _stored(client: Redis, key: str) -> Stored:
    items: Any = await client.xrange(f"{key}:e")
    head: Any = await client.hmget(f"{key}:m", "version", "hash")
    return Stored(tuple((name.decode(), fields[b"entry"]) for name, fields in items), int(head[0]), head[1])
