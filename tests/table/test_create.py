"""A table is created once for each creator and command id."""

import asyncio
from dataclasses import replace

import pytest

from service.draft import Founding
from service.history import NoSuchTable
from service.log import LogUnavailable
from service.objections import CommandIdReused
from service.seal import MasterKeys
from service.table import Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import KEYS, NAMES, SHORT, founding, move, moves, new_id, new_table, replica


async def test_the_same_request_finds_the_same_table_everywhere(log: FaultyLog, tables: Tables, others: Tables) -> None:
    command_id = new_id()
    first = await tables.create("somebody", command_id, founding())
    for process in (tables, others, replica(log)):
        again = await process.create("somebody", command_id, founding())
        assert (again.duplicate, again.table.head) == (True, first.table.head)
        assert again.table.seating.names == NAMES


async def test_a_repeated_request_is_answered_with_the_first_outcome_although_the_game_went_on(tables: Tables) -> None:
    command_id = new_id()
    first = await tables.create("somebody", command_id, founding())
    await moves(tables, first.table, 3)
    again = await tables.create("somebody", command_id, founding())
    assert (again.table.head, again.entries) == (first.table.head, first.entries)


@pytest.mark.parametrize(
    "other",
    [
        founding(seats=3),
        founding(options=replace(SHORT, exact_bonus=7)),
        founding(spectators=True),
        replace(founding(), contributions=(b"c" * 32, b"")),
        replace(founding(), names={**NAMES, 1: "Somebody Else"}),
    ],
)
async def test_the_same_id_with_another_content_is_refused(tables: Tables, others: Tables, other: Founding) -> None:
    command_id = new_id()
    await tables.create("somebody", command_id, founding())
    for process in (tables, others):
        with pytest.raises(CommandIdReused):
            await process.create("somebody", command_id, other)


async def test_the_same_id_of_another_creator_makes_another_table(tables: Tables) -> None:
    command_id = new_id()
    first = await tables.create("somebody", command_id, founding())
    second = await tables.create("somebody else", command_id, founding())
    assert first.table.charter.table_id != second.table.charter.table_id


async def test_two_processes_asked_at_once_create_one_table(tables: Tables, others: Tables) -> None:
    command_id = new_id()
    dones = await asyncio.gather(
        *(process.create("somebody", command_id, founding()) for process in (tables, others) * 5)
    )
    assert len({done.table.head for done in dones}) == 1
    assert sum(not done.duplicate for done in dones) == 1


async def test_a_request_repeated_after_a_new_master_key_finds_its_table(log: FaultyLog, tables: Tables) -> None:
    command_id = new_id()
    first = await tables.create("somebody", command_id, founding())
    rotated = replica(log, MasterKeys("k2", {"k2": b"2" * 32, **KEYS.by_id}))
    again = await rotated.create("somebody", command_id, founding())
    assert again.table.head == first.table.head
    assert (await rotated.create("somebody", new_id(), founding())).table.charter.key_id == "k2"


async def test_a_table_whose_creation_was_not_answered_is_found_by_the_next_try(log: FaultyLog) -> None:
    command_id, tables = new_id(), replica(log, unknown_outcomes=1)
    log.lost_answers = 1
    with pytest.raises(LogUnavailable):
        await tables.create("somebody", command_id, founding())
    done = await tables.create("somebody", command_id, founding())
    assert done.table.seating.names == NAMES
    assert done.table.head == (await replica(log).look(done.table.charter.table_id)).head


async def test_a_table_that_a_failover_lost_can_be_created_again(log: FaultyLog, tables: Tables) -> None:
    command_id = new_id()
    first = await tables.create("somebody", command_id, founding())
    log.delete(first.table.charter.table_id)
    again = await tables.create("somebody", command_id, founding())
    assert not again.duplicate
    assert again.table.charter.table_id == first.table.charter.table_id
    await move(tables, again.table)


async def test_looking_for_a_table_that_is_not_there_leaves_nothing_behind(tables: Tables) -> None:
    with pytest.raises(NoSuchTable):
        await tables.look("00.aaaaaaaaaaaaaaaaaa")
    assert len(tables.shelf.live) == 0


async def test_a_table_can_be_created_while_others_look_for_it(log: FaultyLog, tables: Tables) -> None:
    command_id = new_id()
    table_id = (await replica(FaultyLog()).create("somebody", command_id, founding())).table.charter.table_id
    *looks, done = await asyncio.gather(
        *(tables.look(table_id) for _ in range(3)),
        tables.create("somebody", command_id, founding()),
        return_exceptions=True,
    )
    assert all(isinstance(look, NoSuchTable) for look in looks)
    assert not isinstance(done, BaseException)
    assert (await tables.look(table_id)).seating.names == NAMES


async def test_names_stand_beside_the_log(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    stored = b"".join(log.entries(table.charter.table_id))
    assert not [name for name in NAMES.values() if name.encode() in stored]
    assert await log.names(table.charter.table_id) == NAMES
