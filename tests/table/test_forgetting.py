"""Ended tables leave the store when the operator wants them to, and never come again."""

import pytest
from structlog.testing import capture_logs

from service.duty import Patience
from service.fold import CLOSED, Table
from service.history import NoSuchTable
from service.log import GENESIS
from service.objections import TableEnded
from service.table import Tables
from service.terms import UNHURRIED
from tests.table.clockwork import Clockwork
from tests.table.faulty_log import FaultyLog
from tests.table.playing import founding, new_id, replica
from tests.tables import appending, armed
from tests.tables import new_id as new_table_id

ENDED_MS = 60_000


@pytest.fixture
def here(log: FaultyLog) -> Clockwork:
    return Clockwork(log, Patience(ended_ms=ENDED_MS))


async def ended(here: Clockwork) -> Table:
    table = await here.create("double_tricks", 2, UNHURRIED)
    return (await here.tables.close(table.charter.table_id, new_id())).table


async def test_an_ended_table_is_seen_until_its_time_is_over_and_not_afterwards(here: Clockwork) -> None:
    table = await ended(here)
    await here.pass_time(ENDED_MS - 1)
    await here.tables.time.tick(table.charter.table_id)
    assert (await here.look(table)).status == CLOSED
    await here.pass_time(1)
    await here.tables.time.tick(table.charter.table_id)
    with pytest.raises(NoSuchTable):
        await here.look(table)


async def test_a_sweep_finds_what_is_to_be_forgotten(here: Clockwork, log: FaultyLog) -> None:
    table = await ended(here)
    await here.pass_time(2 * ENDED_MS)
    await here.tables.time.sweep()
    await here.tables.shelf.drain()
    assert (await log.read(table.charter.table_id, 0, 1)).head == GENESIS
    assert (await log.sweep(here.now_ms, 0, 1, 0)).late == ()


async def test_another_process_that_remembers_the_table_says_that_it_is_gone_and_raises_no_alarm(
    here: Clockwork, others: Tables
) -> None:
    table = await ended(here)
    await others.look(table.charter.table_id)
    await here.pass_time(ENDED_MS)
    await here.tables.time.tick(table.charter.table_id)
    with capture_logs() as lines, pytest.raises(NoSuchTable):
        await others.look(table.charter.table_id)
    assert lines == []


async def test_where_ended_tables_stay_one_that_was_to_go_stays_too(here: Clockwork, log: FaultyLog) -> None:
    table = await ended(here)
    staying = Clockwork(log, Patience())
    staying.now_ms = here.now_ms + 2 * ENDED_MS
    await staying.tables.time.tick(table.charter.table_id)
    assert (await staying.look(table)).status == CLOSED
    assert (await log.sweep(staying.now_ms, 0, 1, 0)).late == ()


async def test_a_table_whose_end_the_store_has_lost_is_not_forgotten(here: Clockwork, log: FaultyLog) -> None:
    table = await ended(here)
    await here.pass_time(ENDED_MS)
    log.truncate(table.charter.table_id, table.head.version - 1)
    log.store._ended.clear()
    await here.tables.time.tick(table.charter.table_id)
    assert not (await here.look(table)).has_ended


async def test_the_request_that_created_a_forgotten_table_creates_no_other(log: FaultyLog, here: Clockwork) -> None:
    command_id = new_id()
    table_id = (await here.tables.create("somebody", command_id, founding())).table.charter.table_id
    await here.tables.close(table_id, new_id())
    await here.pass_time(ENDED_MS)
    await here.tables.time.tick(table_id)
    for process in (here.tables, replica(log)):
        with pytest.raises(TableEnded):
            await process.create("somebody", command_id, founding())


async def test_a_due_time_of_a_table_that_never_was_is_taken_away(here: Clockwork, log: FaultyLog) -> None:
    await log.append(armed(appending(new_table_id(), GENESIS), here.now_ms, here.now_ms))
    here.now_ms += 1_000
    await here.tables.time.sweep()
    await here.tables.shelf.drain()
    assert (await log.sweep(here.now_ms, 0, 1, 0)).late == ()
