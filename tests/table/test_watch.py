"""Whoever watches a table is told every version once and in order."""

import asyncio
import random

import pytest
from structlog.testing import capture_logs

from service.fold import RUNNING, Step
from service.history import NoSuchTable
from service.live import Change
from service.log import LogUnavailable, Page
from service.table import Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import asked, move, moves, new_table, play, replica


def versions(told: list[Change]) -> list[int]:
    return [change.table.head.version for change in told if isinstance(change, Step)]


async def test_every_version_is_told_once_and_in_order_whoever_wrote_it(
    log: FaultyLog, tables: Tables, others: Tables
) -> None:
    table = await new_table(tables, seats=3)
    chance = random.Random(3)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append) as begun:
        while table.status == RUNNING:
            table = (await chance.choice([tables, others]).act(table.charter.table_id, asked(table, chance))).table
        await tables.shelf.drain()
    assert versions(told) == list(range(begun.head.version + 1, table.head.version + 1))
    assert isinstance(told[-1], Step)
    assert told[-1].table.head == table.head


async def test_lost_pushes_are_made_up_for_by_the_next_one(log: FaultyLog, tables: Tables, others: Tables) -> None:
    table = await new_table(tables)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append) as begun:
        log.deaf = True
        table = await moves(others, table, 2)
        assert told == []
        log.deaf = False
        table = (await move(others, table)).table
        await tables.shelf.drain()
        assert versions(told) == list(range(begun.head.version + 1, table.head.version + 1))


async def test_a_gap_in_the_pushes_is_filled_from_the_log(log: FaultyLog, tables: Tables, others: Tables) -> None:
    table = await new_table(tables)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append) as begun:
        log.deaf = True
        table = await moves(others, table, 3)
        log.deaf = False
        log.announce_gap(table.charter.table_id)
        await tables.shelf.drain()
        assert versions(told) == list(range(begun.head.version + 1, table.head.version + 1))


async def test_pushes_that_come_late_or_twice_change_nothing(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append):
        table = await moves(tables, table, 3)
        reads, before = log.reads, list(told)
        for change in before:
            assert isinstance(change, Step)
            version = change.entry.version
            log.push(table.charter.table_id, Page(version - 1, (change.data,), change.table.head))
        await tables.shelf.drain()
        assert told == before
        assert log.reads == reads


async def test_a_push_that_overtakes_a_read_is_no_other_history(
    log: FaultyLog, tables: Tables, others: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await new_table(others)
    told: list[Change] = []
    read = log.store.read

    async def overtaken(table_id: str, after: int, limit: int) -> Page:
        page = await read(table_id, after, limit)
        monkeypatch.undo()
        await move(others, table)
        return page

    async with tables.watch(table.charter.table_id, told.append):
        monkeypatch.setattr(log.store, "read", overtaken)
        with capture_logs() as lines:
            await tables.look(table.charter.table_id)
        assert versions(told) == [3]
        assert (len(told), lines) == (1, [])


async def test_a_push_that_cannot_be_understood_ends_the_watching_and_harms_nobody_else(
    log: FaultyLog, tables: Tables, others: Tables
) -> None:
    table = await new_table(tables)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append):
        strange = b"from the future"
        head = table.head.after(table.charter.table_id, strange)
        log.rewrite(table.charter.table_id, [*log.entries(table.charter.table_id), strange])
        log.push(table.charter.table_id, Page(table.head.version, (strange,), head))
        await tables.shelf.drain()
    assert [type(change).__name__ for change in told] == ["Lost"]


async def test_who_joins_in_the_middle_sees_the_table_as_it_is_and_then_every_step(tables: Tables) -> None:
    table = await moves(tables, await new_table(tables), 3)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append) as begun:
        assert begun.head == table.head
        table = await play(tables, table)
    assert versions(told) == list(range(begun.head.version + 1, table.head.version + 1))


async def test_many_watchers_share_one_subscription_and_leave_nothing_behind(
    log: FaultyLog, tables: Tables, others: Tables
) -> None:
    table = await new_table(tables)
    all_told: list[list[Change]] = [[] for _ in range(20)]
    arrived, done = asyncio.Barrier(21), asyncio.Event()

    async def watch(told: list[Change]) -> None:
        async with tables.watch(table.charter.table_id, told.append):
            await arrived.wait()
            await done.wait()

    async with asyncio.TaskGroup() as group:
        for told in all_told:
            group.create_task(watch(told))
        await arrived.wait()
        assert log.inboxes(table.charter.table_id) == 1
        await moves(others, table, 3)
        await tables.shelf.drain()
        done.set()
    await tables.shelf.drain()
    assert {tuple(versions(told)) for told in all_told} == {(3, 4, 5)}
    assert log.inboxes(table.charter.table_id) == 0
    tables.shelf.live._idle_seconds = -1
    tables.shelf.live.forget_idle()
    assert len(tables.shelf.live) == 0


async def test_coming_and_going_at_the_same_time_loses_no_subscription(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    told: list[Change] = []
    watch = tables.watch(table.charter.table_id, lambda change: None)
    await watch.__aenter__()
    await watch.__aexit__(None, None, None)  # closes the subscription soon …
    async with tables.watch(table.charter.table_id, told.append):  # … but somebody needs it
        await tables.shelf.drain()
        assert log.inboxes(table.charter.table_id) == 1
        await move(replica(log), table)
        await tables.shelf.drain()
        assert versions(told) == [3]


async def test_who_cannot_watch_leaves_nothing_behind(log: FaultyLog, tables: Tables) -> None:
    missing = "00.aaaaaaaaaaaaaaaaaa"
    with pytest.raises(NoSuchTable):
        async with tables.watch(missing, lambda change: None):
            pytest.fail("there is no such table")
    await tables.shelf.drain()
    table = await new_table(tables)
    log.down = True
    with pytest.raises(LogUnavailable):
        async with tables.watch(table.charter.table_id, lambda change: None):
            pytest.fail("the log is away")
    await tables.shelf.drain()
    assert log.inboxes(missing) == log.inboxes(table.charter.table_id) == 0
