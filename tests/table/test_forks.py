"""When the store loses entries, the new history counts, and nobody is left with the old one."""

import pytest
from structlog.testing import capture_logs

from service.fold import RUNNING, Step
from service.games.double_tricks.commands import Bid
from service.history import LogDamaged, NoSuchTable
from service.live import Change, Lost, Reset
from service.log import LogUnavailable
from service.objections import TableEnded
from service.table import Asked, Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import GAME, asked, move, moves, new_id, new_table, play, replica


async def test_a_watcher_gets_a_reset_and_an_error_is_logged(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append):
        before = await moves(tables, table, 3)
        log.truncate(table.charter.table_id, before.head.version - 2)
        with capture_logs() as lines:
            now = await tables.look(table.charter.table_id)
        assert now.head.version == before.head.version - 2
        assert told[-1] == Reset(now)
        assert [(line["event"], line["log_level"]) for line in lines] == [("history changed", "error")]
        await move(tables, now)
        assert isinstance(told[-1], Step)


async def test_the_next_command_is_decided_on_the_new_history(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    kept = (await move(tables, table)).table
    await moves(tables, kept, 2)
    log.truncate(table.charter.table_id, kept.head.version)
    done = await move(tables, kept)
    assert done.table.head.version == kept.head.version + 1
    assert (await play(tables, done.table)).status != RUNNING


async def test_a_command_that_suits_both_histories_stands_in_the_new_one(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables, seats=3)
    (seat,) = GAME.to_act(table.state)
    await tables.act(table.charter.table_id, Asked(seat, new_id(), Bid(0)))
    log.truncate(table.charter.table_id, table.head.version)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append):
        log.deaf = True
        other = (await replica(log).act(table.charter.table_id, Asked(seat, new_id(), Bid(1)))).table
        log.deaf = False
        done = await move(tables, other)
    assert done.table.state.bids[seat - 1] == 1
    assert (await replica(log).look(table.charter.table_id)).head == done.table.head


async def test_a_table_that_the_store_says_has_ended_takes_no_command(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    log.store._ended.add(table.charter.table_id)
    with pytest.raises(TableEnded):
        await move(tables, table)


@pytest.mark.parametrize("went_on", [0, 1, 2, 3])
async def test_a_command_that_was_lost_is_done_again_when_it_is_repeated(
    log: FaultyLog, tables: Tables, others: Tables, went_on: int
) -> None:
    table = await moves(tables, await new_table(tables, seats=3), 1)
    command = asked(table)
    await moves(tables, (await tables.act(table.charter.table_id, command)).table, 2)
    log.truncate(table.charter.table_id, table.head.version)
    if went_on:
        done = await others.act(table.charter.table_id, command)
        await moves(others, done.table, went_on - 1)
    else:
        done = await tables.act(table.charter.table_id, command)
        assert not done.duplicate
    again = await tables.act(table.charter.table_id, command)
    assert again.duplicate
    assert again.table.head == done.table.head


async def test_a_push_of_the_new_history_is_noticed_although_its_version_is_old(
    log: FaultyLog, tables: Tables, others: Tables
) -> None:
    table = await new_table(tables, seats=3)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append):
        await moves(tables, table, 4)
        log.truncate(table.charter.table_id, table.head.version + 1)
        done = await move(others, await others.look(table.charter.table_id))
        await tables.shelf.drain()
        assert isinstance(told[-1], Reset)
        assert told[-1].table.head == done.table.head


async def test_watchers_are_told_although_the_new_history_could_not_be_read_at_once(
    log: FaultyLog, tables: Tables
) -> None:
    table = await new_table(tables)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append):
        before = await moves(tables, table, 2)
        log.truncate(table.charter.table_id, before.head.version - 1)
        stored = log.entries(table.charter.table_id)
        log.damage(table.charter.table_id, 1, b"damaged")
        with pytest.raises(LogDamaged):
            await tables.look(table.charter.table_id)
        log.rewrite(table.charter.table_id, stored)
        now = await tables.look(table.charter.table_id)
        assert told[-1] == Reset(now)


async def test_a_deleted_table_is_gone_for_everybody(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    told: list[Change] = []
    command = asked(table)
    await tables.act(table.charter.table_id, command)
    async with tables.watch(table.charter.table_id, told.append):
        log.delete(table.charter.table_id)
        log.announce_gap(table.charter.table_id)
        await tables.shelf.drain()
        assert isinstance(told[-1], Lost)
        for attempt in (
            tables.act(table.charter.table_id, command),
            tables.act(table.charter.table_id, asked(table)),
            tables.look(table.charter.table_id),
            tables.steps(table.charter.table_id, 0),
        ):
            with pytest.raises(NoSuchTable):
                await attempt
    await tables.shelf.drain()
    assert len(tables.shelf.live) == 0


async def test_a_watcher_is_told_when_the_log_cannot_be_followed(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    told: list[Change] = []
    async with tables.watch(table.charter.table_id, told.append):
        log.down = True
        log.announce_gap(table.charter.table_id)
        await tables.shelf.drain()
        assert isinstance(told[-1], Lost)
        with pytest.raises(LogUnavailable):
            await tables.look(table.charter.table_id)
