"""What it takes to look after tables that are due one day, and do nothing until then."""

import asyncio
import time

from service.alarms import now_ms
from service.log import GENESIS, Append, Committed
from service.redis_log import RedisLog, Settings
from tests.bench.figures import Figure
from tests.bench.house import House
from tests.process import cpu_seconds
from tests.tables import appending, armed, new_id

TABLES = 10_000
AT_A_TIME = 500
ROUNDS, ROUND_SECONDS = 5, 4.0
AHEAD_MS = 86_400_000
ENTRY = bytes(300)


async def sweeps(house: House) -> list[Figure]:
    """Return the CPU of service and store while nothing happens, first without tables and then with many."""
    store_pid = int((await house.store.info("server"))["process_id"])
    nothing = await _taken(house.process.pid, store_pid)
    await _arm(house)
    looked_after = await _taken(house.process.pid, store_pid)
    figures = []
    for place, name in enumerate(("service", "store")):
        baseline = Figure(f"CPU of the {name} without tables", "% of a core", nothing[place])
        figures += [
            baseline,
            Figure(f"the same with {TABLES:,} armed, idle tables", "% of a core", looked_after[place], baseline),
        ]
    return figures


async def _arm(house: House) -> None:
    log = RedisLog(Settings(url=house.store_url))
    await log.open()
    try:
        for _ in range(TABLES // AT_A_TIME):
            appends = (appending(new_id(), GENESIS, ENTRY) for _ in range(AT_A_TIME))
            outcomes = await asyncio.gather(*(log.append(_armed(append)) for append in appends))
            assert outcomes == [Committed()] * AT_A_TIME
    finally:
        await log.close()


def _armed(append: Append) -> Append:
    now = now_ms()
    return armed(append, now + AHEAD_MS, now)


async def _taken(*pids: int) -> list[tuple[float, ...]]:
    """Return for each process how much of a core it took in each round."""
    rounds = []
    for _ in range(ROUNDS):
        began, before = time.perf_counter(), [cpu_seconds(pid) for pid in pids]
        await asyncio.sleep(ROUND_SECONDS)
        lasted = time.perf_counter() - began
        rounds.append([100 * (cpu_seconds(pid) - was) / lasted for pid, was in zip(pids, before, strict=True)])
    return list(zip(*rounds, strict=True))
