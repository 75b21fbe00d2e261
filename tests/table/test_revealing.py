"""Contributions that are committed to and then revealed: nobody can choose his own by those of others."""

import asyncio
from dataclasses import replace

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.fold import CLOSED, FINISHED, FORMING, REVEALING, RUNNING, Table
from service.games import GAMES
from service.objections import (
    CommandIdReused,
    ContributionDiffers,
    NothingToDo,
    NotStarted,
    OutOfTime,
    TokenOutdated,
)
from service.table import Asked
from service.terms import REVEAL_WITHIN_MS, Clock, Terms
from tests.table.clockwork import NOON_MS, PATIENCE, Clockwork
from tests.table.contributing import INSISTING, REVEALED, committed_table, contribution, reveal, sit_down
from tests.table.faulty_log import FaultyLog
from tests.table.playing import new_id

STEADY = table_pb2.BOT_STRENGTH_STEADY
COMMITTED, JOINT = table_pb2.FAIRNESS_COMMITTED, table_pb2.FAIRNESS_JOINT
UNSET = table_pb2.FAIRNESS_UNSPECIFIED
CLOCK = Clock(per_game_ms=300_000)


async def commands(here: Clockwork, table: Table, after: int) -> list[str]:
    steps = await here.tables.steps(table.charter.table_id, after)
    return [type(step.entry.command).__name__ for step in steps]


async def host(here: Clockwork, table: Table, seat: int, command: object, since: int = 0) -> Table:
    asked = Asked(seat, new_id(), command, since=since)
    return (await here.tables.host(table.charter.table_id, asked)).table


async def test_a_table_whose_seats_are_all_taken_waits_for_those_who_have_to_reveal(here: Clockwork) -> None:
    table = await committed_table(here)
    assert (table.status, table.seats_to_act, table.deals) == (REVEALING, (1, 2, 3), 0)
    assert [table.deadline(seat) for seat in (1, 2, 3)] == [NOON_MS + REVEAL_WITHIN_MS] * 3
    table = (await reveal(here, table, 2)).table
    assert (table.status, table.seats_to_act, table.deadline(2)) == (REVEALING, (1, 3), None)
    assert table.seating.contributions == (b"", contribution(2), b"")


@pytest.mark.parametrize("game", GAMES)
async def test_the_game_begins_in_the_moment_in_which_the_last_has_revealed(here: Clockwork, game: str) -> None:
    table = await committed_table(here, 4, game=game, bots={4: STEADY})
    for seat in (3, 1):
        table = (await reveal(here, table, seat)).table
        assert (table.status, table.fairness) == (REVEALING, UNSET)
    done = await reveal(here, table, 2)
    table = done.table
    assert [type(entry.command).__name__ for entry in done.entries][:2] == ["Reveal", "StartTable"]
    assert (table.status, table.fairness) == (RUNNING, JOINT)
    assert table.deals
    table = await here.play(table)
    assert (table.status, table.fairness) == (FINISHED, JOINT)
    assert (await here.verified(table)).contributions == 3


async def test_who_sits_down_commits_himself_and_nobody_reveals_before_the_last_has(here: Clockwork) -> None:
    table = await committed_table(here, open_seats=(2, 3))
    with pytest.raises(NotStarted):
        await reveal(here, table, 1)
    sat = [(await sit_down(here, table, seat)).entries[0] for seat in (3, 2)]
    table = await here.look(table)
    assert (table.status, table.seats_to_act) == (REVEALING, (1, 2, 3))
    for seat, since in ((1, 0), (2, sat[1].version), (3, sat[0].version)):
        table = (await reveal(here, table, seat, since=since)).table
    assert (table.status, table.fairness) == (RUNNING, JOINT)


async def test_the_admin_fills_up_with_bots_and_the_people_still_reveal(here: Clockwork) -> None:
    table = await committed_table(here, open_seats=(2, 3))
    table = await host(here, table, 0, entry_pb2.StartTable(bot=STEADY))
    assert (table.status, table.seats_to_act) == (REVEALING, (1,))
    table = (await reveal(here, table, 1)).table
    assert (table.status, table.fairness) == (RUNNING, JOINT)


async def test_bots_alone_have_nothing_to_reveal_and_nothing_to_call_joint(here: Clockwork) -> None:
    table = await committed_table(here, bots={1: STEADY, 2: STEADY, 3: STEADY})
    assert (table.status, table.fairness) == (RUNNING, COMMITTED)


async def test_contributions_given_in_clear_are_fair_by_the_operators_promise_alone(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms())
    assert (table.status, table.fairness) == (RUNNING, COMMITTED)


async def test_nothing_but_what_was_committed_to_can_be_revealed(here: Clockwork) -> None:
    table = await committed_table(here)
    with pytest.raises(ContributionDiffers):
        await reveal(here, table, 1, contribution(1, salt=1))
    with pytest.raises(ContributionDiffers):
        await reveal(here, table, 1, contribution(2))
    assert (await here.look(table)).head == table.head


async def test_a_contribution_is_revealed_once_however_often_it_is_sent(here: Clockwork) -> None:
    table, command_id = await committed_table(here), new_id()
    first = await reveal(here, table, 1, command_id=command_id)
    again = await reveal(here, table, 1, command_id=command_id)
    assert (again.duplicate, again.entries) == (True, first.entries)
    with pytest.raises(NothingToDo):
        await reveal(here, table, 1)
    with pytest.raises(CommandIdReused):
        await reveal(here, table, 1, contribution(2), command_id=command_id)


async def test_nothing_is_revealed_once_the_game_has_begun(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms())
    with pytest.raises(NothingToDo):
        await reveal(here, table, 1)


async def test_nobody_plays_before_all_have_revealed(here: Clockwork) -> None:
    table = await committed_table(here)
    begun = await here.create("double_tricks", 3, Terms())
    (seat,) = begun.seats_to_act
    command = next(iter(begun.charter.game.legal(begun.state, seat)))
    with pytest.raises(NotStarted):
        await here.tables.act(table.charter.table_id, Asked(seat, new_id(), command))


async def test_who_does_not_reveal_in_time_is_dealt_without_and_the_fairness_falls(here: Clockwork) -> None:
    table = await committed_table(here, 2)
    table = (await reveal(here, table, 2)).table
    table = await here.on_time(table)
    assert here.now_ms == NOON_MS + REVEAL_WITHIN_MS + PATIENCE.grace_ms
    assert await commands(here, table, 2) == ["MissReveal", "StartTable", "Deal"]
    assert (table.status, table.fairness) == (RUNNING, COMMITTED)
    assert table.seating.contributions == (b"", contribution(2))
    with pytest.raises(NothingToDo):
        await reveal(here, table, 1)
    await here.verified(await here.play(table))


async def test_a_table_that_insists_is_closed_when_somebody_does_not_reveal(here: Clockwork) -> None:
    table = await committed_table(here, 2, INSISTING)
    table = (await reveal(here, table, 2)).table
    table = await here.on_time(table)
    assert await commands(here, table, 2) == ["MissReveal", "EndTable"]
    assert (table.status, table.fairness, table.deals, table.seats_to_act) == (CLOSED, UNSET, 0, ())
    assert (await here.verified(table)).fairness == UNSET


async def test_each_who_does_not_reveal_is_recorded(here: Clockwork) -> None:
    table = await committed_table(here)
    table = (await reveal(here, table, 2)).table
    for _ in range(2):
        table = await here.on_time(table)
    assert await commands(here, table, 2) == ["MissReveal", "MissReveal", "StartTable", "Deal"]
    assert [chair.missed for chair in table.seating.chairs] == [True, False, True]


async def test_a_contribution_is_missed_once_however_many_processes_see_it(here: Clockwork, log: FaultyLog) -> None:
    table, there = await committed_table(here, 2), Clockwork(log)
    await reveal(here, table, 2)
    await here.pass_time(REVEAL_WITHIN_MS + PATIENCE.grace_ms)
    there.now_ms = here.now_ms
    await asyncio.gather(*(each.tables.time.tick(table.charter.table_id) for each in (here, there, here, there)))
    assert await commands(here, table, 2) == ["MissReveal", "StartTable", "Deal"]


async def test_two_who_reveal_last_at_once_in_two_processes_begin_one_game(here: Clockwork, log: FaultyLog) -> None:
    table, there = await committed_table(here, 2), Clockwork(log)
    await asyncio.gather(reveal(here, table, 1), reveal(there, table, 2))
    assert await commands(here, table, 1) == ["Reveal", "Reveal", "StartTable", "Deal"]


async def test_a_process_that_armed_nothing_finds_who_has_not_revealed(here: Clockwork, log: FaultyLog) -> None:
    table, there = await committed_table(here, 2), Clockwork(log)
    await there.pass_time(REVEAL_WITHIN_MS + PATIENCE.grace_ms + 250)
    await there.tables.time.sweep()
    await there.tables.shelf.drain()
    assert (await commands(there, table, 1))[0] == "MissReveal"


async def test_an_admin_cannot_begin_before_all_have_revealed(here: Clockwork) -> None:
    table = await committed_table(here)
    with pytest.raises(NothingToDo):
        await host(here, table, 0, entry_pb2.StartTable(bot=STEADY))


async def test_who_is_late_is_too_late_even_before_anybody_noticed(here: Clockwork) -> None:
    table = await committed_table(here, 2)
    await here.pass_time(REVEAL_WITHIN_MS + 1)
    await here.tables.time.sweep()
    with pytest.raises(OutOfTime):
        await reveal(here, table, 1)


@pytest.mark.parametrize("game", ["double_tricks", "double_speed"])
async def test_a_contribution_that_came_in_time_to_a_slow_process_counts(here: Clockwork, game: str) -> None:
    table = await committed_table(here, 2, game=game)
    await here.pass_time(REVEAL_WITHIN_MS + PATIENCE.grace_ms - 1)
    await here.tables.time.sweep()
    table = (await reveal(here, table, 1, arrived_ms=NOON_MS + REVEAL_WITHIN_MS)).table
    assert table.updated_ms == NOON_MS + REVEAL_WITHIN_MS
    with pytest.raises(OutOfTime):
        await reveal(here, table, 2, arrived_ms=NOON_MS + REVEAL_WITHIN_MS + 1)


async def test_the_time_to_reveal_stands_still_while_nobody_serves(here: Clockwork, log: FaultyLog) -> None:
    table, there = await committed_table(here, 2), Clockwork(log)
    await here.pass_time(20_000)
    there.now_ms = here.now_ms + 600_000
    await there.tables.time.sweep()
    await there.tables.shelf.drain()
    table = await there.look(table)
    assert await commands(there, table, 1) == ["PauseClocks"]
    assert table.deadline(1) == NOON_MS + REVEAL_WITHIN_MS + 600_000
    for seat in (1, 2):
        table = (await reveal(there, table, seat)).table
    await there.verified((await there.tables.close(table.charter.table_id, new_id())).table)


async def test_who_leaves_while_others_reveal_keeps_his_seat_and_his_word(here: Clockwork) -> None:
    table = await committed_table(here)
    await here.pass_time(20_000)
    table = await host(here, table, 1, entry_pb2.LeaveSeat())
    assert (table.status, table.seating.open_seats, table.seating.chair(1).away) == (REVEALING, (), True)
    assert table.deadline(1) == NOON_MS + REVEAL_WITHIN_MS
    for seat in (1, 2, 3):
        table = (await reveal(here, table, seat)).table
    assert (table.status, table.fairness, table.seating.plays_by_bot(1)) == (RUNNING, JOINT, True)
    await here.verified(await here.play(table))


async def test_nobody_has_more_time_to_reveal_by_leaving_and_coming_back(here: Clockwork) -> None:
    table = await committed_table(here)
    await here.pass_time(20_000)
    for command in (entry_pb2.LeaveSeat(), entry_pb2.ReturnToSeat()):
        table = await host(here, table, 1, command)
    assert table.deadline(1) == NOON_MS + REVEAL_WITHIN_MS
    await here.verified((await here.tables.close(table.charter.table_id, new_id())).table)


async def test_who_left_before_the_last_sat_down_has_taken_his_commitment_along(here: Clockwork) -> None:
    table = await committed_table(here, open_seats=(2, 3))
    sat = (await sit_down(here, table, 2)).entries[0]
    table = await host(here, table, 2, entry_pb2.LeaveSeat(), since=sat.version)
    assert (table.status, table.seating.commitments[1]) == (FORMING, b"")
    for seat in (2, 3):
        table = (await sit_down(here, table, seat)).table
    with pytest.raises(TokenOutdated):
        await reveal(here, table, 2, since=sat.version)


async def test_a_table_closed_while_people_reveal_waits_for_nobody_any_more(here: Clockwork) -> None:
    table = await committed_table(here)
    table = (await here.tables.close(table.charter.table_id, new_id())).table
    assert (table.status, table.seats_to_act, dict(table.waiting.since)) == (CLOSED, (), {})
    await here.verified(table)


async def test_clocks_run_from_the_deal_on_and_not_while_people_reveal(here: Clockwork) -> None:
    clock = replace(REVEALED, clock=CLOCK)
    table = await committed_table(here, 2, clock)
    await here.pass_time(20_000)
    for seat in (1, 2):
        table = (await reveal(here, table, seat)).table
    (seat,) = table.seats_to_act
    assert table.deadline(seat) == here.now_ms + CLOCK.per_game_ms
