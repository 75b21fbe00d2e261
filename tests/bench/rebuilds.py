"""How long a server needs for a table it has never seen."""

import time
from collections.abc import Awaitable, Callable
from statistics import median

from service.history import load, missing
from service.redis_log import RedisLog, Settings
from tests.bench.figures import Figure, side_by_side
from tests.bench.house import House
from tests.bench.scripts import KEYS, scripted
from tests.bench.sending import grpc_sender, send_all

REPEATS = 20


async def rebuilds(house: House) -> list[Figure]:
    """Return the time to read a finished game from the store, and to fold it."""
    script = await scripted(house.service)
    await send_all(grpc_sender(house.service), script)
    log = RedisLog(Settings(url=house.store_url))
    await log.open()

    async def read() -> float:
        return await _milliseconds(lambda: missing(log, script.table_id, 0))

    async def rebuild() -> float:
        return await _milliseconds(lambda: load(log, script.table_id, KEYS))

    try:
        entries = (await missing(log, script.table_id, 0)).head.version
        return await side_by_side(
            [(f"reading the {entries} entries of a 4-seat game", "ms", read), ("rebuilding its table", "ms", rebuild)]
        )
    finally:
        await log.close()


async def _milliseconds(work: Callable[[], Awaitable[object]]) -> float:
    spent = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        await work()
        spent.append(time.perf_counter() - began)
    return median(spent) * 1000
