"""ForkTable, as clients meet it."""

from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from stammtisch.double_speed.v1 import service_pb2 as speed_pb2
from stammtisch.double_speed.v1 import service_pb2_grpc as speed_grpc
from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.table.v1 import service_pb2, table_pb2

from tests.api.house import CREATOR_KEY, NAMES, Created, House, Metadata, bearer, failed, house, new_id

PAIR = (table_pb2.NewSeat(name="Cleo"), table_pb2.NewSeat(name="Dee"))
OPEN = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
BOT = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_BOT)


async def ended(home: House, metadata: Metadata = (), moves: int = 3, **fields: Any) -> Created:
    """Return a table that was closed after both bids and one card: at version 5."""
    created = await home.create(metadata, **fields)
    for _ in range(moves):
        await home.move(created)
    await home.close(created)
    return created


async def fork(home: House, before: Created, metadata: Metadata, **fields: Any) -> Any:
    asked: dict[str, Any] = {"table_id": before.table_id, "command_id": new_id(), "version": 4, "seats": PAIR}
    return await home.table.ForkTable(service_pb2.ForkTableRequest(**(asked | fields)), metadata=metadata)


def opened(answer: Any) -> Created:
    seats = {each.seat: bearer(each.token) for each in answer.seat_tokens}
    return Created(answer.table_id, bearer(answer.admin_token), seats)


async def test_it_shows_what_each_seat_saw_and_is_played_on(home: House) -> None:
    before = await ended(home)
    there = await home.view(before, 1, at_version=4)
    new = opened(await fork(home, before, before.seats[1]))
    here = await home.view(new, 1)
    assert (here.view, here.legal, here.options) == (there.view, there.legal, there.options)
    assert [seat.name for seat in here.table.seats] == ["Cleo", "Dee"]
    assert (here.version, here.table.status) == (2, table_pb2.STATUS_RUNNING)
    assert (await home.play(new)).table.status == table_pb2.STATUS_FINISHED


async def test_it_says_from_where_it_goes_on(home: House) -> None:
    before = await ended(home, spectators=True)
    there = await home.view(before, None, at_version=4)
    answer = await fork(home, before, ())
    assert answer.table.forked_from == table_pb2.ForkedFrom(
        table_id=before.table_id, version=4, head_hash=there.head_hash, cards=table_pb2.CARDS_KEPT
    )
    assert (await home.view(opened(answer), 1)).table.forked_from == answer.table.forked_from
    assert not (await home.view(before, 1)).table.HasField("forked_from")


async def test_the_second_version_tells_what_had_happened_as_the_seat_may_see_it(home: House) -> None:
    before = await ended(home)
    new = opened(await fork(home, before, before.seats[1]))
    for seat in (1, 2):
        theirs = [await home.view(before, seat, at_version=version) for version in (2, 3, 4)]
        told = await home.view(new, seat, at_version=2)
        assert list(told.happened) == [event for view in theirs for event in view.happened]


async def test_seats_terms_and_spectators_are_asked_for_anew(home: House) -> None:
    before = await ended(home)
    slow = table_pb2.Terms(thinking=Duration(seconds=60))
    answer = await fork(home, before, before.seats[2], seats=[OPEN, BOT], terms=slow, spectators=True)
    assert (len(answer.seat_tokens), answer.invite_code != "") == (0, True)
    assert (answer.table.spectators, answer.table.terms.thinking) == (True, slow.thinking)
    joining = service_pb2.JoinTableRequest(
        table_id=answer.table_id, command_id=new_id(), invite_code=answer.invite_code, name="Guest"
    )
    joined = await home.table.JoinTable(joining)
    assert joined.table.status == table_pb2.STATUS_RUNNING
    assert [seat.kind for seat in joined.table.seats] == [table_pb2.SEAT_KIND_PERSON, table_pb2.SEAT_KIND_BOT]


async def test_nobody_looks_into_several_hands_by_changing_seats_before_the_game(home: House) -> None:
    before = await ended(home)
    answer = await fork(home, before, before.seats[2], seats=[OPEN, OPEN])
    hands = []
    for seat in (1, 2, 1):
        joining = service_pb2.JoinTableRequest(
            table_id=answer.table_id, command_id=new_id(), invite_code=answer.invite_code, seat=seat
        )
        new = Created(answer.table_id, (), {seat: bearer((await home.table.JoinTable(joining)).token)})
        there, then = await home.view(new, seat), await home.view(new, seat, at_version=2)
        hands.append((len(there.view.hand), len(then.view.hand), len(then.happened[0].dealt.hands[seat - 1].cards)))
        if len(hands) == 1:
            leaving = service_pb2.LeaveTableRequest(table_id=answer.table_id, command_id=new_id())
            await home.table.LeaveTable(leaving, metadata=new.seats[seat])
    assert hands == [(0, 0, 0), (0, 0, 0), (1, 0, 0)]


async def test_the_same_request_again_has_the_same_answer(home: House) -> None:
    before, command_id = await ended(home), new_id()
    first = await fork(home, before, before.seats[1], command_id=command_id)
    again = await fork(home, before, before.seats[1], command_id=command_id)
    assert again.duplicate
    again.duplicate = False
    assert again == first
    refused = await failed(fork(home, before, before.seats[1], command_id=command_id, version=3))
    assert refused.kind == ("ALREADY_EXISTS", "COMMAND_ID_REUSED")


async def test_cards_dealt_anew_are_seen_by_their_holders_alone(home: House) -> None:
    before = await ended(home)
    there = await home.view(before, 1, at_version=4)
    answer = await fork(home, before, before.seats[1], cards=table_pb2.CARDS_REDEALT, spectators=True)
    new = opened(answer)
    assert (answer.version, answer.table.forked_from.cards) == (3, table_pb2.CARDS_REDEALT)
    views = [await home.view(new, seat, at_version=3) for seat in (1, 2, None)]
    assert [[len(hand.cards) for hand in view.happened[0].redealt.hands] for view in views] == [[1, 0], [0, 1], [0, 0]]
    assert not any(view.happened[0].redealt.stock for view in views)
    assert views[0].view.players == there.view.players
    assert (await home.play(new)).table.status == table_pb2.STATUS_FINISHED


async def test_where_cards_cannot_be_dealt_anew_the_answer_says_what_to_send(home: House) -> None:
    stub = speed_grpc.DoubleSpeedServiceStub(home.raw)
    created = await stub.CreateTable(speed_pb2.CreateTableRequest(command_id=new_id(), seats=PAIR))
    speed = Created(created.table_id, bearer(created.admin_token), {1: bearer(created.seat_tokens[0].token)})
    await home.close(speed)
    refused = await failed(fork(home, speed, speed.seats[1], version=2, cards=table_pb2.CARDS_REDEALT))
    assert refused.kind == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert refused.sentence.startswith("cards: In the middle of a race")
    assert refused.sentence.endswith("Send CARDS_KEPT, or go on from another version.")
    assert (await fork(home, speed, speed.seats[1], version=2)).table.game == "double_speed"


async def test_whoever_may_not_see_the_table_before_may_not_fork_it(home: House) -> None:
    before, other = await ended(home), await home.create()
    assert (await failed(fork(home, before, ()))).kind == ("NOT_FOUND", "TABLE_NOT_FOUND")
    assert (await failed(fork(home, before, other.seats[1]))).kind == ("PERMISSION_DENIED", "NOT_YOUR_ROLE")


async def test_where_creating_needs_a_key_forking_does_unless_one_was_there(socket: Any) -> None:
    async with house(socket, anybody_creates=False) as home:
        before = await ended(home, bearer(CREATOR_KEY), spectators=True)
        assert (await failed(fork(home, before, ()))).kind == ("UNAUTHENTICATED", "TOKEN_MISSING")
        for token in (before.seats[1], before.admin, bearer(CREATOR_KEY)):
            assert (await fork(home, before, token)).version == 2


async def test_a_running_table_is_not_forked(home: House) -> None:
    created = await home.create()
    refused = await failed(fork(home, created, created.seats[1], version=1))
    assert refused.kind == ("FAILED_PRECONDITION", "NOT_ENDED")


async def test_a_version_that_the_table_has_not_is_told_with_the_newest(home: House) -> None:
    before = await ended(home)
    for version in (0, 7, -1):
        refused = await failed(fork(home, before, before.seats[1], version=version))
        assert refused.kind == ("FAILED_PRECONDITION", "VERSION_UNKNOWN")
        assert refused.info.metadata["version"] == "6"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"seats": PAIR[:1]}, "seats"),
        ({"seats": [*PAIR, OPEN]}, "seats"),
        ({"seats": [PAIR[0], table_pb2.NewSeat(contribution=b"1")]}, "seats[1].contribution"),
        ({"cards": 9}, "cards"),
        ({"terms": table_pb2.Terms(stand_in=9)}, "terms.stand_in"),  # type: ignore[arg-type]
        ({"command_id": "7"}, "command_id"),
        ({"table_id": "7"}, "table_id"),
    ],
)
async def test_what_cannot_be_is_refused_by_name(home: House, fields: dict[str, Any], field: str) -> None:
    before = await ended(home)
    refused = await failed(fork(home, before, before.seats[1], **fields))
    assert refused.kind == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert refused.sentence.startswith(f"{field}: ")


async def test_there_is_no_going_on_where_the_game_is_over(home: House) -> None:
    created = await home.create()
    over = await home.play(created)
    refused = await failed(fork(home, created, created.seats[1], version=over.version))
    assert refused.sentence == "version: The game is over by then: send an earlier one."


async def test_who_watches_a_fork_from_its_beginning_sees_its_position_set(home: House) -> None:
    before = await ended(home)
    new = opened(await fork(home, before, before.seats[1]))
    stream = home.game.WatchView(
        game_pb2.WatchViewRequest(table_id=new.table_id, from_version=1), metadata=new.seats[1]
    )
    frame = await stream.read()
    assert (frame.version, len(frame.step.happened)) == (2, 3)
    stream.cancel()


async def test_names_are_not_taken_along(home: House) -> None:
    before = await ended(home)
    answer = await fork(home, before, before.seats[1], seats=[table_pb2.NewSeat()] * 2)
    assert not {seat.name for seat in answer.table.seats} & {*NAMES}
