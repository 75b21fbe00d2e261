"""Run: many games under strikes, and what came of them."""

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.torture.caller import RUDE, Manners
from tests.torture.complaints import complaints
from tests.torture.fleet import Fleet, sailing
from tests.torture.guest import Guest
from tests.torture.judge import NOTHING, Finding, Kind, judge
from tests.torture.lateness import LATE_MAX_MS, Due, kept
from tests.torture.loner import KINDS, Loner
from tests.torture.played import PLAYED
from tests.torture.player import Player
from tests.torture.store_log import stored_tables
from tests.torture.story import Story
from tests.torture.strikes import Siege, Striker
from tests.torture.tally import Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be played, and what is done to it."""

    seed: str
    games: int
    at_a_time: int
    seconds: float  # all games must be over by then
    services: int = 2
    manners: Manners = RUDE
    guests: int = 5  # one of so many tables is played with the Python client; 0: none
    loners: int = 4  # of so many tables one has one person and three bots; 0: none
    sieges: tuple[Siege, ...] = ()  # all at the same time


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a plan."""

    plan: Plan
    stories: list[Story]
    counts: Counter[str]
    findings: list[Finding]
    seconds: float
    back: list[float]
    next_answer: list[float]
    dues: list[Due]  # what tables did by themselves
    struck: list[tuple[int, int]]  # when something was struck, and until when it was frozen

    def found(self, kind: Kind) -> int:
        """Return how many findings of a kind there are."""
        return sum(finding.kind is kind for finding in self.findings)


async def torture(plan: Plan, directory: Path) -> Report:
    """Carry out a plan and judge it."""
    tally, began = Tally(), time.monotonic()
    key = hashlib.sha256(plan.seed.encode()).digest()  # the same seed deals the same games
    async with sailing(plan.services, directory, key) as fleet:
        strikers = [
            Striker(siege, fleet, f"{plan.seed} striker {number}", tally) for number, siege in enumerate(plan.sieges)
        ]
        async with asyncio.timeout(plan.seconds), _striking(strikers):
            stories = await _play(plan, fleet, tally)
        await fleet.ready()
        stored = await stored_tables(fleet.socket)
        dues = [due for table_id, each in stored.items() for due in kept(table_id, each)]
        findings = [Finding(Kind.LATE, due.table_id, due.sentence) for due in dues if due.late_ms > LATE_MAX_MS]
        findings += [finding for story in stories for finding in judge(story, stored.pop(story.table_id, NOTHING))]
        findings += [Finding(Kind.STRAY, table_id, "nobody was told of this table") for table_id in stored]
    findings += complaints(directory)
    back = [seconds for striker in strikers for seconds in striker.back]
    next_answer = [seconds for striker in strikers for seconds in striker.next_answer]
    struck = [moment for striker in strikers for moment in striker.struck]
    return Report(plan, stories, tally.counts, findings, time.monotonic() - began, back, next_answer, dues, struck)


async def _play(plan: Plan, fleet: Fleet, tally: Tally) -> list[Story]:
    seats = asyncio.Semaphore(plan.at_a_time)

    async def one(number: int) -> Story:
        async with seats:
            return await _client(plan, fleet, number, tally).play()

    async with asyncio.TaskGroup() as games:
        tasks = [games.create_task(one(number)) for number in range(1, plan.games + 1)]
    return [task.result() for task in tasks]


def _client(plan: Plan, fleet: Fleet, number: int, tally: Tally) -> Guest | Player:
    """Return who plays a table."""
    seed, played = f"{plan.seed} table {number}", PLAYED[number % len(PLAYED)]
    if plan.loners and number % plan.loners == 0:
        kind = KINDS[number // plan.loners % len(KINDS)]
        return Loner(fleet, kind, seed, plan.manners, tally)
    if plan.guests and number % plan.guests == 0:
        return Guest(fleet, played, seed, plan.manners, tally)
    return Player(fleet, played, seed, plan.manners, tally)


@asynccontextmanager
async def _striking(strikers: list[Striker]) -> AsyncIterator[None]:
    """Strike as long as games are played."""
    tasks = [asyncio.create_task(striker.strike()) for striker in strikers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
