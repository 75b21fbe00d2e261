"""How soon watchers know: from sending a command to the last of them having its frame."""

import asyncio
import time
from functools import partial
from statistics import median

import grpc
from stammtisch.double_tricks.v1 import service_pb2, service_pb2_grpc

from tests.bench.figures import Figure, side_by_side
from tests.bench.house import House
from tests.bench.scripts import Script, scripted
from tests.bench.sending import grpc_sender

WATCHERS = (1, 100, 1_000)
COMMANDS = 30


class Crowd:
    """Spectators of one table."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._versions: list[int] = []
        self._behind: set[int] = set()
        self._wanted = 0
        self._all = asyncio.Event()

    async def gather(self, channel: grpc.aio.Channel, count: int, group: asyncio.TaskGroup) -> list[asyncio.Task[None]]:
        """Let so many watch, and return when each has had its first frame."""
        self._versions = [0] * count
        tasks = [group.create_task(self._watch(channel, number)) for number in range(count)]
        await self.reach(1)
        return tasks

    async def reach(self, version: int) -> None:
        """Return when everybody has seen a version."""
        self._wanted = version
        self._behind = {number for number, seen in enumerate(self._versions) if seen < version}
        self._all.clear()
        if self._behind:
            await self._all.wait()

    async def _watch(self, channel: grpc.aio.Channel, number: int) -> None:
        stub = service_pb2_grpc.DoubleTricksServiceStub(channel)
        async for frame in stub.WatchView(service_pb2.WatchViewRequest(table_id=self._script.table_id)):
            self._versions[number] = frame.version
            if frame.version >= self._wanted:
                self._behind.discard(number)
                if not self._behind:
                    self._all.set()


async def watchers(house: House) -> list[Figure]:
    """Return milliseconds from a command to the last watcher's frame."""
    first, *others = WATCHERS
    alone = (f"{first} watcher has its frame after a command", "ms", partial(_latency, house, first))
    crowds = [(f"the last of {count:,} has its frame", "ms", partial(_latency, house, count)) for count in others]
    return await side_by_side([alone, *crowds], rounds=3)


async def _latency(house: House, count: int) -> float:
    script, spent = await scripted(house.service, spectators=True), []
    crowd, send = Crowd(script), grpc_sender(house.service)
    async with asyncio.TaskGroup() as group:
        tasks = await crowd.gather(house.service, count, group)
        for line in script.lines[:COMMANDS]:
            began = time.perf_counter()
            answer = service_pb2.PlayCardResponse.FromString(await send(line))  # a BidResponse has the same fields
            await crowd.reach(answer.version)
            spent.append(time.perf_counter() - began)
        for task in tasks:
            task.cancel()
    return median(spent) * 1000
