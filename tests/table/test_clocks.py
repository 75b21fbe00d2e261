"""Clocks: whoever is too late is played for as the terms say, once; nobody loses time to the service."""

import asyncio
from dataclasses import replace

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit.verify import told
from service.fold import FINISHED, FORFEITED, RUNNING, Table
from service.games import GAMES
from service.log import Append, LogUnavailable, Outcome
from service.objections import OutOfTime
from service.shard import shard
from service.table import Asked
from service.terms import Clock, Terms
from tests.table.clockwork import NOON_MS, PATIENCE, Clockwork
from tests.table.faulty_log import FaultyLog
from tests.table.playing import new_id

STEADY = table_pb2.BOT_STRENGTH_STEADY
DEFAULT, ONCE = table_pb2.TIME_OUT_DEFAULT_COMMAND, table_pb2.TIME_OUT_BOT_ONCE
FROM_NOW_ON, FORFEIT = table_pb2.TIME_OUT_BOT_FROM_NOW_ON, table_pb2.TIME_OUT_FORFEIT
TURN_BASED = [name for name, game in GAMES.items() if not game.races]
MINUTE = 60_000


def a_minute(time_out: table_pb2.TimeOut.ValueType = DEFAULT) -> Terms:
    return Terms(clock=Clock(per_command_ms=MINUTE, time_out=time_out))


def each(table: Table) -> Asked:
    (seat,) = table.seats_to_act
    return Asked(seat, new_id(), next(iter(table.charter.game.legal(table.state, seat))))


@pytest.mark.parametrize("time_out", [DEFAULT, ONCE, FROM_NOW_ON])
@pytest.mark.parametrize("game", GAMES)
async def test_a_table_whose_people_never_answer_plays_to_the_end_and_its_log_verifies(
    here: Clockwork, game: str, time_out: table_pb2.TimeOut.ValueType
) -> None:
    table = await here.create(game, 4, a_minute(time_out), bots={2: STEADY, 3: STEADY, 4: STEADY})
    table = await here.play(table, answering=False)
    assert table.status == FINISHED
    await here.verified(table)


@pytest.mark.parametrize("game", GAMES)
async def test_who_forfeits_comes_last_and_the_table_ends(here: Clockwork, game: str) -> None:
    table = await here.play(await here.create(game, 4, a_minute(FORFEIT)), answering=False)
    assert table.status == FORFEITED
    (lost,) = [line for line in table.standings if line.rank == 4]
    assert sorted(line.seat for line in table.standings) == [1, 2, 3, 4]
    assert sum(line.rank == 4 for line in table.standings) == 1
    assert lost.seat in table.charter.seats
    await here.verified(table)


async def test_a_seat_has_its_time_and_not_a_moment_more(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, a_minute())
    (seat,) = table.seats_to_act
    assert table.deadline(seat) == NOON_MS + MINUTE
    await here.pass_time(MINUTE + PATIENCE.grace_ms - 1)
    await here.tables.time.tick(table.charter.table_id)
    assert (await here.look(table)).head == table.head
    here.now_ms += 1
    await here.tables.time.tick(table.charter.table_id)
    steps = await here.tables.steps(table.charter.table_id, table.head.version)
    assert [type(step.entry.command).__name__ for step in steps] == ["RunOutClock", "Bid"]
    assert [step.entry.seat for step in steps] == [0, seat]
    assert steps[0].entry.events == (entry_pb2.ClockRanOut(seat=seat),)


async def test_a_bot_for_once_leaves_the_seat_to_its_person_and_one_from_now_on_keeps_it(here: Clockwork) -> None:
    for time_out, away in ((ONCE, False), (FROM_NOW_ON, True)):
        table = await here.create("double_tricks", 2, a_minute(time_out))
        (seat,) = table.seats_to_act
        table = await here.on_time(table)
        assert table.seating.chair(seat).away == away
        assert (seat in table.seats_to_act) == away  # it has still to think


async def test_a_bot_that_takes_over_thinks_before_it_plays(here: Clockwork) -> None:
    table = await here.on_time(await here.create("double_tricks", 2, a_minute(FROM_NOW_ON)))
    taken_over_ms = here.now_ms
    table = await here.on_time(table)
    assert table.updated_ms == taken_over_ms + table.charter.terms.thinking_ms
    await here.verified((await here.tables.close(table.charter.table_id, new_id())).table)


async def test_a_command_that_came_in_time_to_a_slow_process_beats_the_clock(here: Clockwork, there: Clockwork) -> None:
    table = await here.create("double_tricks", 2, a_minute())
    await here.pass_time(MINUTE + PATIENCE.grace_ms - 1)
    there.now_ms = here.now_ms
    await there.tables.time.tick(table.charter.table_id)
    done = await here.tables.act(table.charter.table_id, replace(each(table), arrived_ms=NOON_MS + MINUTE))
    assert done.table.updated_ms == NOON_MS + MINUTE
    assert done.table.head.version == table.head.version + 1


async def test_a_command_that_came_in_time_counts_whatever_another_seat_has_done_meanwhile(here: Clockwork) -> None:
    table = await here.create("double_tricks", 3, a_minute())
    (seat,) = table.seats_to_act
    await here.pass_time(MINUTE + 1)
    await here.tables.host(table.charter.table_id, Asked(seat % 3 + 1, new_id(), entry_pb2.LeaveSeat()))
    await here.tables.time.sweep()
    done = await here.tables.act(table.charter.table_id, replace(each(table), arrived_ms=NOON_MS + MINUTE))
    assert done.table.head.version == table.head.version + 2


async def test_a_command_that_came_too_late_is_refused_even_before_the_clock_has_been_run_out(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, a_minute())
    await here.pass_time(MINUTE + 1)
    await here.tables.time.sweep()
    with pytest.raises(OutOfTime):
        await here.tables.act(table.charter.table_id, each(table))


async def test_a_clock_is_run_out_once_however_many_processes_see_it(here: Clockwork, there: Clockwork) -> None:
    table = await here.create("double_tricks", 2, a_minute())
    await here.pass_time(MINUTE + PATIENCE.grace_ms)
    there.now_ms = here.now_ms
    await asyncio.gather(*(process.tables.time.tick(table.charter.table_id) for process in (here, there, here, there)))
    steps = await here.tables.steps(table.charter.table_id, table.head.version)
    assert [type(step.entry.command).__name__ for step in steps] == ["RunOutClock", "Bid"]


async def test_a_process_that_armed_nothing_finds_what_is_late(here: Clockwork, there: Clockwork) -> None:
    table = await here.create("double_tricks", 2, a_minute())
    await there.pass_time(MINUTE + PATIENCE.grace_ms + 250)
    await there.tables.time.sweep()
    await there.tables.shelf.drain()
    assert (await there.look(table)).head.version == table.head.version + 2


@pytest.mark.parametrize("game", TURN_BASED)
async def test_time_per_game_is_spent_by_ones_own_commands_and_grows_by_the_increment(
    here: Clockwork, game: str
) -> None:
    terms = Terms(clock=Clock(per_game_ms=10 * MINUTE, increment_ms=2_000))
    table = await here.create(game, 4, terms)
    spent = dict.fromkeys(table.charter.seats, 0)
    for _ in range(12):
        asked = each(table)
        here.now_ms += 5_000
        spent[asked.seat] += 5_000 - 2_000
        table = (await here.tables.act(table.charter.table_id, asked)).table
    assert table.waiting.left == tuple(10 * MINUTE - spent[seat] for seat in table.charter.seats)


async def test_who_has_no_time_left_is_played_for_at_once(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms(clock=Clock(per_game_ms=MINUTE)))
    table = await here.play(table, answering=False)
    assert table.status == FINISHED
    assert here.now_ms <= NOON_MS + 2 * MINUTE + PATIENCE.grace_ms * table.head.version
    await here.verified(table)


async def leave_and_return(here: Clockwork, table: Table, seat: int) -> Table:
    for command in (entry_pb2.LeaveSeat(), entry_pb2.ReturnToSeat()):
        table = (await here.tables.host(table.charter.table_id, Asked(seat, new_id(), command))).table
    return table


@pytest.mark.parametrize(
    ("game", "clock"),
    [
        *((game, Clock(per_command_ms=MINUTE)) for game in GAMES),
        *((game, Clock(per_game_ms=MINUTE, increment_ms=5_000)) for game in TURN_BASED),
    ],
)
async def test_nobody_has_more_time_by_leaving_and_coming_back(here: Clockwork, game: str, clock: Clock) -> None:
    table = await here.create(game, 4, Terms(clock=clock, thinking_ms=MINUTE))
    seat, *_ = table.seats_to_act
    deadline = table.deadline(seat)
    await here.pass_time(MINUTE // 2)
    table = await leave_and_return(here, table, seat)
    assert table.deadline(seat) == deadline
    await here.verified((await here.tables.close(table.charter.table_id, new_id())).table)


async def test_time_per_game_that_has_run_out_stays_spent_when_a_bot_has_taken_over(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms(clock=Clock(per_game_ms=MINUTE, time_out=FROM_NOW_ON)))
    (seat,) = table.seats_to_act
    table = await here.on_time(table)
    returning = Asked(seat, new_id(), entry_pb2.ReturnToSeat())
    await here.pass_time(1)
    await here.tables.time.sweep()
    with pytest.raises(OutOfTime):
        await here.tables.host(table.charter.table_id, returning)
    table = await here.on_time(table)
    table = (await here.tables.host(table.charter.table_id, returning)).table
    assert table.waiting.left[seat - 1] == 0
    assert table.waiting.left[2 - seat] == MINUTE


async def test_clocks_stand_still_while_nobody_serves(here: Clockwork, there: Clockwork) -> None:
    table = await here.create("double_tricks", 2, a_minute())
    await here.pass_time(20_000)
    there.now_ms = here.now_ms + 10 * MINUTE
    await there.tables.time.sweep()
    await there.tables.shelf.drain()
    paused = await there.look(table)
    (seat,) = paused.seats_to_act
    assert paused.deadline(seat) == NOON_MS + MINUTE + 10 * MINUTE
    assert [type(step.entry.command).__name__ for step in await there.tables.steps(table.charter.table_id, 2)] == [
        "PauseClocks"
    ]
    done = await there.tables.act(table.charter.table_id, each(paused))
    await there.verified((await there.tables.close(table.charter.table_id, new_id())).table)
    assert done.table.status == RUNNING


async def test_a_command_after_an_outage_puts_the_clocks_back_first(here: Clockwork, there: Clockwork) -> None:
    terms = Terms(clock=Clock(per_game_ms=10 * MINUTE))
    table = await here.create("double_tricks", 2, terms)
    there.now_ms = NOON_MS + 5 * MINUTE
    await there.tables.time.sweep()
    asked = each(table)
    done = await there.tables.act(table.charter.table_id, asked)
    assert done.table.waiting.left[asked.seat - 1] == 10 * MINUTE
    await there.verified((await there.tables.close(table.charter.table_id, new_id())).table)


async def test_no_clock_runs_out_where_nobody_knows_whether_anybody_served(here: Clockwork, log: FaultyLog) -> None:
    table = await here.create("double_tricks", 2, a_minute())
    log.silent = frozenset({shard(table.charter.table_id)})
    here.now_ms += MINUTE + PATIENCE.grace_ms
    with pytest.raises(LogUnavailable, match="its clocks wait"):
        await here.tables.time.tick(table.charter.table_id)
    assert (await here.tables.act(table.charter.table_id, each(table))).table.status == RUNNING


async def test_a_command_that_came_before_the_end_of_an_outage_is_written_after_it(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, a_minute())
    here.now_ms += MINUTE // 2
    arrived_ms = here.now_ms - 1_000  # and it has waited for the store since then
    await here.tables.time.sweep()
    done = await here.tables.act(table.charter.table_id, replace(each(table), arrived_ms=arrived_ms))
    assert [type(entry.command).__name__ for entry in done.entries] == ["PauseClocks", "Bid"]
    assert done.table.updated_ms == here.now_ms
    await here.verified((await here.tables.close(table.charter.table_id, new_id())).table)


async def test_two_processes_put_the_clocks_back_once(here: Clockwork, there: Clockwork) -> None:
    table = await here.create("double_tricks", 2, a_minute())
    here.now_ms = there.now_ms = NOON_MS + 5 * MINUTE
    await asyncio.gather(here.tables.time.sweep(), there.tables.time.sweep())
    await asyncio.gather(*(process.tables.time.tick(table.charter.table_id) for process in (here, there)))
    (seat,) = table.seats_to_act
    assert (await here.look(table)).deadline(seat) == NOON_MS + 6 * MINUTE


async def test_in_a_race_the_clock_waits_for_anybody(here: Clockwork) -> None:
    table = await here.create("double_speed", 2, a_minute())
    here.now_ms += MINUTE - 1
    able = next(seat for seat in table.charter.seats if list(table.charter.game.legal(table.state, seat)))
    table = (await here.act(table, able)).table
    assert [table.deadline(seat) for seat in table.charter.seats] == [here.now_ms + MINUTE] * 2


async def test_what_is_verified_tells_of_bots_and_clocks(here: Clockwork, there: Clockwork) -> None:
    table = await here.create("double_tricks", 2, a_minute(), bots={2: STEADY})
    await there.pass_time(MINUTE)
    there.now_ms += 10 * MINUTE
    await there.tables.time.sweep()
    table = await there.play(await there.look(table), answering=False)
    text = "\n".join(told(await there.verified(table)))
    assert "by bots at their seats" in text
    assert "clocks run out, none before its deadline" in text
    assert "1 pauses of all clocks are the operator's word" in text


async def test_clocks_are_put_back_at_a_table_whose_creation_waited_for_the_store(
    here: Clockwork, log: FaultyLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = log.append

    async def waited(appended: Append) -> Outcome:
        monkeypatch.undo()
        here.now_ms += 10 * MINUTE
        await here.tables.time.sweep()  # which the store answers first, and finds nothing to look after
        return await append(appended)

    monkeypatch.setattr(log, "append", waited)
    table = await here.create("double_tricks", 2, a_minute())
    await here.tables.time.tick(table.charter.table_id)
    (step,) = await here.tables.steps(table.charter.table_id, table.head.version)
    assert isinstance(step.entry.command, entry_pb2.PauseClocks)
