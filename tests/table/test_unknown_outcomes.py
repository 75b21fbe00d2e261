"""A move is neither lost nor doubled when the store does not answer."""

import asyncio
from collections import Counter

import pytest

from service.fold import RUNNING
from service.log import LogUnavailable
from service.table import Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import asked, move, new_table, play, replica


async def test_a_command_that_was_written_without_an_answer_is_done_once(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    log.lost_answers = 3
    done = await move(tables, table)
    assert done.table.head.version == table.head.version + 1
    assert len(log.entries(table.charter.table_id)) == table.head.version + 1


async def test_a_command_that_was_not_written_is_sent_again(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    log.lost_appends = 3
    done = await move(tables, table)
    assert not done.duplicate
    assert len(log.entries(table.charter.table_id)) == table.head.version + 1


@pytest.mark.parametrize("written", [True, False])
async def test_who_is_told_that_the_log_is_away_repeats_the_command_and_it_is_done_once(
    log: FaultyLog, written: bool
) -> None:
    tables = replica(log, unknown_outcomes=2)
    table = await new_table(tables)
    command = asked(table)
    log.lost_answers, log.lost_appends = (2, 0) if written else (0, 2)
    with pytest.raises(LogUnavailable):
        await tables.act(table.charter.table_id, command)
    done = await tables.act(table.charter.table_id, command)
    assert done.duplicate is written
    assert done.table.head.version == table.head.version + 1
    assert len(log.entries(table.charter.table_id)) == table.head.version + 1


async def test_nothing_is_refused_while_the_newest_state_cannot_be_read(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    command = asked(table)
    await tables.act(table.charter.table_id, command)
    log.down = True
    for attempt in (asked(table), command):  # neither a refusal nor a repetition can be answered for sure
        with pytest.raises(LogUnavailable):
            await tables.act(table.charter.table_id, attempt)
    with pytest.raises(LogUnavailable):
        await tables.look(table.charter.table_id)
    log.down = False
    assert (await play(tables, await tables.look(table.charter.table_id))).status != RUNNING


async def test_a_table_first_asked_for_while_the_log_is_away_is_there_afterwards(
    log: FaultyLog, tables: Tables, others: Tables
) -> None:
    table = await new_table(tables)
    log.down = True
    with pytest.raises(LogUnavailable):
        await others.look(table.charter.table_id)
    log.down = False
    assert (await others.look(table.charter.table_id)).head == table.head


async def test_a_game_is_finished_exactly_over_a_log_that_fails_all_the_time(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables, seats=3)
    faults = 0
    while table.status == RUNNING:
        faults += 1
        log.lost_answers, log.lost_appends = faults % 3, faults % 2
        table = (await move(tables, table)).table
    ids = Counter(table.commands.values())
    assert set(ids.values()) == {1}
    assert (await replica(log).look(table.charter.table_id)).head == table.head


async def test_a_move_is_made_although_its_caller_hangs_up(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    log.asked.clear()
    log.gate.clear()
    caller = asyncio.ensure_future(move(tables, table))
    await log.asked.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    log.gate.set()
    await tables.shelf.drain()
    assert (await tables.look(table.charter.table_id)).head.version == table.head.version + 1
