"""The store goes away for longer than a clock runs: afterwards nobody has lost time by that, as the logs say."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.alarms import now_ms
from service.audit.exported import Exported
from service.audit.verify import walk
from service.kit.game import CHANCE
from service.sweep import OUTAGE_MS
from tests.process import Process
from tests.torture.caller import Manners
from tests.torture.complaints import complaints
from tests.torture.fleet import sailing
from tests.torture.judge import Stored, judge
from tests.torture.loner import HURRY, KINDS, Loner, Ways
from tests.torture.store_log import stored_tables
from tests.torture.tally import Tally

FROM_NOW_ON = table_pb2.TIME_OUT_BOT_FROM_NOW_ON
KEY = bytes(range(32))
AWAY_SECONDS = OUTAGE_MS / 1000 + 2
GONE = next(kind for kind in KINDS if kind[0] == Ways(FROM_NOW_ON, gone=True) and kind[1].name == "double_tricks")
TABLES = 4

Strike = Callable[[Process], Awaitable["Time"]]


@dataclass(frozen=True, slots=True)
class Time:
    """A time, in milliseconds since 1970."""

    from_ms: int
    to_ms: int

    def without(self, other: "Time") -> int:
        """Return how long it was, not counting what it has in common with another."""
        shared = min(self.to_ms, other.to_ms) - max(self.from_ms, other.from_ms)
        return self.to_ms - self.from_ms - max(0, shared)


async def freeze(store: Process) -> Time:
    store.signal(signal.SIGSTOP)
    from_ms = now_ms()
    await asyncio.sleep(AWAY_SECONDS)
    to_ms = now_ms()
    store.signal(signal.SIGCONT)
    return Time(from_ms, to_ms)


async def kill(store: Process) -> Time:
    await store.kill()
    from_ms = now_ms()
    await asyncio.sleep(AWAY_SECONDS)
    to_ms = now_ms()
    await store.ready()
    return Time(from_ms, to_ms)


async def test_nobody_is_run_out_for_the_time_that_the_store_was_away(tmp_path_factory: pytest.TempPathFactory) -> None:
    await asyncio.gather(*(outage(strike, tmp_path_factory.mktemp(strike.__name__)) for strike in (freeze, kill)))


async def outage(strike: Strike, directory: Path) -> None:
    """Let nobody answer at some tables, take the store away meanwhile, and look into the logs."""
    tally = Tally()
    async with sailing(2, directory, KEY) as fleet:
        loners = [Loner(fleet, GONE, f"outage {number}", Manners(), tally) for number in range(TABLES)]
        async with asyncio.TaskGroup() as playing:
            tasks = [playing.create_task(loner.play()) for loner in loners]
            await tally.more("seen", 2 * TABLES)
            away = await strike(fleet.store)
        tables = await stored_tables(fleet.socket)
    assert [finding for task in tasks for finding in judge(task.result(), tables[task.result().table_id])] == []
    assert complaints(directory) == []
    assert len(tables) == TABLES
    for table_id, stored in tables.items():
        check(table_id, stored, away)


def check(table_id: str, stored: Stored, away: Time) -> None:
    """Fail unless the clocks stood still while the store was away, and everybody had the time that the terms say."""
    ended_ms = entry_pb2.Entry.FromString(stored.entries[-1][1]).time_ms
    if ended_ms > away.to_ms:
        (pause,) = paused(stored)
        assert (min(pause.from_ms, away.from_ms), max(pause.to_ms, away.to_ms)) == (pause.from_ms, pause.to_ms)
    waits = list(waited(table_id, stored))
    assert waits
    assert all(wait.without(away) >= HURRY.ToMilliseconds() for wait in waits)


def paused(stored: Stored) -> Iterator[Time]:
    """Return when a log says that all clocks stood still."""
    for _, data in stored.entries:
        command = entry_pb2.Entry.FromString(data).command.table
        if command.HasField("pause_clocks"):
            yield Time(command.pause_clocks.from_ms, command.pause_clocks.to_ms)


def waited(table_id: str, stored: Stored) -> Iterator[Time]:
    """Return from when to when a table had waited for each seat whose time ran out, pauses and all."""
    since: dict[int, int] = {}
    for checked in walk(Exported(table_id, tuple(data for _, data in stored.entries))):
        assert checked.step is not None
        entry, to_act = checked.step.entry, checked.step.table.seats_to_act
        if isinstance(entry.command, entry_pb2.RunOutClock):
            yield Time(since[entry.command.seat], entry.time_ms)
        acted = CHANCE if entry.seat == CHANCE else entry.seat
        since = {seat: since[seat] if seat in since and seat != acted else entry.time_ms for seat in to_act}
