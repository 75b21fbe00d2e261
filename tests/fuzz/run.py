"""A run: some workers, each with tables of its own, ask and judge until the number or the time is reached."""

import asyncio
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.doors import GrpcDoor, HttpDoor
from tests.fuzz.exchange import DIRECT, GRPC, Answer, Request
from tests.fuzz.growth import Growth
from tests.fuzz.house import House, opened
from tests.fuzz.judge import faults
from tests.fuzz.report import Report
from tests.fuzz.requests import Requests
from tests.fuzz.secrecy import shows_another, versions
from tests.fuzz.tables import Seating, asks_for_news, asks_for_table, seated
from tests.stores import until

WORKERS = 16
TABLES = 3  # of one worker
SAMPLES = 100
FAULTS_MAX = 50  # then there is enough to look at
AFTERLIFE = 0.02  # the chance, before each request, that an ended table is replaced
FILES_MORE = 32  # that a part may hold open after everybody has hung up: pools to the store and to each other


class Worker:
    """Asks one thing after the other, so that it always knows how its tables stand."""

    def __init__(self, house: House, seed: str, report: Report) -> None:
        self._random = Random(seed)
        self._keys = house.keys()
        self._report = report
        self._tables: list[Seating] = []
        self._requests = Requests(self._random, self._tables)
        self._http = HttpDoor(house.host, house.door)
        self._doors = {
            GRPC: GrpcDoor(f"{house.host}:{house.door}"),
            DIRECT: GrpcDoor(f"{house.host}:{house.service}"),
        }

    async def step(self) -> None:
        """Ask one thing, and judge the answer."""
        if len(self._tables) < TABLES:
            await self._sit_down()
            return
        ended = [table for table in self._tables if table.truth.ended]
        if ended and self._random.random() < AFTERLIFE:
            self._tables.remove(self._random.choice(ended))
            self._report.ended += 1
        else:
            await self.ask(self._requests.any())

    async def ask(self, request: Request) -> Answer:
        """Send a request, and judge what comes back."""
        answer = await self._doors.get(request.protocol, self._http).ask(request)
        table = request.table
        if table and (max(versions(answer), default=0) > table.truth.version or shows_another(request, answer)):
            await self._catch_up(table)
        self._report.kinds[request.kind] += 1
        self._report.codes[answer.code] += 1
        for fault in faults(request, answer):
            self._report.found(fault, f"asking {_shown(request)}\n    answered {answer.code} {answer.text[:500]!r}")
        return answer

    async def close(self) -> None:
        """Hang up."""
        await self._http.close()
        for door in self._doors.values():
            await door.close()

    async def _sit_down(self) -> None:
        request = asks_for_table(self._random)
        answer = await self.ask(request)
        if not answer.messages:
            self._report.found("a table that can be played is refused", f"{answer.code} {answer.text}")
            return
        table = seated(request, answer.messages[0], self._keys)
        await self._catch_up(table)
        self._tables.append(table)
        self._report.tables += 1

    async def _catch_up(self, table: Seating) -> None:
        request = asks_for_news(table)
        answer = await self._doors[DIRECT].ask(request)
        for message in answer.messages:
            page: Any = message
            for entry in page.entries:
                table.truth.read(entry.entry)
        self._report.moves += 1
        self._report.kinds[request.kind] += 1
        self._report.codes[answer.code] += 1
        for fault in faults(request, answer):
            self._report.found(fault, f"asking {_shown(request)}")


def _shown(request: Request) -> str:
    content = request.content[:300]
    headers = [(name, value[:60]) for name, value in request.headers][:6]
    where = f"{request.protocol} {request.verb} {request.path[:300]}"
    return f"{request.kind}: {where} {headers} {content!r} as seat {request.seat}"


def fuzz(directory: Path, *, seed: int, requests: int, seconds: float, memory_most: int) -> Report:
    """Ask a house of its own so many things, or for so long, and return what has been seen."""
    with opened(directory) as house:
        report = Report(seed, memory={part: Growth(memory_most) for part in house.pids})
        files = {part: house.files(part) for part in house.pids}
        asyncio.run(_run(house, report, requests, seconds))
        if report.requests < requests and not report.faults:
            report.found("not all requests could be sent", f"in {seconds:g} s")
        _judge_house(house, report, files)
    return report


async def _run(house: House, report: Report, requests: int, seconds: float) -> None:
    began = time.monotonic()
    ends = began + seconds

    async def work(number: int) -> None:
        worker = Worker(house, f"{report.seed}/{number}", report)
        try:
            while report.requests < requests and time.monotonic() < ends and len(report.faults) < FAULTS_MAX:
                await worker.step()
                if report.requests >= requests / SAMPLES * len(report.memory["service"].samples):
                    for part, growth in report.memory.items():
                        growth.take(house.memory(part))
        finally:
            await worker.close()

    async with asyncio.TaskGroup() as workers:
        for number in range(WORKERS):
            workers.create_task(work(number))
    report.seconds = time.monotonic() - began


def _judge_house(house: House, report: Report, files: dict[str, int]) -> None:
    """Judge what it holds once everybody has hung up, and what it has logged."""
    for part, growth in report.memory.items():
        if growth.by() > growth.most:
            report.found(f"the memory of {part} has grown by {growth.by():,} bytes", "after the warm-up")
        try:
            until(partial(_few, house, part, files[part] + FILES_MORE), "it lets go of its files")
        except AssertionError:
            report.found(f"{part} holds {house.files(part)} files open", f"{files[part]} before the run")
    for line in house.errors():
        report.found("an error is logged", line)


def _few(house: House, part: str, most: int) -> bool:
    return house.files(part) <= most
