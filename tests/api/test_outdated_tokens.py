"""Outdated tokens: who has left a seat before the game sees nothing of whoever has it next."""

from typing import Any

from google.protobuf.duration_pb2 import Duration
from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.table.v1 import service_pb2, table_pb2

from tests.api.house import SHORT, Created, House, bearer, failed, new_id, rest

ADA = table_pb2.NewSeat(name="Ada Lovelace")
OPEN = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
SLOW = table_pb2.Terms(thinking=Duration(seconds=60))
SEAT_LEFT = table_pb2.Closed(reason=table_pb2.Closed.REASON_SEAT_LEFT)
OUTDATED = ("UNAUTHENTICATED", "TOKEN_OUTDATED")


async def formed(home: House) -> tuple[Created, str]:
    """Return a table at which a person sits on seat 1 and nobody on seat 2, and its invite code."""
    request = game_pb2.CreateTableRequest(command_id=new_id(), seats=[ADA, OPEN], options=SHORT, terms=SLOW)
    created = await home.game.CreateTable(request)
    seats = {1: bearer(created.seat_tokens[0].token)}
    return Created(created.table_id, bearer(created.admin_token), seats), created.invite_code


async def left(home: House, created: Created) -> None:
    request = service_pb2.LeaveTableRequest(table_id=created.table_id, command_id=new_id())
    await home.table.LeaveTable(request, metadata=created.seats[1])


async def joined(home: House, created: Created, code: str, seat: int) -> Any:
    request = service_pb2.JoinTableRequest(
        table_id=created.table_id, command_id=new_id(), invite_code=code, seat=seat, name="Grace Hopper"
    )
    return bearer((await home.table.JoinTable(request)).token)


async def test_a_stream_ends_when_its_player_leaves_the_seat(home: House) -> None:
    created, code = await formed(home)
    stream = home.watch(created)
    await stream.read()
    await left(home, created)
    await joined(home, created, code, 1)
    await joined(home, created, code, 2)
    await home.close(created)  # else what is wrongly shown would never end
    (last,) = await rest(stream)
    assert last.closed == SEAT_LEFT


async def test_a_stream_of_the_log_ends_too(home: House) -> None:
    created, _ = await formed(home)
    stream = home.watch_log(created)
    await stream.read()
    await left(home, created)
    await home.close(created)
    *_, last = await rest(stream)
    assert last.closed == SEAT_LEFT


async def test_who_waits_for_a_version_and_leaves_is_not_shown_it(home: House) -> None:
    created, code = await formed(home)
    waiting = home.game.GetView(
        game_pb2.GetViewRequest(table_id=created.table_id, min_version=4), metadata=created.seats[1]
    )
    await left(home, created)
    await joined(home, created, code, 1)
    await joined(home, created, code, 2)
    assert (await failed(waiting)).kind == OUTDATED


async def test_a_command_sent_again_by_who_has_left_shows_nothing_of_the_seat(home: House) -> None:
    created, code = await formed(home)
    await left(home, created)
    after = Created(created.table_id, created.admin, {seat: await joined(home, created, code, seat) for seat in (1, 2)})
    view = await home.view(after)
    if view.table.seats_to_act != [1]:
        await home.move(after)
        view = await home.view(after)
    command, seen_in_the_log = view.legal[0], new_id()
    await home.act(after, 1, command, command_id=seen_in_the_log)
    again = home.act(created, 1, command, command_id=seen_in_the_log)
    assert (await failed(again)).kind == OUTDATED
