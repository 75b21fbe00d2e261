"""How much a table takes: in a server's memory, and in the store."""

import asyncio

from service.games.double_tricks.options import Options
from service.history import missing
from service.redis_log import RedisLog, Settings
from tests.bench.figures import Figure
from tests.bench.house import House, opened
from tests.bench.scripts import WHOLE_GAME, Script, scripted
from tests.bench.sending import grpc_sender, send_all

IDLE_TABLES = 1_000
FINISHED_TABLES = 60
SHORT_TABLES = 600  # a batch
BATCHES_FIRST, BATCHES = 5, 5  # the first fill the caches of tokens and tables
SHORT = Options(hand_sizes=(1,))
AT_A_TIME = 30


async def room_taken() -> list[Figure]:
    """Return the bytes of idle and of finished tables."""
    return [await _idle(), *await _finished()]


async def _idle() -> Figure:
    async with opened() as house:
        await _played(house, AT_A_TIME)  # so that everything a server needs once is there
        before = house.resident_bytes()
        for _ in range(IDLE_TABLES // AT_A_TIME):
            await asyncio.gather(*(scripted(house.service) for _ in range(AT_A_TIME)))
        each = (house.resident_bytes() - before) / IDLE_TABLES
        return Figure(f"memory of an idle table, of {IDLE_TABLES:,}", "bytes", (each,))


async def _finished() -> list[Figure]:
    async with opened(STAMMTISCH_CACHED_TABLES=str(AT_A_TIME)) as house:
        used = await _used_memory(house)
        scripts = await _played(house, FINISHED_TABLES)
        stored = (await _used_memory(house) - used) / FINISHED_TABLES
        raw = sum([await _log_bytes(house, script) for script in scripts]) / FINISHED_TABLES
        baseline = Figure("entries of a finished 4-seat table", "bytes", (raw,))
        in_the_store = Figure("the same table in the store", "bytes", (stored,), baseline)
        return [baseline, in_the_store, await _left_over(house)]


async def _left_over(house: House) -> Figure:
    kept = []
    for _ in range(BATCHES_FIRST + BATCHES):
        before = house.resident_bytes()
        await _played(house, SHORT_TABLES, SHORT)
        kept.append((house.resident_bytes() - before) / SHORT_TABLES)
    return Figure("what a server keeps of a finished table", "bytes", tuple(kept[BATCHES_FIRST:]))


async def _played(house: House, tables: int, options: Options = WHOLE_GAME) -> list[Script]:
    scripts: list[Script] = []
    for _ in range(tables // AT_A_TIME):
        batch = await asyncio.gather(*(scripted(house.service, options) for _ in range(AT_A_TIME)))
        await asyncio.gather(*(send_all(grpc_sender(house.service), script) for script in batch))
        scripts += batch
    return scripts


async def _used_memory(house: House) -> int:
    info = await house.store.info("memory")
    return int(info["used_memory"])


async def _log_bytes(house: House, script: Script) -> int:
    log = RedisLog(Settings(url=house.store_url))
    await log.open()
    try:
        return sum(map(len, (await missing(log, script.table_id, 0)).entries))
    finally:
        await log.close()
