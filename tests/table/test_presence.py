"""Presence: the log says who is connected, and a table whose people are all gone ends when its time has come."""

import asyncio
import random

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.fold import ABANDONED, FINISHED, FORMING, RUNNING, Table
from service.games import GAMES
from service.objections import Stale, TableFull
from service.shelf import TableLimits
from service.table import Asked
from service.terms import Clock, Terms
from tests.table.clockwork import NOON_MS, PATIENCE, Clockwork
from tests.table.playing import new_id

STEADY = table_pb2.BOT_STRENGTH_STEADY
MINUTE = 60_000
FOLLOWED = Terms(gone_after_ms=MINUTE)
ONE, OTHER = b"one     ", b"other   "  # processes


async def note(here: Clockwork, table: Table, *seats: int, process: bytes = ONE) -> Table:
    """Note that the people at these seats are connected through a process, and no others."""
    there = {(seat, table.seating.chair(seat).since) for seat in seats}
    await here.tables.note_presence(table.charter.table_id, process, lambda: there)
    return await here.look(table)


async def later(here: Clockwork, table: Table, milliseconds: int) -> Table:
    """Let time go by, and what is due be done."""
    await here.pass_time(milliseconds)
    await here.tables.time.tick(table.charter.table_id)
    return await here.look(table)


def connected(table: Table) -> list[int]:
    return [seat for seat in table.charter.seats if table.seating.chair(seat).processes]


async def test_a_person_is_connected_as_long_as_through_any_process(here: Clockwork) -> None:
    table = await here.create("double_tricks", 3, FOLLOWED)
    for process, seats, then in ((ONE, (1, 2), [1, 2]), (OTHER, (2,), [1, 2]), (ONE, (), [2]), (OTHER, (), [])):
        table = await note(here, table, *seats, process=process)
        assert connected(table) == then


async def test_what_the_log_says_already_is_not_noted_again(here: Clockwork) -> None:
    table = await note(here, await here.create("double_tricks", 2, FOLLOWED), 1)
    assert (await note(here, table, 1)).head == table.head


async def test_a_change_is_noted_once_however_many_processes_see_it(here: Clockwork, there: Clockwork) -> None:
    table = await note(here, await here.create("double_tricks", 2, FOLLOWED), 1, 2)
    gone = (process.tables.note_presence(table.charter.table_id, ONE, tuple) for process in (here, there, here, there))
    await asyncio.gather(*gone)
    steps = await here.tables.steps(table.charter.table_id, table.head.version)
    assert [(step.entry.seat, step.entry.command.seat, step.entry.command.connected) for step in steps] == [
        (0, 1, False),
        (0, 2, False),
    ]


async def test_where_the_terms_do_not_ask_for_it_nothing_is_noted_and_nothing_ends(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms())
    assert (await note(here, table, 1)).head == table.head
    assert (await later(here, table, 1_000 * MINUTE)).head == table.head


async def test_a_table_that_nobody_ever_comes_to_is_abandoned_when_its_time_has_come(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, FOLLOWED)
    assert (await later(here, table, MINUTE + PATIENCE.grace_ms - 1)).status == RUNNING
    table = await later(here, table, 1)
    assert (table.status, table.standings, table.updated_ms) == (ABANDONED, (), here.now_ms)
    assert (await here.verified(table)).status == "abandoned"


async def test_it_is_abandoned_when_the_last_has_been_gone_for_long_enough_and_not_before(here: Clockwork) -> None:
    table = await note(here, await here.create("double_tricks", 2, FOLLOWED), 1, 2)
    table = await note(here, await later(here, table, 10 * MINUTE), 2)
    table = await note(here, await later(here, table, 10 * MINUTE))
    table = await later(here, table, MINUTE - 1)
    assert table.status == RUNNING
    table = await later(here, table, PATIENCE.grace_ms + 1)
    assert table.status == ABANDONED
    await here.verified(table)


async def test_who_returns_in_time_keeps_the_table(here: Clockwork) -> None:
    table = await note(here, await here.create("double_tricks", 2, FOLLOWED), 1)
    table = await later(here, await note(here, table), MINUTE - 1)
    table = await later(here, await note(here, table, 2, process=OTHER), 10 * MINUTE)
    assert table.status == RUNNING


async def test_who_gives_commands_is_there_without_being_connected(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, FOLLOWED)
    table = await later(here, table, MINUTE - 1)
    (seat,) = table.seats_to_act
    table = await later(here, (await here.act(table, seat)).table, MINUTE - 1)
    assert table.status == RUNNING
    assert (await later(here, table, PATIENCE.grace_ms + 1)).status == ABANDONED


async def test_whose_bot_stands_in_does_not_count_until_they_return(here: Clockwork) -> None:
    table = await note(here, await here.create("double_tricks", 2, FOLLOWED), 1)
    leave, back = entry_pb2.LeaveSeat(), entry_pb2.ReturnToSeat()
    left = await here.tables.host(table.charter.table_id, Asked(1, new_id(), leave))
    assert left.table.abandoned_at == here.now_ms + MINUTE
    returned = await here.tables.host(table.charter.table_id, Asked(1, new_id(), back))
    assert returned.table.abandoned_at is None


@pytest.mark.parametrize("game", GAMES)
async def test_bots_play_on_meanwhile_and_the_log_verifies(here: Clockwork, game: str) -> None:
    table = await here.create(game, 4, FOLLOWED, bots={1: STEADY, 2: STEADY, 3: STEADY})
    table = await note(here, table, 4)
    table = (await here.tables.host(table.charter.table_id, Asked(4, new_id(), entry_pb2.LeaveSeat()))).table
    played_from = table.head.version
    table = await here.play(table)
    assert table.status in (ABANDONED, FINISHED)  # whichever comes first
    assert table.head.version > played_from + 10
    await here.verified(table)


async def test_before_the_game_people_are_shown_but_nothing_is_abandoned(here: Clockwork) -> None:
    table = await note(here, await here.create("double_tricks", 3, FOLLOWED, open_seats=(2, 3)), 1, 2)
    assert (table.status, connected(table), table.abandoned_at) == (FORMING, [1], None)
    await here.pass_time(PATIENCE.forming_ms - 1)
    table = await note(here, table)
    begun = await here.tables.host(table.charter.table_id, Asked(0, new_id(), entry_pb2.StartTable(bot=STEADY)))
    assert begun.table.abandoned_at == here.now_ms + MINUTE


async def test_whoever_takes_a_seat_anew_is_not_connected_by_the_one_before(here: Clockwork) -> None:
    table = await here.create("double_tricks", 3, FOLLOWED, open_seats=(2, 3))
    first = await here.tables.join(table.charter.table_id, new_id(), entry_pb2.TakeSeat(seat=2), "First")
    table = await note(here, first.table, 2)
    since = table.seating.chair(2).since
    await here.tables.host(table.charter.table_id, Asked(2, new_id(), entry_pb2.LeaveSeat(), since=since))
    await here.tables.join(table.charter.table_id, new_id(), entry_pb2.TakeSeat(seat=2), "Second")
    await here.tables.note_presence(table.charter.table_id, ONE, lambda: {(2, since)})
    assert connected(await here.look(table)) == []


async def test_nobody_is_gone_longer_for_an_outage_of_the_service(here: Clockwork, there: Clockwork) -> None:
    table = await here.create("double_tricks", 2, FOLLOWED)
    await here.pass_time(20_000)
    there.now_ms = here.now_ms + 10 * MINUTE
    await there.tables.time.sweep()
    await there.tables.shelf.drain()
    table = await there.look(table)
    assert (table.status, table.abandoned_at) == (RUNNING, NOON_MS + 11 * MINUTE)
    table = await later(there, table, MINUTE + PATIENCE.grace_ms - 20_000)
    assert table.status == ABANDONED
    await there.verified(table)


async def test_a_clock_in_a_race_is_not_moved_by_who_is_connected(here: Clockwork) -> None:
    table = await here.create("double_speed", 2, Terms(clock=Clock(per_command_ms=MINUTE), gone_after_ms=MINUTE))
    here.now_ms += 1_000
    assert (await note(here, table, 1)).waiting == table.waiting


async def test_an_expected_version_holds_if_only_presence_was_noted_since(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, FOLLOWED)
    noted = await note(here, await note(here, table, 1), 1, 2)
    (seat,) = table.seats_to_act
    command = next(iter(table.charter.game.legal(table.state, seat)))
    for expected in (table.head.version - 1, noted.head.version + 1):
        with pytest.raises(Stale):
            await here.tables.act(table.charter.table_id, Asked(seat, new_id(), command, expected))
    await here.tables.act(table.charter.table_id, Asked(seat, new_id(), command, table.head.version))


async def test_notes_take_no_room_from_the_game(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, FOLLOWED)
    here.tables.shelf.limits = TableLimits(entries=table.head.version + 1)
    for _ in range(5):
        table = await note(here, await note(here, table, 1))
    (seat,) = table.seats_to_act
    table = (await here.act(table, seat)).table
    with pytest.raises(TableFull):
        await here.act(table, table.seats_to_act[0])


async def test_after_very_many_notes_presence_is_followed_no_more_and_ends_nothing(
    here: Clockwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.fold.NOTES_MAX", 3)
    table = await here.create("double_tricks", 2, FOLLOWED)
    for seats in ((1, 2), (), (1,)):
        table = await note(here, table, *seats)
    assert (table.presence.notes, table.follows_presence, table.abandoned_at) == (3, False, None)
    table = await later(here, table, 100 * MINUTE)
    assert table.status == RUNNING
    await here.verified((await here.tables.close(table.charter.table_id, new_id())).table)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
async def test_whoever_comes_and_goes_at_random_the_game_ends_and_its_log_verifies(
    here: Clockwork, game: str, seed: int
) -> None:
    chance = random.Random(seed)
    terms = Terms(clock=Clock(per_command_ms=MINUTE), gone_after_ms=3 * MINUTE)
    table = await here.create(game, 4, terms, bots={2: STEADY})
    while table.status == RUNNING and table.head.version < 400:
        there_now = (seat for seat in (1, 3, 4) if chance.random() < 0.5)
        await note(here, table, *there_now, process=chance.choice((ONE, OTHER)))
        table = await here.on_time(table) if chance.random() < 0.5 else await later(here, table, 20_000)
    if table.status == RUNNING:
        table = (await here.tables.close(table.charter.table_id, new_id())).table
    await here.verified(table)
