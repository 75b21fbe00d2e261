"""Leaving: before the game the seat is open again, later a bot stands in until its player returns."""

from dataclasses import replace

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.draft import Founding
from service.fold import EXPIRED, FINISHED, FORMING, RUNNING, Table
from service.games import GAMES
from service.kit.options import settled
from service.objections import CommandIdReused, NothingToDo, SeatAway, TokenOutdated
from service.seating import BOT, OPEN
from service.table import Asked, Done
from service.terms import Terms
from tests.games.story import known_of
from tests.table.clockwork import PATIENCE, Clockwork
from tests.table.playing import new_id

LEAVE, RETURN = entry_pb2.LeaveSeat(), entry_pb2.ReturnToSeat()
STEADY = table_pb2.BOT_STRENGTH_STEADY


async def host(
    here: Clockwork, table: Table, seat: int, command: object, command_id: bytes = b"", since: int = 0
) -> Done:
    asked = Asked(seat, command_id or new_id(), command, since=since)
    return await here.tables.host(table.charter.table_id, asked)


async def join(here: Clockwork, table: Table, name: str = "Guest") -> Done:
    return await here.tables.join(table.charter.table_id, new_id(), entry_pb2.TakeSeat(), name)


@pytest.mark.parametrize("game", GAMES)
async def test_a_bot_plays_for_who_has_left_to_the_end_and_the_log_verifies(here: Clockwork, game: str) -> None:
    table = await here.create(game, 4, Terms())
    for seat in (1, 3, 4):
        table = (await host(here, table, seat, LEAVE)).table
    table = await here.play(table)
    assert table.status == FINISHED
    await here.verified(table)


async def test_who_returns_plays_on_where_the_bot_has_come_to(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms())
    (seat,) = table.seats_to_act
    table = (await host(here, table, seat, LEAVE)).table
    with pytest.raises(SeatAway):
        await here.act(table, seat)
    table = await here.on_time(table)
    table = (await host(here, table, seat, RETURN)).table
    assert not table.seating.has_bots
    table = await here.play(table)
    assert table.status == FINISHED
    await here.verified(table)


async def test_nobody_leaves_twice_or_returns_without_having_left(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms())
    with pytest.raises(NothingToDo):
        await host(here, table, 1, RETURN)
    await host(here, table, 1, LEAVE)
    with pytest.raises(NothingToDo):
        await host(here, table, 1, LEAVE)


async def test_the_same_command_id_leaves_once(here: Clockwork) -> None:
    table, command_id = await here.create("double_tricks", 2, Terms()), new_id()
    first = await host(here, table, 1, LEAVE, command_id=command_id)
    again = await host(here, table, 1, LEAVE, command_id=command_id)
    assert (again.duplicate, again.entries) == (True, first.entries)


async def test_a_seat_left_before_the_game_is_open_again_without_its_name(here: Clockwork) -> None:
    table = await here.create("double_tricks", 3, Terms(), open_seats=(2, 3))
    sat = (await join(here, table, "Grace")).entries[0]
    table = (await host(here, table, sat.seat, LEAVE, since=sat.version)).table
    assert (table.status, table.seating.open_seats, table.seating.names[2]) == (FORMING, (2, 3), "")
    assert table.seating.chair(2).kind == OPEN


async def test_a_table_is_created_once_even_if_somebody_has_left_it_meanwhile(here: Clockwork) -> None:
    kind, command_id = GAMES["double_tricks"], new_id()
    options, people = settled(known_of(kind).short), {1: "Ada", 2: "Grace"}
    founding = Founding(kind, options, (b"",) * 3, spectators=True, names=people, open_seats=(3,))
    table = (await here.tables.create("somebody", command_id, founding)).table
    await host(here, table, 1, LEAVE)
    assert (await here.tables.create("somebody", command_id, founding)).duplicate
    await join(here, table, "Guest")
    assert (await here.tables.create("somebody", command_id, founding)).duplicate
    other = replace(founding, names={1: "Ada", 2: "Somebody Else"})
    with pytest.raises(CommandIdReused):
        await here.tables.create("somebody", command_id, other)


async def test_what_opened_a_seat_for_one_who_left_does_not_open_it_for_him_again(here: Clockwork) -> None:
    table = await here.create("double_tricks", 3, Terms(), open_seats=(2, 3))
    first = (await join(here, table)).entries[0]
    await host(here, table, first.seat, LEAVE, since=first.version)
    with pytest.raises(TokenOutdated):
        await host(here, table, first.seat, LEAVE, since=first.version)
    second = (await join(here, table)).entries[0]
    assert second.seat == first.seat
    with pytest.raises(TokenOutdated):
        await host(here, table, first.seat, LEAVE, since=first.version)


async def test_the_game_begins_with_bots_in_the_open_seats_when_the_admin_says_so(here: Clockwork) -> None:
    table = await here.create("double_tricks", 4, Terms(), open_seats=(2, 3, 4))
    await join(here, table)
    table = (await host(here, table, 0, entry_pb2.StartTable(bot=STEADY))).table
    assert [table.seating.chair(seat).kind == BOT for seat in table.charter.seats] == [False, False, True, True]
    assert table.status == RUNNING
    with pytest.raises(NothingToDo):
        await host(here, table, 0, entry_pb2.StartTable(bot=STEADY))
    sat = table.seating.chair(2).since
    assert sat
    table = (await host(here, table, 2, LEAVE, since=sat)).table
    table = await here.play(table)
    assert table.status == FINISHED
    await here.verified(table)


async def test_a_table_that_never_fills_ends_by_itself_and_says_so(here: Clockwork) -> None:
    table = await here.create("double_tricks", 3, Terms(), open_seats=(2, 3))
    here.now_ms += PATIENCE.forming_ms - 1
    table = (await join(here, table)).table
    here.now_ms += PATIENCE.forming_ms - 1
    await here.tables.time.tick(table.charter.table_id)
    assert (await here.look(table)).status == FORMING
    table = await here.on_time(table)
    assert (table.status, table.standings) == (EXPIRED, ())
    await here.verified(table)
