"""Strikes: what is done to processes while games are played."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from random import Random

from service.alarms import now_ms
from tests.process import Process
from tests.torture.fleet import Fleet
from tests.torture.tally import Tally

FREEZE_SECONDS = 8.0  # longer than the service waits for an answer of the store

Pace = Callable[[], Awaitable[None]]  # returns when it is time for the next strike


class Strike(Enum):
    """One way to strike. A frozen process believes, when it wakes, that no time has passed."""

    KILL_SERVICE = "services killed"
    FREEZE_SERVICE = "services frozen"
    KILL_STORE = "store killed"
    FREEZE_STORE = "store frozen"


@dataclass(frozen=True, slots=True)
class Siege:
    """How and when to strike."""

    ways: tuple[Strike, ...]  # one of them is chosen each time
    paces: Callable[[Tally], tuple[Pace, Pace]]  # when to strike next, and when to thaw what was frozen


class Striker:
    """Strikes for ever, and notes how long the struck process, and everybody, was out of service."""

    def __init__(self, siege: Siege, fleet: Fleet, seed: str, tally: Tally) -> None:
        self._ways = siege.ways
        self._pace, self._thaw = siege.paces(tally)
        self._fleet = fleet
        self._random = Random(seed)
        self._tally = tally
        self.struck: list[tuple[int, int]] = []  # from when until when, in milliseconds since 1970
        self.back: list[float] = []  # seconds until the struck process answered again
        self.next_answer: list[float] = []  # seconds until some command was acknowledged again

    async def strike(self) -> None:
        """Strike until cancelled."""
        async with asyncio.TaskGroup() as recoveries:
            while True:
                await self._pace()
                way = self._random.choice(self._ways)
                struck = self._victim(way)
                self._tally.add(way.value)
                began_ms = now_ms()
                recoveries.create_task(self._time_answer())
                if way in {Strike.KILL_SERVICE, Strike.KILL_STORE}:
                    await struck.kill()
                else:
                    await _freeze(struck, self._thaw)
                self.struck.append((began_ms, now_ms()))
                recoveries.create_task(self._recover(struck))

    def _victim(self, way: Strike) -> Process:
        if way in {Strike.KILL_STORE, Strike.FREEZE_STORE}:
            return self._fleet.store
        return self._random.choice(self._fleet.services).process

    async def _recover(self, struck: Process) -> None:
        began = asyncio.get_running_loop().time()
        await struck.ready()
        self.back.append(asyncio.get_running_loop().time() - began)

    async def _time_answer(self) -> None:
        began = asyncio.get_running_loop().time()
        await self._tally.more("acknowledged", 1)
        self.next_answer.append(asyncio.get_running_loop().time() - began)


async def _freeze(struck: Process, thaw: Pace) -> None:
    struck.signal(signal.SIGSTOP)
    try:
        await asyncio.wait_for(thaw(), FREEZE_SECONDS)
    except TimeoutError:
        pass
    finally:
        struck.signal(signal.SIGCONT)


def after_more(tally: Tally, name: str, number: int) -> Pace:
    """Return a pace that counts instead of looking at a clock."""
    return lambda: tally.more(name, number)


def every(random: Random, seconds: float) -> Pace:
    """Return a pace of about so many seconds."""
    return lambda: asyncio.sleep(random.uniform(0.2, 1.8) * seconds)
