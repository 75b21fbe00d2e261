"""Open seats: an invite code takes one of them, and the last one taken begins the game."""

from typing import Any

import grpc
import pytest
from stammtisch.double_tricks.v1 import double_tricks_pb2
from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.table.v1 import service_pb2, table_pb2

from tests.api.house import SHORT, Created, House, acting, bearer, failed, new_id

OPEN = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
ADA = table_pb2.NewSeat(name="Ada Lovelace")


async def opened(home: House, *seats: table_pb2.NewSeat) -> Any:
    """Return the answer to the creation of a table."""
    request = game_pb2.CreateTableRequest(command_id=new_id(), seats=seats or (ADA, OPEN), options=SHORT)
    return await home.game.CreateTable(request)


def joining(created: Any, **fields: Any) -> service_pb2.JoinTableRequest:
    known = {"table_id": created.table_id, "command_id": new_id(), "invite_code": created.invite_code}
    return service_pb2.JoinTableRequest(**{**known, **fields})


async def test_an_open_seat_has_no_token_until_somebody_takes_it(home: House) -> None:
    created = await opened(home)
    assert [each.seat for each in created.seat_tokens] == [1]
    joined = await home.table.JoinTable(joining(created, name="Grace Hopper"))
    assert (joined.seat, joined.duplicate) == (2, False)
    assert [(seat.name, seat.kind) for seat in joined.table.seats] == [
        ("Ada Lovelace", table_pb2.SEAT_KIND_PERSON),
        ("Grace Hopper", table_pb2.SEAT_KIND_PERSON),
    ]
    guest = Created(created.table_id, (), {2: bearer(joined.token)})
    view = await home.view(guest, 2)
    assert (view.seat, view.table.status, len(view.view.hand)) == (2, table_pb2.STATUS_RUNNING, 1)


async def test_while_seats_are_open_everybody_sees_which_and_nothing_is_revealed(home: House) -> None:
    created = await opened(home)
    seat = Created(created.table_id, (), {1: bearer(created.seat_tokens[0].token)})
    view = await home.view(seat)
    assert view.table.status == table_pb2.STATUS_FORMING
    assert [each.kind for each in view.table.seats] == [table_pb2.SEAT_KIND_PERSON, table_pb2.SEAT_KIND_OPEN]
    assert (view.table.root, list(view.table.seats_to_act), list(view.legal)) == (b"", [], [])


async def test_who_watches_hears_of_who_sits_down_and_of_the_deal(home: House) -> None:
    created = await opened(home)
    stream = home.watch(Created(created.table_id, (), {1: bearer(created.seat_tokens[0].token)}))
    assert (await stream.read()).snapshot.table.status == table_pb2.STATUS_FORMING
    await home.table.JoinTable(joining(created, name="Grace"))
    steps = [(await stream.read()).step for _ in range(3)]
    assert [step.table.seats[1].name for step in steps] == ["Grace"] * 3
    assert [step.happened[0].WhichOneof("event") for step in steps[2:]] == ["dealt"]


async def test_the_same_command_id_has_the_same_seat_and_token_again(home: House) -> None:
    created = await opened(home)
    request = joining(created)
    first, again = await home.table.JoinTable(request), await home.table.JoinTable(request)
    assert (again.seat, again.token, again.duplicate) == (first.seat, first.token, True)


async def test_without_the_invite_code_nobody_learns_of_the_table(home: House) -> None:
    created = await opened(home)
    for code in ("", "a" * 16, created.invite_code.upper(), "é"):
        failure = await failed(home.table.JoinTable(joining(created, invite_code=code)))
        assert failure.kind == ("NOT_FOUND", "TABLE_NOT_FOUND")


async def test_a_table_without_open_seats_has_no_invite_code(home: House) -> None:
    created = await opened(home, ADA, ADA)
    assert created.invite_code == ""
    assert (await failed(home.table.JoinTable(joining(created)))).kind == ("NOT_FOUND", "TABLE_NOT_FOUND")


@pytest.mark.parametrize("seat", [-1, 1, 3])
async def test_a_seat_that_is_not_open_is_refused(home: House, seat: int) -> None:
    created = await opened(home)
    failure = await failed(home.table.JoinTable(joining(created, seat=seat)))
    assert failure.kind == ("FAILED_PRECONDITION", "SEAT_NOT_OPEN")


async def test_a_command_before_the_game_begins_is_told_so(home: House) -> None:
    created = await opened(home)
    seat = Created(created.table_id, (), {1: bearer(created.seat_tokens[0].token)})
    bid = acting(seat, double_tricks_pb2.Command(bid=double_tricks_pb2.Bid(tricks=1)))
    failure = await failed(home.game.Bid(bid, metadata=seat.seats[1]))
    assert failure.kind == ("FAILED_PRECONDITION", "NOT_STARTED")


@pytest.mark.parametrize(
    ("fields", "path"), [({"name": "x" * 65}, "name"), ({"contribution": b"short"}, "contribution")]
)
async def test_what_a_guest_brings_is_checked_like_a_creators(home: House, fields: Any, path: str) -> None:
    with pytest.raises(grpc.aio.AioRpcError, match=path):
        await home.table.JoinTable(joining(await opened(home), **fields))


async def test_an_open_seat_has_neither_name_nor_contribution(home: House) -> None:
    named = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN, name="Ada")
    with pytest.raises(grpc.aio.AioRpcError, match=r"seats\[1\]"):
        await opened(home, ADA, named)
