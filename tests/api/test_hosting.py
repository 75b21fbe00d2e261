"""Bots, clocks and leavers, as clients meet them."""

from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.double_tricks.v1.double_tricks_pb2 import Bid
from stammtisch.table.v1 import service_pb2, table_pb2

from tests.api.house import SHORT, Created, House, bearer, failed, house, new_id

ADA = table_pb2.NewSeat(name="Ada Lovelace")
OPEN = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
BOT = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_BOT, name="Botty")
SLOW = table_pb2.Terms(thinking=Duration(seconds=60))
AT_ONCE = table_pb2.Terms(thinking=Duration())


async def opened(home: House, *seats: table_pb2.NewSeat, terms: table_pb2.Terms = SLOW) -> Any:
    request = game_pb2.CreateTableRequest(command_id=new_id(), seats=seats, options=SHORT, terms=terms)
    return await home.game.CreateTable(request)


async def hosted(home: House, method: str, created: Any, token: str, **fields: Any) -> Any:
    request = getattr(service_pb2, f"{method}Request")(table_id=created.table_id, command_id=new_id(), **fields)
    return await getattr(home.table, method)(request, metadata=bearer(token))


async def looked(home: House, created: Any, token: str) -> Any:
    request = service_pb2.GetTableRequest(table_id=created.table_id)
    return (await home.table.GetTable(request, metadata=bearer(token))).table


def seat_of(created: Any, seat: int) -> str:
    (token,) = (each.token for each in created.seat_tokens if each.seat == seat)
    return str(token)


async def test_a_bot_has_its_seat_and_no_token(home: House) -> None:
    created = await opened(home, ADA, BOT)
    assert [each.seat for each in created.seat_tokens] == [1]
    seats = (await looked(home, created, seat_of(created, 1))).seats
    assert [(seat.kind, seat.bot, seat.name) for seat in seats] == [
        (table_pb2.SEAT_KIND_PERSON, table_pb2.BOT_STRENGTH_UNSPECIFIED, "Ada Lovelace"),
        (table_pb2.SEAT_KIND_BOT, table_pb2.BOT_STRENGTH_STEADY, "Botty"),
    ]


async def test_one_person_plays_with_bots_by_answering_when_it_is_asked(home: House) -> None:
    created = await opened(home, ADA, BOT, BOT, terms=AT_ONCE)
    table = Created(created.table_id, bearer(created.admin_token), {1: bearer(seat_of(created, 1))})
    view = await home.view(table)
    while view.table.status == table_pb2.STATUS_RUNNING:
        if 1 in view.table.seats_to_act:
            await home.act(table, 1, view.legal[0])
        view = await home.view(table, min_version=view.version + 1)
    assert view.table.status == table_pb2.STATUS_FINISHED
    assert len(view.table.standings) == 3


async def test_terms_come_back_complete_and_with_deadlines(home: House) -> None:
    clock = table_pb2.Clock(per_game=Duration(seconds=90), increment=Duration(seconds=2))
    created = await opened(home, ADA, ADA, terms=table_pb2.Terms(clock=clock))
    table = await looked(home, created, seat_of(created, 1))
    assert table.terms.clock.time_out == table_pb2.TIME_OUT_DEFAULT_COMMAND
    assert (table.terms.thinking, table.terms.stand_in) == (Duration(seconds=1), table_pb2.BOT_STRENGTH_STEADY)
    (seat,) = table.seats_to_act
    assert table.deadline.ToMilliseconds() == table.updated.ToMilliseconds() + 90_000
    assert [each.time_left.seconds for each in table.seats] == [90, 90]
    assert [each.seat for each in table.seats if each.HasField("deadline")] == [seat]


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        (table_pb2.Terms(clock=table_pb2.Clock()), "terms.clock"),
        (
            table_pb2.Terms(clock=table_pb2.Clock(per_command=Duration(seconds=1), per_game=Duration(seconds=9))),
            "terms.clock",
        ),
        (
            table_pb2.Terms(clock=table_pb2.Clock(per_command=Duration(seconds=1), increment=Duration(seconds=1))),
            "terms.clock.increment",
        ),
        (table_pb2.Terms(clock=table_pb2.Clock(per_command=Duration(nanos=1_000_000))), "terms.clock.per_command"),
        (table_pb2.Terms(clock=table_pb2.Clock(per_game=Duration(seconds=3_000_000))), "terms.clock.per_game"),
        (table_pb2.Terms(thinking=Duration(seconds=61)), "terms.thinking"),
        (table_pb2.Terms(thinking=Duration(nanos=1)), "terms.thinking"),
        (table_pb2.Terms(stand_in=9), "terms.stand_in"),  # type: ignore[arg-type]
    ],
)
async def test_terms_that_cannot_be_are_refused_by_name(home: House, terms: table_pb2.Terms, field: str) -> None:
    refused = await failed(opened(home, ADA, ADA, terms=terms))
    assert refused.kind == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert refused.sentence.startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("seat", "field"),
    [
        (table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_BOT, contribution=b"1" * 32), "seats[1].contribution"),
        (table_pb2.NewSeat(bot=table_pb2.BOT_STRENGTH_RANDOM), "seats[1].bot"),
        (table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_BOT, bot=9), "seats[1].bot"),  # type: ignore[arg-type]
    ],
)
async def test_a_bot_that_cannot_be_is_refused_by_name(home: House, seat: table_pb2.NewSeat, field: str) -> None:
    refused = await failed(opened(home, ADA, seat))
    assert refused.sentence.startswith(f"{field}: ")


async def test_who_leaves_is_stood_in_for_and_comes_back(home: House) -> None:
    created = await opened(home, ADA, ADA)
    ada = seat_of(created, 1)
    left = await hosted(home, "LeaveTable", created, ada)
    assert (left.table.seats[0].away, left.table.seats[0].bot) == (True, table_pb2.BOT_STRENGTH_STEADY)
    acting = game_pb2.BidRequest(table_id=created.table_id, command_id=new_id(), command=Bid(tricks=0))
    refused = await failed(home.game.Bid(acting, metadata=bearer(ada)))
    assert refused.kind == ("FAILED_PRECONDITION", "SEAT_AWAY")
    back = await hosted(home, "ReturnToTable", created, ada)
    assert (back.table.seats[0].away, back.table.seats[0].bot) == (False, table_pb2.BOT_STRENGTH_UNSPECIFIED)
    again = await failed(hosted(home, "ReturnToTable", created, ada))
    assert again.kind == ("FAILED_PRECONDITION", "NOTHING_TO_DO")


async def test_a_token_is_worth_nothing_once_its_player_has_left_before_the_game(home: House) -> None:
    created = await opened(home, ADA, OPEN, OPEN)
    joining = service_pb2.JoinTableRequest(
        table_id=created.table_id, command_id=new_id(), invite_code=created.invite_code
    )
    guest = await home.table.JoinTable(joining)
    left = await hosted(home, "LeaveTable", created, guest.token)
    assert left.table.seats[guest.seat - 1].kind == table_pb2.SEAT_KIND_OPEN
    outdated = await failed(looked(home, created, guest.token))
    assert outdated.kind == ("UNAUTHENTICATED", "TOKEN_OUTDATED")


async def test_the_admin_begins_with_bots_in_the_open_seats_and_nobody_else_does(home: House) -> None:
    created = await opened(home, ADA, OPEN, OPEN)
    denied = await failed(hosted(home, "StartTable", created, seat_of(created, 1)))
    assert denied.kind == ("PERMISSION_DENIED", "NOT_YOUR_ROLE")
    begun = await hosted(home, "StartTable", created, created.admin_token, bot=table_pb2.BOT_STRENGTH_RANDOM)
    assert begun.table.status == table_pb2.STATUS_RUNNING
    assert [seat.bot for seat in begun.table.seats[1:]] == [table_pb2.BOT_STRENGTH_RANDOM] * 2


async def test_commands_of_the_tables_own_are_done_once(home: House) -> None:
    created, command_id = await opened(home, ADA, ADA), new_id()
    request = service_pb2.LeaveTableRequest(table_id=created.table_id, command_id=command_id)
    answers = [await home.table.LeaveTable(request, metadata=bearer(seat_of(created, 1))) for _ in range(2)]
    assert [answer.duplicate for answer in answers] == [False, True]
    assert answers[0].version == answers[1].version


async def test_who_leaves_at_another_version_than_expected_is_told_so(home: House) -> None:
    created = await opened(home, ADA, ADA)
    stale = await failed(hosted(home, "LeaveTable", created, seat_of(created, 1), expected_version=1))
    assert stale.kind == ("ABORTED", "VERSION_STALE")


async def test_bots_think_as_long_as_the_operator_wants_at_least(socket: Path) -> None:
    async with house(socket, thinking_seconds=0.05) as home:
        terms = table_pb2.Terms(thinking=Duration(nanos=49_000_000))
        refused = await failed(opened(home, ADA, BOT, terms=terms))
        assert refused.sentence == "terms.thinking: Send a duration from 0.05s to 60s, in whole milliseconds."
