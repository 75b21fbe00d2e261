"""Rematch, as clients meet it."""

import uuid
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.table.v1 import service_pb2, table_pb2

from tests.api.house import NAMES, SHORT, Created, House, Metadata, bearer, failed, new_id

OPEN = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
BOT = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_BOT, name="Botty")


async def ended(home: House, **fields: Any) -> Created:
    created = await home.create(**fields)
    await home.close(created)
    return created


async def rematch(home: House, table_id: str, metadata: Metadata, **fields: Any) -> Any:
    request = service_pb2.RematchRequest(**{"table_id": table_id, "command_id": new_id(), **fields})
    return await home.table.Rematch(request, metadata=metadata)


async def looked(home: House, table_id: str, metadata: Metadata) -> table_pb2.Table:
    request = service_pb2.GetTableRequest(table_id=table_id)
    table: table_pb2.Table = (await home.table.GetTable(request, metadata=metadata)).table
    return table


async def test_everybody_has_the_same_seat_and_name_and_a_token_of_his_own(home: House) -> None:
    before = await ended(home)
    answers = {seat: await rematch(home, before.table_id, before.seats[seat]) for seat in (2, 1)}
    assert [(seat, answer.seat, answer.duplicate) for seat, answer in answers.items()] == [(2, 2, False), (1, 1, False)]
    new = Created(answers[1].table_id, (), {seat: bearer(answer.token) for seat, answer in answers.items()})
    assert answers[2].table_id == new.table_id != before.table_id
    view = await home.view(new, 2)
    assert (view.seat, view.table.status, view.options) == (
        2,
        table_pb2.STATUS_RUNNING,
        (await home.view(before)).options,
    )
    assert tuple(seat.name for seat in view.table.seats) == NAMES
    await home.play(new)


async def test_both_tables_name_each_other(home: House) -> None:
    before = await ended(home, spectators=True)
    assert (await looked(home, before.table_id, ())).rematch == ""
    new = await rematch(home, before.table_id, before.seats[1])
    assert new.table.rematch_of == before.table_id
    assert (await looked(home, before.table_id, ())).rematch == new.table_id
    assert (await home.view(before)).table.rematch == new.table_id


async def test_while_the_game_runs_there_is_none(home: House) -> None:
    created = await home.create()
    refused = await failed(rematch(home, created.table_id, created.seats[1]))
    assert refused.kind == ("FAILED_PRECONDITION", "NOT_ENDED")
    refused = await failed(rematch(home, created.table_id, created.admin))
    assert refused.kind == ("FAILED_PRECONDITION", "NOT_ENDED")


async def test_it_needs_a_token_of_the_ended_table(home: House) -> None:
    before, other = await ended(home, spectators=True), await home.create()
    kinds = [(await failed(rematch(home, before.table_id, who))).kind for who in ((), other.seats[1], other.admin)]
    assert kinds == [
        ("UNAUTHENTICATED", "TOKEN_MISSING"),
        ("PERMISSION_DENIED", "NOT_YOUR_ROLE"),
        ("PERMISSION_DENIED", "NOT_YOUR_ROLE"),
    ]


async def test_the_admin_creates_it_and_is_its_admin(home: House) -> None:
    before = await ended(home)
    first = await rematch(home, before.table_id, before.admin)
    assert (first.seat, first.token, first.duplicate) == (0, "", False)
    assert [seat.kind for seat in first.table.seats] == [table_pb2.SEAT_KIND_OPEN] * 2
    sat = await rematch(home, before.table_id, before.seats[2])
    assert (sat.table_id, sat.admin_token, sat.invite_code) == (first.table_id, "", first.invite_code)
    again = await rematch(home, before.table_id, before.admin)
    assert (again.table_id, again.admin_token != "", again.duplicate) == (first.table_id, True, True)
    begin = service_pb2.StartTableRequest(table_id=first.table_id, command_id=new_id())
    begun = await home.table.StartTable(begin, metadata=bearer(first.admin_token))
    assert [seat.kind for seat in begun.table.seats] == [table_pb2.SEAT_KIND_BOT, table_pb2.SEAT_KIND_PERSON]


async def test_somebody_is_invited_instead_of_who_does_not_come(home: House) -> None:
    before = await ended(home)
    ada = await rematch(home, before.table_id, before.seats[1])
    joining = service_pb2.JoinTableRequest(
        table_id=ada.table_id, command_id=new_id(), invite_code=ada.invite_code, name="Guest"
    )
    guest = await home.table.JoinTable(joining)
    assert [seat.name for seat in guest.table.seats] == [NAMES[0], "Guest"]
    refused = await failed(rematch(home, before.table_id, before.seats[2]))
    assert refused.kind == ("FAILED_PRECONDITION", "SEAT_NOT_OPEN")


async def test_a_bot_sits_there_as_before(home: House) -> None:
    slow = table_pb2.Terms(thinking=Duration(seconds=60))
    before = await ended(home, seats=[table_pb2.NewSeat(name="Ada"), BOT], terms=slow)
    new = await rematch(home, before.table_id, before.seats[1])
    assert (new.table.status, new.table.terms.thinking) == (table_pb2.STATUS_RUNNING, slow.thinking)
    assert [(seat.kind, seat.name) for seat in new.table.seats] == [
        (table_pb2.SEAT_KIND_PERSON, "Ada"),
        (table_pb2.SEAT_KIND_BOT, "Botty"),
    ]


async def test_a_repeated_request_has_the_same_token_answer_and_a_new_one_the_same_seat(home: House) -> None:
    before, command_id = await ended(home), new_id()
    first = await rematch(home, before.table_id, before.seats[1], command_id=command_id)
    for again in (
        await rematch(home, before.table_id, before.seats[1], command_id=command_id),
        await rematch(home, before.table_id, before.seats[1]),
    ):
        assert again.duplicate
        again.duplicate = False
        assert again == first


async def test_the_log_does_not_tell_the_command_id_that_would_bring_the_token_again(home: House) -> None:
    before, command_id = await ended(home, spectators=True), new_id()
    new = await rematch(home, before.table_id, before.seats[1], command_id=command_id)
    page = await home.table.GetLog(service_pb2.GetLogRequest(table_id=new.table_id))
    assert uuid.UUID(command_id).bytes not in page.SerializeToString()


async def test_a_contribution_enters_the_shuffles(home: House) -> None:
    before = await ended(home)
    new = await rematch(home, before.table_id, before.seats[1], contribution=b"1" * 32)
    assert new.table.seats[0].contribution == b"1" * 32


@pytest.mark.parametrize(
    ("who", "fields", "field"),
    [
        ("seat", {"contribution": b"1"}, "contribution"),
        ("admin", {"contribution": b"1" * 32}, "contribution"),
        ("seat", {"command_id": "7"}, "command_id"),
    ],
)
async def test_what_cannot_be_is_refused_by_name(home: House, who: str, fields: dict[str, Any], field: str) -> None:
    before = await ended(home)
    metadata = before.seats[1] if who == "seat" else before.admin
    refused = await failed(rematch(home, before.table_id, metadata, **fields))
    assert refused.kind == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert refused.sentence.startswith(f"{field}: ")


async def test_who_had_left_before_the_game_has_no_seat_to_come_back_to(home: House) -> None:
    request = game_pb2.CreateTableRequest(command_id=new_id(), seats=[OPEN, OPEN], options=SHORT)
    created = await home.game.CreateTable(request)
    joining = service_pb2.JoinTableRequest(
        table_id=created.table_id, command_id=new_id(), invite_code=created.invite_code
    )
    guest = await home.table.JoinTable(joining)
    leaving = service_pb2.LeaveTableRequest(table_id=created.table_id, command_id=new_id())
    await home.table.LeaveTable(leaving, metadata=bearer(guest.token))
    closing = service_pb2.CloseTableRequest(table_id=created.table_id, command_id=new_id())
    await home.table.CloseTable(closing, metadata=bearer(created.admin_token))
    refused = await failed(rematch(home, created.table_id, bearer(guest.token)))
    assert refused.kind == ("UNAUTHENTICATED", "TOKEN_OUTDATED")
