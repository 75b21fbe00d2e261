"""Clocks that ran out or stood still: what somebody might forge of that, who knows the root, is named."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit.exported import Exported, read
from service.audit.show import show
from service.audit.verify import verify
from service.draft import Draft
from service.fold import CLOSED, EXPIRED, FORFEITED
from service.games import GAMES
from service.hosting import end
from service.kit.game import CHANCE
from service.log import MemoryLog
from service.sights import chooser
from service.terms import Clock, Terms
from tests.audit.forging import ADMINS_ID, differs, gone_on, next_id
from tests.table.clockwork import NOON_MS, Clockwork
from tests.table.playing import KEYS

DEFAULT, ONCE = table_pb2.TIME_OUT_DEFAULT_COMMAND, table_pb2.TIME_OUT_BOT_ONCE
FROM_NOW_ON, FORFEIT = table_pb2.TIME_OUT_BOT_FROM_NOW_ON, table_pb2.TIME_OUT_FORFEIT
TIME_OUTS = (DEFAULT, ONCE, FROM_NOW_ON, FORFEIT)
MINUTE = 60_000
STRANGE_ID = b"somebody else's!"
choose = chooser(())


async def begun(time_out: table_pb2.TimeOut.ValueType, game: str = "double_tricks", seats: int = 2) -> Exported:
    """Return the log of a table that waits for its first command, for a minute."""
    here = Clockwork(MemoryLog())
    table = await here.create(game, seats, Terms(clock=Clock(per_command_ms=MINUTE, time_out=time_out)))
    entries = tuple(entry for _, entry in await here.tables.log(table.charter.table_id))
    return Exported(table.charter.table_id, entries)


@pytest.fixture(scope="module")
def logs() -> dict[int, Exported]:
    return {time_out: asyncio.run(begun(time_out)) for time_out in TIME_OUTS}


@pytest.fixture
def log(logs: dict[int, Exported]) -> Exported:
    return logs[DEFAULT]


def went_on(log: Exported, add: Callable[[Draft], Any], after_ms: int = MINUTE) -> bytes:
    return gone_on(log, KEYS, after_ms, add)


def run_out_wholly(draft: Draft) -> None:
    """Let the time of the seat that is waited for run out, with the bot's command where one must follow."""
    seat = waited_for(draft)
    draft.add_run_out(seat)
    if draft.table.owed:
        draft.add_bots_command(seat, choose)


def waited_for(draft: Draft) -> int:
    (seat,) = draft.table.seats_to_act
    return seat


def run_out(draft: Draft) -> int:
    """Run out the clock of the seat that the table waits for, and nothing else."""
    seat = waited_for(draft)
    draft.add_own(CHANCE, next_id(draft), entry_pb2.RunOutClock(seat=seat))
    return seat


def play(draft: Draft, seat: int, command_id: bytes, command: Any) -> None:
    draft.add(seat, command_id, command, draft.table.charter.game.decide(draft.table.state, seat, command))


def pause(from_ms: int, to_ms: int) -> Callable[[Draft], None]:
    """Stop the clocks for a time that is counted from the table's creation."""

    def add(draft: Draft) -> None:
        wanted = entry_pb2.PauseClocks(from_ms=NOON_MS + from_ms, to_ms=NOON_MS + to_ms)
        draft.add_own(CHANCE, next_id(draft), wanted)

    return add


def others(draft: Draft, seat: int) -> Any:
    """Return something that the seat may do and the table does not do for it."""
    game, state = draft.table.charter.game, draft.table.state
    default = game.default(state, seat)
    return next(command for command in game.legal(state, seat) if command != default)


@pytest.mark.parametrize("time_out", TIME_OUTS)
def test_a_clock_that_really_ran_out_holds_and_can_be_read(logs: dict[int, Exported], time_out: int) -> None:
    log = logs[time_out]
    verified = verify(went_on(log, run_out_wholly))
    assert verified.status == ("forfeited" if time_out == FORFEIT else "closed")
    assert verified.standings == (2 if time_out == FORFEIT else 0)


def test_a_clock_run_out_a_moment_before_its_time_is_named(log: Exported) -> None:
    data = went_on(log, run_out_wholly, MINUTE - 1)
    differs(data, "version 3: the time of seat . had not run out")


def test_a_clock_run_out_for_a_seat_that_nobody_waits_for_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        seat = 3 - waited_for(draft)
        draft.add(CHANCE, next_id(draft), entry_pb2.RunOutClock(seat=seat), (entry_pb2.ClockRanOut(seat=seat),))

    differs(went_on(log, add), "version 3: the time of seat . had not run out")


@pytest.mark.parametrize("seat", [-1, 0, 3])
def test_a_clock_run_out_for_no_seat_is_named(log: Exported, seat: int) -> None:
    def add(draft: Draft) -> None:
        draft.add(CHANCE, next_id(draft), entry_pb2.RunOutClock(seat=seat), (entry_pb2.ClockRanOut(seat=seat),))

    differs(went_on(log, add), "version 3: ")


def test_a_clock_that_somebody_else_ran_out_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        draft.add_own(1, next_id(draft), entry_pb2.RunOutClock(seat=waited_for(draft)))

    differs(went_on(log, add), "version 3: seat 1 cannot give such a command")


def test_a_clock_run_out_under_another_id_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        draft.add_own(CHANCE, STRANGE_ID, entry_pb2.RunOutClock(seat=waited_for(draft)))

    differs(went_on(log, add), "version 3: its command id is ")


def test_another_seat_whose_time_has_run_out_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        seat = waited_for(draft)
        draft.add(CHANCE, next_id(draft), entry_pb2.RunOutClock(seat=seat), (entry_pb2.ClockRanOut(seat=3 - seat),))

    differs(went_on(log, add), "version 3: its event 1 is ClockRanOut")


@pytest.mark.parametrize("time_out", [DEFAULT, ONCE, FORFEIT])
def test_a_clock_that_ran_out_and_nothing_came_of_it_is_named(logs: dict[int, Exported], time_out: int) -> None:
    differs(went_on(logs[time_out], run_out), "version 4: .*(the time of seat|has no such command)")


def test_a_clock_that_runs_out_twice_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        seat = run_out(draft)
        draft.add(CHANCE, next_id(draft), entry_pb2.RunOutClock(seat=seat), (entry_pb2.ClockRanOut(seat=seat),))

    differs(went_on(log, add), "version 4: .* the time of seat . has run out, for which the terms give")


def test_another_command_than_the_default_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        seat = run_out(draft)
        play(draft, seat, b"", others(draft, seat))

    differs(went_on(log, add), "version 4: its command is .*, but the time of seat . has run out")


def test_what_follows_a_run_out_clock_later_or_under_an_id_is_named(log: Exported) -> None:
    def later(draft: Draft) -> None:
        seat = run_out(draft)
        draft.now_ms += 1
        play(draft, seat, b"", draft.table.charter.game.default(draft.table.state, seat))

    def asked_for(draft: Draft) -> None:
        seat = run_out(draft)
        play(draft, seat, STRANGE_ID, draft.table.charter.game.default(draft.table.state, seat))

    differs(went_on(log, later), "version 4: its time is")
    differs(went_on(log, asked_for), "version 4: its command id")


@pytest.mark.parametrize("command", [entry_pb2.LeaveSeat(), entry_pb2.PauseClocks(), entry_pb2.TakeSeat()])
@pytest.mark.parametrize("game", GAMES)
async def test_a_bot_that_does_what_no_bot_can_is_named(game: str, command: Any) -> None:
    def add(draft: Draft) -> None:
        game, table = draft.table.charter.game, draft.table
        seat = next(seat for seat in table.seats_to_act if game.default(table.state, seat) is not None)
        draft.add_own(CHANCE, next_id(draft), entry_pb2.RunOutClock(seat=seat))
        draft.add(seat, b"", command, (entry_pb2.SeatLeft(seat=seat),))

    differs(went_on(await begun(ONCE, game, 4), add), "has no such command|do not belong there|cannot give such")


def test_somebody_who_is_gone_but_whose_seat_no_bot_takes_is_named(logs: dict[int, Exported]) -> None:
    def add(draft: Draft) -> None:
        seat = waited_for(draft)
        draft.add(CHANCE, next_id(draft), entry_pb2.RunOutClock(seat=seat), (entry_pb2.ClockRanOut(seat=seat),))

    differs(went_on(logs[FROM_NOW_ON], add), "version 3: its event 2 is -, but .* SeatLeft")


def test_somebody_who_loses_a_seat_to_a_bot_against_the_terms_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        seat = waited_for(draft)
        events = (entry_pb2.ClockRanOut(seat=seat), entry_pb2.SeatLeft(seat=seat))
        draft.add(CHANCE, next_id(draft), entry_pb2.RunOutClock(seat=seat), events)

    differs(went_on(log, add), "version 3: its event 2 is SeatLeft")


@pytest.mark.parametrize("status", [FORFEITED, EXPIRED])
@pytest.mark.parametrize("time_out", [DEFAULT, FORFEIT])
def test_an_end_that_nothing_has_brought_about_is_named(
    logs: dict[int, Exported], status: table_pb2.Status.ValueType, time_out: int
) -> None:
    differs(went_on(logs[time_out], lambda draft: draft.add_end_by_itself(status)), "version 3: ")
    differs(went_on(logs[time_out], lambda draft: draft.add_end(status)), "version 3: ")


def test_another_end_than_the_one_that_was_forfeited_is_named(logs: dict[int, Exported]) -> None:
    def closed(draft: Draft) -> None:
        run_out(draft)
        draft.add_end(CLOSED, command_id=ADMINS_ID)

    def won(draft: Draft) -> None:
        run_out(draft)
        draft.add_end(FORFEITED, draft.table.charter.game.so_far(draft.table.state))

    differs(went_on(logs[FORFEIT], closed), "version 4: its command is EndTable status=STATUS_CLOSED")
    differs(went_on(logs[FORFEIT], won), "version 4: its event 1 is TableEnded")


def test_an_end_that_nobody_asked_for_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        draft.add(CHANCE, b"", *end(draft.table, CLOSED))

    differs(went_on(log, add), "version 3: nobody has asked for the table's end")


def test_a_clock_where_the_terms_have_none_is_named() -> None:
    async def unhurried() -> Exported:
        here = Clockwork(MemoryLog())
        table = await here.create("double_tricks", 2, Terms(), bots={2: table_pb2.BOT_STRENGTH_STEADY})
        entries = tuple(entry for _, entry in await here.tables.log(table.charter.table_id))
        return Exported(table.charter.table_id, entries)

    def ran_out(draft: Draft) -> None:
        draft.add(CHANCE, next_id(draft), entry_pb2.RunOutClock(seat=1), (entry_pb2.ClockRanOut(seat=1),))

    log = asyncio.run(unhurried())
    differs(went_on(log, ran_out), "version 3: the time of seat 1 had not run out")
    differs(went_on(log, pause(0, MINUTE)), "version 3: no clock can have stood still then")


def test_clocks_that_really_stood_still_hold_and_can_be_read(log: Exported) -> None:
    def add(draft: Draft) -> None:
        pause(-10, 20_000)(draft)
        pause(20_000, 40_000)(draft)
        assert draft.table.deadline(waited_for(draft)) == NOON_MS + 40_000 + MINUTE

    def run_out_all_the_same(draft: Draft) -> None:
        add(draft)
        run_out(draft)

    assert verify(went_on(log, add)).status == "closed"
    differs(went_on(log, run_out_all_the_same), "version 5: the time of seat . had not run out")


@pytest.mark.parametrize(
    ("from_ms", "to_ms"),
    [(0, MINUTE + 1), (MINUTE, MINUTE), (30_000, 20_000), (-10_000, 0)],
    ids=["until later", "no time", "backwards", "before the waiting"],
)
def test_a_pause_that_cannot_be_is_named(log: Exported, from_ms: int, to_ms: int) -> None:
    differs(went_on(log, pause(from_ms, to_ms)), "version 3: no clock can have stood still then")


def test_time_that_is_given_back_twice_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        pause(0, 20_000)(draft)
        pause(10_000, 30_000)(draft)

    differs(went_on(log, add), "version 4: no clock can have stood still then")


def test_a_pause_that_is_another_than_was_asked_for_is_named(log: Exported) -> None:
    def add(draft: Draft) -> None:
        asked, was = ({"from_ms": NOON_MS, "to_ms": NOON_MS + until} for until in (10_000, 20_000))
        draft.add(CHANCE, next_id(draft), entry_pb2.PauseClocks(**asked), (entry_pb2.ClocksPaused(**was),))

    differs(went_on(log, add), "version 3: its event 1 is ClocksPaused")


def test_a_pause_that_somebody_asked_for_is_named(log: Exported) -> None:
    def add(draft: Draft, seat: int, command_id: bytes) -> None:
        began = draft.table.charter.created_ms
        draft.add_own(seat, command_id, entry_pb2.PauseClocks(from_ms=began, to_ms=began + 10_000))

    differs(went_on(log, lambda draft: add(draft, 1, next_id(draft))), "version 3: seat 1 cannot give such a command")
    differs(went_on(log, lambda draft: add(draft, CHANCE, STRANGE_ID)), "version 3: its command id is ")


def test_in_a_record_the_table_runs_clocks_out_and_not_an_admin(log: Exported) -> None:
    data = went_on(log, run_out_wholly)
    text = "\n".join(show(read(data), None, None))
    assert "table: RunOutClock" in text
    assert "admin: EndTable" in text
