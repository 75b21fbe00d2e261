"""Processes that write to one table at a time take turns, although the store would let the first be first for ever."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from service.draft import Founding
from service.games import GAMES
from service.games.double_speed.cards import Card
from service.games.double_speed.commands import Unblock
from service.live import GIVE_WAY_SECONDS
from service.table import Asked, Tables
from tests.table.playing import moves, new_id, new_table

RACE = GAMES["double_speed"]
NONE_FITS = tuple(
    map(Card.parse, ("Ro-Gq", "Ro-Bt", "Ro-Ys", "Gq-Bt", "Gq-Ys", "Bt-Ys"))
)  # so that all may always unblock


class Clock:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("service.live.time", clock)
    monkeypatch.setattr(asyncio, "sleep", clock.sleep)
    return clock


async def stuck(tables: Tables) -> str:
    """Return a table at which all seats may unblock, whatever the others do."""
    options = RACE.options(deck=NONE_FITS, hand_limit=1)
    done = await tables.create("somebody", new_id(), Founding(RACE, options, (b"", b""), spectators=False))
    return done.table.charter.table_id


async def unblock(tables: Tables, table_id: str) -> None:
    await tables.act(table_id, Asked(1, new_id(), Unblock()))


async def watched(tables: Tables, table_id: str, stack: AsyncExitStack) -> None:
    await stack.enter_async_context(tables.watch(table_id, lambda change: None))


async def test_who_has_just_written_lets_others_go_first_where_others_watch_the_table(
    tables: Tables, others: Tables, clock: Clock
) -> None:
    table_id = await stuck(tables)
    async with AsyncExitStack() as stack:
        await watched(others, table_id, stack)
        await unblock(tables, table_id)
        clock.now = 0.001
        await unblock(tables, table_id)
        assert clock.pauses == [pytest.approx(GIVE_WAY_SECONDS - 0.001)]


async def test_who_comes_later_need_not_wait(tables: Tables, others: Tables, clock: Clock) -> None:
    table_id = await stuck(tables)
    async with AsyncExitStack() as stack:
        await watched(others, table_id, stack)
        await unblock(tables, table_id)
        clock.now = GIVE_WAY_SECONDS
        await unblock(tables, table_id)
        assert clock.pauses == []


async def test_who_has_not_written_need_not_wait(tables: Tables, others: Tables, clock: Clock) -> None:
    table_id = await stuck(tables)
    async with AsyncExitStack() as stack:
        await watched(tables, table_id, stack)
        await watched(others, table_id, stack)
        await unblock(tables, table_id)
        await unblock(others, table_id)
        assert clock.pauses == []


async def test_where_the_table_waits_for_one_seat_nobody_waits(tables: Tables, others: Tables, clock: Clock) -> None:
    table = await new_table(tables)
    async with AsyncExitStack() as stack:
        await watched(others, table.charter.table_id, stack)
        await moves(tables, table, 3)
        assert clock.pauses == []


async def test_where_nobody_else_watches_the_table_nobody_waits(tables: Tables, clock: Clock) -> None:
    table_id = await stuck(tables)
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await watched(tables, table_id, stack)
            await unblock(tables, table_id)
        await unblock(tables, table_id)
        assert clock.pauses == []
    await unblock(tables, table_id)
    assert clock.pauses == []
