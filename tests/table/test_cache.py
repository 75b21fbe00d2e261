"""A process holds only so many tables, and only as long as they are of use."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from service.table import Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import NAMES, asked, move, new_table, replica


async def test_it_holds_no_more_tables_than_it_may_and_knows_the_others_again(log: FaultyLog) -> None:
    tables = replica(log, cached_tables=3)
    all_tables = [await new_table(tables) for _ in range(8)]
    assert len(tables.shelf.live) == 3
    for table in all_tables:
        assert (await move(tables, table)).table.head.version == table.head.version + 1
        assert (await tables.look(table.charter.table_id)).seating.names == NAMES


async def test_the_table_used_last_stays(log: FaultyLog) -> None:
    tables = replica(log, cached_tables=2)
    first, second = [await new_table(tables) for _ in range(2)]
    await tables.look(first.charter.table_id)
    await new_table(tables)
    assert next(iter(tables.shelf.live._tables)) == first.charter.table_id
    assert second.charter.table_id not in tables.shelf.live._tables


async def test_tables_in_use_stay_although_there_are_too_many(log: FaultyLog) -> None:
    tables = replica(log, cached_tables=1)
    watched = [await new_table(tables) for _ in range(3)]
    async with AsyncExitStack() as stack:
        for table in watched:
            await stack.enter_async_context(tables.watch(table.charter.table_id, lambda change: None))
        assert len(tables.shelf.live) == 3
        await new_table(tables)
        tables.shelf.live._idle_seconds = -1
        tables.shelf.live.forget_idle()
        assert set(tables.shelf.live._tables) == {table.charter.table_id for table in watched}
    await tables.shelf.drain()
    await new_table(tables)
    assert len(tables.shelf.live) == 1


async def test_a_table_that_somebody_waits_for_is_not_forgotten(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    tables.shelf.live._idle_seconds = -1
    log.gate.clear()
    log.asked.clear()
    commands = [asyncio.ensure_future(tables.act(table.charter.table_id, asked(table))) for _ in range(3)]
    await log.asked.wait()
    held = set()
    log.gate.set()
    while len(tables.shelf._tasks) > 1:
        tables.shelf.live.forget_idle()
        held.add(id(tables.shelf.live[table.charter.table_id]))
        await asyncio.sleep(0)
    await asyncio.gather(*commands, return_exceptions=True)
    assert len(held) == 1


async def test_idle_tables_are_forgotten(log: FaultyLog, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = replica(log, cached_idle_seconds=60)
    idle, used = await new_table(tables), await new_table(tables)
    later = tables.shelf.live[idle.charter.table_id].used + 61
    monkeypatch.setattr("service.live.time.monotonic", lambda: later)
    await tables.look(used.charter.table_id)
    tables.shelf.live.forget_idle()
    assert list(tables.shelf.live._tables) == [used.charter.table_id]


async def test_tidying_goes_on_for_ever(log: FaultyLog) -> None:
    tables = replica(log, cached_idle_seconds=0.0)
    tidying = asyncio.ensure_future(tables.shelf.tidy())
    for _ in range(3):
        await new_table(tables)
        for _ in range(3):
            await asyncio.sleep(0)
        assert len(tables.shelf.live) == 0
    tidying.cancel()
