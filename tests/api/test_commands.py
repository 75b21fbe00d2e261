"""Creating and playing over gRPC: every call, once each."""

from stammtisch.double_tricks.v1 import service_pb2
from stammtisch.table.v1 import table_pb2

from service.seal import commitment
from tests.api.house import NAMES, SHORT, House, new_id


async def test_a_new_table_answers_with_a_token_for_each_seat_and_one_for_the_admin(home: House) -> None:
    created = await home.create()
    assert list(created.seats) == [1, 2]
    assert len({created.admin, *created.seats.values()}) == 3


async def test_the_same_request_answers_with_the_same_table_and_tokens(home: House) -> None:
    command_id = new_id()
    first = await home.create(command_id=command_id)
    await home.move(first)
    assert await home.create(command_id=command_id) == first
    assert (await home.create(command_id=command_id.upper())) == first  # Swift writes UUIDs so


async def test_a_view_says_all_that_a_seat_may_know(home: House) -> None:
    created = await home.create()
    view = await home.view(created, 1)
    assert view.table_id == view.table.table_id == created.table_id
    assert (view.table.game, view.table.rules) == ("double_tricks", "double_tricks/1")
    assert [(seat.seat, seat.name) for seat in view.table.seats] == list(enumerate(NAMES, 1))
    assert view.table.status == table_pb2.STATUS_RUNNING
    assert len(view.table.commitment) == 32
    assert view.table.root == b""
    assert view.table.created.ToDatetime() <= view.table.updated.ToDatetime()
    assert bool(view.legal) == (1 in view.table.seats_to_act)


async def test_a_game_is_played_to_its_end_by_posting_back_what_is_legal(home: House) -> None:
    created = await home.create()
    end = await home.play(created)
    assert end.table.status == table_pb2.STATUS_FINISHED
    assert {line.seat for line in end.table.standings} == {1, 2}
    assert commitment(end.table.root) == end.table.commitment
    assert not end.legal
    assert not end.table.seats_to_act


async def test_a_repeated_command_gets_the_same_answer_but_for_the_mark(home: House) -> None:
    created = await home.create()
    (seat,) = (await home.view(created)).table.seats_to_act
    command, command_id = (await home.view(created, seat)).legal[0], new_id()
    first = await home.act(created, seat, command, command_id=command_id)
    await home.play(created)
    again = await home.act(created, seat, command, command_id=command_id)
    assert (first.duplicate, again.duplicate) == (False, True)
    again.duplicate = False
    assert again == first


async def test_the_answer_to_a_command_carries_what_happened_and_the_view_after_it(home: House) -> None:
    created = await home.create()
    answer = await home.move(created)
    view = await home.view(created, 3 - (await home.view(created)).table.seats_to_act[0])
    assert [event.WhichOneof("event") for event in answer.happened] == ["bid_made"]
    assert (answer.version, answer.head_hash, answer.table, answer.view) == (
        view.version,
        view.head_hash,
        view.table,
        view.view,
    )


async def test_options_left_out_have_their_defaults(home: House) -> None:
    created = await home.create(options=None)
    assert (await home.view(created)).view.hand_size == 1
    answer = await home.game.CreateTable(
        service_pb2.CreateTableRequest(command_id=new_id(), seats=[table_pb2.NewSeat()] * 8)
    )
    assert len(answer.seat_tokens) == 8


async def test_a_closed_table_shows_its_root_and_why_it_ended(home: House) -> None:
    created = await home.create()
    closed = await home.close(created)
    assert (closed.table.status, closed.duplicate) == (table_pb2.STATUS_CLOSED, False)
    view = await home.view(created)
    assert view.table == closed.table
    assert commitment(view.table.root) == view.table.commitment


async def test_contributions_are_shown_to_everybody(home: House) -> None:
    seats = [table_pb2.NewSeat(contribution=b"c" * 32), table_pb2.NewSeat()]
    created = await home.create(seats=seats, options=SHORT)
    assert [seat.contribution for seat in (await home.view(created)).table.seats] == [b"c" * 32, b""]
