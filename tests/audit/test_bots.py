"""Bots and people who left: what somebody might forge of that, who knows the root, is named."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit.exported import Exported, read
from service.audit.verify import verify
from service.draft import Draft
from service.fold import CLOSED, EXPIRED, FINISHED, FORFEITED
from service.hosting import end
from service.kit.game import CHANCE
from service.log import MemoryLog
from service.sights import chooser
from service.terms import Terms
from tests.audit.forging import ADMINS_ID, at, differs, forged, gone_on, next_id
from tests.table.clockwork import Clockwork
from tests.table.playing import KEYS

RANDOM, STEADY = table_pb2.BOT_STRENGTH_RANDOM, table_pb2.BOT_STRENGTH_STEADY
LEAVE, RETURN, START = entry_pb2.LeaveSeat(), entry_pb2.ReturnToSeat(), entry_pb2.StartTable(bot=STEADY)
SECOND = 1_000
OTHER_ID = b"somebody else's!"
choose = chooser(())


async def begun(seats: int, **founded: Any) -> Exported:
    here = Clockwork(MemoryLog())
    table = await here.create("double_tricks", seats, Terms(thinking_ms=SECOND), **founded)
    entries = tuple(entry for _, entry in await here.tables.log(table.charter.table_id))
    return Exported(table.charter.table_id, entries)


@pytest.fixture(scope="module")
def people() -> Exported:
    """Two people who have been dealt their cards."""
    return asyncio.run(begun(2))


@pytest.fixture(scope="module")
def bots() -> Exported:
    """Three bots who have been dealt their cards."""
    return asyncio.run(begun(3, bots=dict.fromkeys((1, 2, 3), STEADY)))


@pytest.fixture(scope="module")
def forming() -> Exported:
    """One person and one bot, and two open seats."""
    return asyncio.run(begun(4, open_seats=(2, 3), bots={4: RANDOM}))


def went_on(log: Exported, add: Callable[[Draft], Any], after_ms: int = SECOND) -> bytes:
    return gone_on(log, KEYS, after_ms, add)


def play(draft: Draft, command_id: bytes) -> None:
    """Let whoever is waited for do the first thing that is lawful."""
    (seat,) = draft.table.seats_to_act
    game, state = draft.table.charter.game, draft.table.state
    command = next(iter(game.legal(state, seat)))
    draft.add(seat, command_id, command, game.decide(state, seat, command))


def test_a_bot_that_really_played_holds(bots: Exported) -> None:
    def add(draft: Draft) -> None:
        for _ in range(2):
            draft.add_bots_command(draft.table.seats_to_act[0], choose)
            draft.now_ms += SECOND

    assert verify(went_on(bots, add)).commands == 2


def test_a_bot_that_plays_before_it_has_thought_is_named(bots: Exported) -> None:
    data = went_on(bots, lambda draft: play(draft, next_id(draft)), SECOND - 1)
    differs(data, "version 3: a bot plays seat ., but could not do so yet")


def test_somebody_who_plays_for_a_bot_is_named(bots: Exported) -> None:
    differs(went_on(bots, lambda draft: play(draft, OTHER_ID)), "version 3: its command id is ")
    differs(went_on(bots, lambda draft: play(draft, b"")), "version 3: its command id has 0 bytes")


def test_a_bot_that_plays_for_a_person_is_named(people: Exported) -> None:
    differs(went_on(people, lambda draft: play(draft, next_id(draft))), "version 3: no bot plays seat ")


def test_a_bot_that_breaks_the_rules_is_named(bots: Exported) -> None:
    def add(draft: Draft) -> None:
        (seat,) = draft.table.seats_to_act
        command = next(iter(draft.table.charter.game.legal(draft.table.state, seat)))
        draft.add(seat % 3 + 1, next_id(draft), command, ())

    differs(went_on(bots, add), "version 3: double_tricks/1 refuses its command")


@pytest.mark.parametrize("seat", [CHANCE, 1])
@pytest.mark.parametrize(
    ("command", "event"),
    [(entry_pb2.TakeSeat(), entry_pb2.SeatTaken(seat=1)), (START, entry_pb2.TableStarted())],
)
def test_what_belongs_before_the_game_is_named_while_it_is_played(
    people: Exported, command: Any, event: Any, seat: int
) -> None:
    differs(went_on(people, lambda draft: draft.add(seat, OTHER_ID, command, (event,))), "version 3: ")


def test_who_really_left_and_came_back_holds(people: Exported) -> None:
    def add(draft: Draft) -> None:
        (seat,) = draft.table.seats_to_act
        draft.add_leaving(seat, b"leave" * 3 + b"!")
        draft.now_ms += SECOND
        draft.add_bots_command(seat, choose)
        draft.add_own(seat, b"again" * 3 + b"!", RETURN)

    assert verify(went_on(people, add)).entries == 6


def test_who_has_left_and_still_plays_is_named(people: Exported) -> None:
    def add(draft: Draft, after_ms: int) -> None:
        draft.add_leaving(draft.table.seats_to_act[0], ADMINS_ID)
        draft.now_ms += after_ms
        play(draft, OTHER_ID)

    differs(went_on(people, lambda draft: add(draft, 0)), "version 4: a bot plays seat ., but could not do so yet")
    differs(went_on(people, lambda draft: add(draft, SECOND)), "version 4: its command id is ")


def test_a_bot_that_plays_on_for_who_has_come_back_is_named(people: Exported) -> None:
    def add(draft: Draft) -> None:
        (seat,) = draft.table.seats_to_act
        draft.add_leaving(seat, b"leave" * 3 + b"!")
        draft.add_own(seat, b"again" * 3 + b"!", RETURN)
        draft.now_ms += SECOND
        play(draft, next_id(draft))

    differs(went_on(people, add), "version 5: no bot plays seat ")


def test_leaving_twice_and_coming_back_without_having_left_are_named(people: Exported, bots: Exported) -> None:
    left, resumed = entry_pb2.SeatLeft(seat=1), entry_pb2.SeatResumed(seat=1)

    def twice(draft: Draft) -> None:
        draft.add_leaving(1, b"leave" * 3 + b"!")
        draft.add(1, OTHER_ID, LEAVE, (left,))

    differs(went_on(people, twice), "version 4: there was nothing of that to be done")
    differs(went_on(people, lambda draft: draft.add(1, OTHER_ID, RETURN, (resumed,))), "version 3: there was nothing")
    differs(went_on(bots, lambda draft: draft.add(1, OTHER_ID, LEAVE, (left,))), "version 3: there was nothing")
    differs(went_on(bots, lambda draft: draft.add(1, OTHER_ID, RETURN, (resumed,))), "version 3: there was nothing")


def test_another_seat_than_the_one_that_left_or_came_back_is_named(people: Exported) -> None:
    def resumed(draft: Draft) -> None:
        draft.add_leaving(1, b"leave" * 3 + b"!")
        draft.add(1, OTHER_ID, RETURN, (entry_pb2.SeatResumed(seat=2),))

    left = entry_pb2.SeatLeft(seat=2)
    differs(went_on(people, lambda draft: draft.add(1, OTHER_ID, LEAVE, (left,))), "version 3: its event 1 is SeatLeft")
    differs(went_on(people, resumed), "version 4: its event 1 is SeatResumed")


@pytest.mark.parametrize("command_id", [b"", OTHER_ID])
@pytest.mark.parametrize("command", [LEAVE, RETURN])
def test_a_table_that_leaves_itself_is_named(people: Exported, command: Any, command_id: bytes) -> None:
    event = entry_pb2.SeatLeft(seat=0) if command == LEAVE else entry_pb2.SeatResumed(seat=0)
    differs(went_on(people, lambda draft: draft.add(CHANCE, command_id, command, (event,))), "version 3: ")


def start(draft: Draft) -> None:
    draft.add_own(CHANCE, ADMINS_ID, START)
    draft.add_consequences()
    draft.add_end(CLOSED, command_id=OTHER_ID)


def test_a_game_that_really_began_with_bots_in_the_open_seats_holds(forming: Exported) -> None:
    assert verify(went_on(forming, start)).shuffles == 1


def test_another_bot_than_was_asked_for_is_named(forming: Exported) -> None:
    def stronger(entry: entry_pb2.Entry) -> None:
        entry.events[1].table.bot_seated.bot = RANDOM

    def twice(entry: entry_pb2.Entry) -> None:
        entry.events.append(entry.events[0])

    def unknown(entry: entry_pb2.Entry) -> None:
        entry.command.table.start_table.bot = entry.events[0].table.bot_seated.bot = 9  # type: ignore[assignment]

    played = read(went_on(forming, start))
    differs(forged(played, at(2, stronger)), "version 2: its event 2 is BotSeated")
    differs(forged(played, at(2, twice)), "version 2: its event 3 is BotSeated")
    differs(forged(played, at(2, unknown)), "version 2: it has a bot that nobody knows")


@pytest.mark.parametrize("seat", [0, 1, 4, 5, -1])
def test_a_bot_that_sits_down_where_no_seat_is_open_is_named(forming: Exported, seat: int) -> None:
    def elsewhere(entry: entry_pb2.Entry) -> None:
        entry.events[1].table.bot_seated.seat = seat

    differs(forged(read(went_on(forming, start)), at(2, elsewhere)), "version 2: its event 2 is BotSeated")


def test_a_game_that_somebody_began_who_has_a_seat_or_that_nobody_began_is_named(forming: Exported) -> None:
    def by(seat: int, command_id: bytes) -> Callable[[Draft], None]:
        return lambda draft: draft.add_own(seat, command_id, START)

    differs(went_on(forming, by(1, ADMINS_ID)), "version 2: seat 1 cannot give such a command")
    differs(went_on(forming, by(CHANCE, b"")), "version 2: its command id has 0 bytes")


def test_bots_that_begin_to_play_before_the_game_does_are_named(forming: Exported) -> None:
    def add(draft: Draft) -> None:
        draft.add_own(CHANCE, ADMINS_ID, START)
        draft.add_end(CLOSED, command_id=OTHER_ID)

    differs(went_on(forming, add), "version 3: .* but all seats are taken, which calls for StartTable")


def test_a_table_that_really_expired_holds(forming: Exported) -> None:
    verified = verify(went_on(forming, lambda draft: draft.add_end_by_itself(EXPIRED)))
    assert (verified.status, verified.standings) == ("expired", 0)


def test_a_table_that_somebody_lets_expire_is_named(forming: Exported) -> None:
    def by(seat: int, command_id: bytes) -> Callable[[Draft], None]:
        return lambda draft: draft.add(seat, command_id, *end(draft.table, EXPIRED))

    differs(went_on(forming, by(CHANCE, OTHER_ID)), "version 2: its command id is ")
    differs(went_on(forming, by(CHANCE, b"")), "version 2: nobody has asked")
    differs(
        went_on(forming, lambda draft: by(1, next_id(draft))(draft)),
        "version 2: seat 1 cannot give such a command",
    )


@pytest.mark.parametrize("status", [FORFEITED, FINISHED])
def test_a_game_that_has_not_begun_and_is_forfeited_or_finished_is_named(
    forming: Exported, status: table_pb2.Status.ValueType
) -> None:
    differs(went_on(forming, lambda draft: draft.add_end(status)), "version 2: ")


@pytest.mark.parametrize(
    ("bots", "match"),
    [
        ({2: STEADY}, "its bots sit on none of the table's seats"),
        ({5: STEADY}, "its bots sit on none of the table's seats"),
        ({0: STEADY}, "its bots sit on none of the table's seats"),
        ({-1: STEADY}, "its bots sit on none of the table's seats"),
        ({4: STEADY, 1: STEADY}, "its bots sit on none of the table's seats, or are not in order"),
        ({1: 0}, "it has a bot that nobody knows"),
        ({4: 3}, "it has a bot that nobody knows"),
    ],
)
def test_bots_that_a_table_cannot_begin_with_are_named(forming: Exported, bots: dict[int, Any], match: str) -> None:
    def change(entry: entry_pb2.Entry) -> None:
        del entry.events[0].table.table_created.bots[:]
        for seat, bot in bots.items():
            entry.events[0].table.table_created.bots.add(seat=seat, bot=bot)

    differs(forged(forming, at(1, change)), f"version 1: {match}")


def test_a_bot_with_a_contribution_is_named(forming: Exported) -> None:
    def change(entry: entry_pb2.Entry) -> None:
        entry.events[0].table.table_created.contributions[3] = bytes(32)

    differs(forged(forming, at(1, change)), "version 1: a bot sits there, but it has a contribution")
