"""A rematch: whoever asks first creates it, and everybody finds the same one and the same seat there."""

import asyncio
from dataclasses import replace

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.entry import TABLE_ID
from service.fold import CLOSED, EXPIRED, FORMING, RUNNING, Table
from service.log import LogUnavailable
from service.objections import CommandIdReused, NotEnded, SeatNotOpen, TableEnded
from service.seating import BOT, OPEN, PERSON
from service.shard import shard
from service.table import Asked, Done, Tables
from service.terms import Clock, Terms
from tests.table.clockwork import Clockwork
from tests.table.faulty_log import FaultyLog
from tests.table.playing import KEYS, NAMES, asked, founding, new_id, new_table, play, replica

STEADY = table_pb2.BOT_STRENGTH_STEADY


async def ended(tables: Tables, seats: int = 2) -> Table:
    table = await new_table(tables, seats)
    return (await tables.close(table.charter.table_id, new_id())).table


async def come(
    tables: Tables, before: Table, seat: int, command_id: bytes = b"", name: str = "", given: bytes = b""
) -> Done:
    """Let a seat come to the rematch."""
    rematch = (await tables.rematch(before)).table.charter
    wanted = entry_pb2.TakeSeat(seat=seat, contribution=given, again=True)
    return await tables.rejoin(rematch.table_id, command_id or new_id(), wanted, name)


async def test_it_is_the_same_once_more_beside_the_table_before(tables: Tables) -> None:
    asking = replace(
        founding(3, spectators=True),
        names={**NAMES, 3: "Botty"},
        bots={3: STEADY},
        terms=Terms(clock=Clock(per_command_ms=5_000), listed=True),
    )
    table = (await tables.create("somebody", new_id(), asking)).table
    before = (await tables.close(table.charter.table_id, new_id())).table
    rematch = (await tables.rematch(before)).table
    then, now = before.charter, rematch.charter
    unlisted = replace(then.terms, listed=False)  # nobody is to take a seat before those who had it
    assert (now.game, now.options, now.terms, now.spectators) == (then.game, then.options, unlisted, True)
    assert [chair.kind for chair in now.founded.chairs] == [OPEN, OPEN, BOT]
    assert rematch.seating.names == {3: "Botty"}
    assert (rematch.status, now.rematch_of) == (FORMING, then.table_id)
    assert shard(now.table_id) == shard(then.table_id)
    assert TABLE_ID.fullmatch(now.table_id)
    assert now.root != then.root


async def test_it_begins_when_the_last_has_come(tables: Tables) -> None:
    before = await ended(tables)
    first = await come(tables, before, 2, name="Grace")
    last = await come(tables, before, 1, name="Ada")
    assert (first.table.status, last.table.status) == (FORMING, RUNNING)
    assert last.table.seating.names == {1: "Ada", 2: "Grace"}
    await play(tables, last.table)


async def test_there_is_none_before_the_end(tables: Tables) -> None:
    with pytest.raises(NotEnded):
        await tables.rematch(await new_table(tables))


async def test_all_who_ask_at_once_come_to_one_table(tables: Tables, others: Tables) -> None:
    before = await ended(tables, seats=4)
    here = [come(process, before, seat) for seat in before.charter.seats for process in (tables, others)]
    dones = await asyncio.gather(*here)
    assert len({done.table.charter.table_id for done in dones}) == 1
    assert sum(not done.duplicate for done in dones) == 4
    table = await tables.look(dones[0].table.charter.table_id)
    assert [(chair.kind, chair.again) for chair in table.seating.chairs] == [(PERSON, True)] * 4
    assert table.status == RUNNING


async def test_who_asks_again_has_the_same_seat(tables: Tables, others: Tables) -> None:
    before, command_id = await ended(tables), new_id()
    first = await come(tables, before, 1, command_id)
    for again in (await come(others, before, 1, command_id), await come(others, before, 1)):
        assert (again.duplicate, again.entries, again.table.head) == (True, first.entries, first.table.head)


async def test_the_same_id_with_another_contribution_is_refused(tables: Tables) -> None:
    before, command_id = await ended(tables), new_id()
    await come(tables, before, 1, command_id)
    with pytest.raises(CommandIdReused):
        await come(tables, before, 1, command_id, given=b"1" * 32)


async def test_who_has_left_it_may_come_back_while_the_seat_is_open(tables: Tables) -> None:
    before = await ended(tables)
    first = (await come(tables, before, 1)).entries[0]
    leaving = Asked(1, new_id(), entry_pb2.LeaveSeat(), since=first.version)
    left = (await tables.host((await tables.rematch(before)).table.charter.table_id, leaving)).table
    assert left.seating.chair(1).kind == OPEN
    again = await come(tables, before, 1)
    assert (again.duplicate, again.entries[0].seat) == (False, 1)
    assert again.entries[0].version > first.version


async def test_a_seat_that_somebody_else_was_invited_to_is_not_given_away_twice(tables: Tables) -> None:
    before = await ended(tables)
    rematch = (await tables.rematch(before)).table.charter.table_id
    await tables.join(rematch, new_id(), entry_pb2.TakeSeat(seat=1), "Guest")
    with pytest.raises(SeatNotOpen):
        await come(tables, before, 1)
    await come(tables, before, 2)


async def test_who_has_not_come_in_time_is_told_that_it_is_over_and_who_has_has_the_seat(tables: Tables) -> None:
    before = await ended(tables)
    first = await come(tables, before, 1)
    await tables.close(first.table.charter.table_id, new_id())
    with pytest.raises(TableEnded):
        await come(tables, before, 2)
    assert (await come(tables, before, 1)).entries == first.entries


async def test_an_ended_table_names_its_rematch_to_every_process(tables: Tables, others: Tables) -> None:
    before = await ended(tables)
    table_id = before.charter.table_id
    assert (await others.look(table_id)).rematch == ""
    rematch = (await tables.rematch(before)).table
    assert [(await process.look(table_id)).rematch for process in (tables, others)] == [rematch.charter.table_id] * 2


async def test_a_rematch_has_a_rematch(tables: Tables) -> None:
    first = await ended(tables)
    second = (await tables.rematch(first)).table
    over = (await tables.close(second.charter.table_id, new_id())).table
    third = (await tables.rematch(over)).table
    assert third.charter.rematch_of == second.charter.table_id
    assert len({table.charter.table_id for table in (first, second, third)}) == 3


async def test_a_rematch_whose_creation_was_not_answered_is_found_by_the_next_try(log: FaultyLog) -> None:
    tables = replica(log, unknown_outcomes=1)
    before = await ended(tables)
    log.lost_answers = 1
    with pytest.raises(LogUnavailable):
        await tables.rematch(before)
    found = await tables.rematch(before)
    assert (found.duplicate, await log.rematch(before.charter.table_id)) == (True, found.table.charter.table_id)


async def test_a_table_that_never_filled_has_a_rematch_with_the_same_seats_open(log: FaultyLog) -> None:
    here = Clockwork(log)
    table = await here.create("double_tricks", 3, Terms(), open_seats=(2, 3))
    before = await here.on_time(table)
    rematch = (await here.tables.rematch(before)).table
    assert (before.status, rematch.seating.open_seats) == (EXPIRED, (1, 2, 3))
    over = await here.on_time(rematch)
    assert over.status == EXPIRED
    await here.verified(over)


async def test_nobody_has_to_come_where_only_bots_sat(log: FaultyLog) -> None:
    here = Clockwork(log)
    bots = {1: STEADY, 2: STEADY}
    table = await here.create("double_tricks", 2, Terms(), bots=bots)
    before = (await here.tables.close(table.charter.table_id, new_id())).table
    rematch = await here.play((await here.tables.rematch(before)).table)
    assert (before.status, len(rematch.standings)) == (CLOSED, 2)
    await here.verified(rematch)


async def test_a_played_rematch_verifies(log: FaultyLog) -> None:
    here = Clockwork(log)
    before = await ended(here.tables)
    await come(here.tables, before, 1, given=b"1" * 32)
    table = (await come(here.tables, before, 2, given=b"2" * 32)).table
    while table.status == RUNNING:
        table = (await here.tables.act(table.charter.table_id, asked(table))).table
    await here.verified(table)


async def test_the_id_of_a_rematch_cannot_be_told_without_the_operators_key(log: FaultyLog) -> None:
    before = await ended(replica(log))
    bits = {KEYS.rematch_id_bits(before.charter.table_id), KEYS.table_id_bits(before.charter.table_id, b"")}
    assert len(bits) == 2
