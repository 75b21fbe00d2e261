from contextlib import aclosing
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from stammtisch import Client, Contribution, NotAllowed, NotFound, Refused, Stale, StammtischError, TableEnded, connect
from stammtisch.calls import new_command_id
from stammtisch.double_tricks.v1 import double_tricks_pb2 as double_tricks
from stammtisch.table.v1 import service_pb2, service_pb2_grpc, table_pb2
from stammtisch.table.v1.table_pb2 import NewSeat

from tests.client.served import CREATOR_KEY, serving

ONE_CARD = double_tricks.Options(hand_sizes=[1], first_dealer=2)
PAIR = [NewSeat(name="Anna"), NewSeat(name="Ben")]


@pytest.fixture
async def client() -> Any:
    async with serving() as served, connect(served.address) as client:
        yield client


async def test_the_games_of_a_service_are_listed(client: Client) -> None:
    assert "double_tricks" in [game.game for game in await client.games()]


async def test_whoever_creates_a_table_has_all_its_seats(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD)
    views = [await seat.view() for seat in created.seats]
    assert [seat.name for seat in views[0].table.seats] == ["Anna", "Ben"]
    assert [len(seen.view.hand) for seen in views] == [1, 1]
    assert views[0].view.hand != views[1].view.hand


async def test_a_seat_is_taken_with_its_token_alone(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD)
    anna = client.seat(double_tricks, created.table_id, created.seats[0].token)
    assert (await anna.view()).view == (await created.seats[0].view()).view


async def test_a_spectator_needs_no_token_where_spectators_may_watch(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD, spectators=True)
    seen = await client.seat(double_tricks, created.table_id).view()
    assert (len(seen.view.players), len(seen.view.hand)) == (2, 0)


async def test_an_open_seat_is_taken_with_the_invite_code(client: Client) -> None:
    open_seat = NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
    created = await client.create(double_tricks, [PAIR[0], open_seat], ONE_CARD)
    assert len(created.seats) == 1
    ben = await client.join(double_tricks, created.table_id, created.invite_code, name="Ben")
    seen = await ben.view()
    assert [seat.name for seat in seen.table.seats] == ["Anna", "Ben"]
    assert (seen.seat, len(seen.view.hand)) == (2, 1)
    with pytest.raises(NotFound):
        await client.join(double_tricks, created.table_id, "guessed")


async def test_listed_tables_are_found_and_joined_without_a_code(client: Client) -> None:
    open_seat, listed = NewSeat(kind=table_pb2.SEAT_KIND_OPEN), table_pb2.Terms(listed=True)
    created = [await client.create(double_tricks, [PAIR[0], open_seat], ONE_CARD, terms=listed) for _ in range(23)]
    found = [table.table_id async for table in client.tables(double_tricks)]
    assert sorted(found) == sorted(each.table_id for each in created)
    ben = await client.join(double_tricks, found[0], name="Ben")
    assert (await ben.view()).seat == 2
    assert found[0] not in [table.table_id async for table in client.tables(double_tricks)]


async def test_people_commit_themselves_and_reveal_once_all_have(client: Client) -> None:
    annas, bens = Contribution(), Contribution()
    seats = [NewSeat(name="Anna", commitment=annas.commitment), NewSeat(kind=table_pb2.SEAT_KIND_OPEN)]
    terms = table_pb2.Terms(contributions=table_pb2.CONTRIBUTIONS_REVEALED)
    created = await client.create(double_tricks, seats, ONE_CARD, terms=terms)
    (anna,) = created.seats
    with pytest.raises(StammtischError) as early:
        await anna.reveal(annas)
    assert early.value.reason == "NOT_STARTED"
    ben = await client.join(double_tricks, created.table_id, created.invite_code, commitment=bens.commitment)
    assert (await anna.reveal(annas)).status == table_pb2.STATUS_REVEALING
    with pytest.raises(StammtischError) as other:
        await ben.reveal(annas)
    assert other.value.reason == "CONTRIBUTION_DIFFERS"
    async with aclosing(ben.watch()) as frames:
        async for frame in frames:
            if frame.table.status == table_pb2.STATUS_REVEALING and frame.seat in frame.table.seats_to_act:
                await ben.reveal(bens)
            if frame.table.status == table_pb2.STATUS_RUNNING:
                break
    assert frame.table.fairness == table_pb2.FAIRNESS_JOINT
    await client.close_table(created.table_id, created.admin_token)
    anew = Contribution()
    assert (await (await anna.rematch(commitment=anew.commitment)).view()).table.status == table_pb2.STATUS_FORMING
    with pytest.raises(StammtischError, match="commitment"):
        await ben.rematch(contribution=anew.content)


def test_a_contribution_is_random_and_does_not_show_by_accident() -> None:
    contribution = Contribution()
    assert len(contribution.content) == 32
    assert contribution != Contribution()
    assert contribution == Contribution(contribution.content)
    assert contribution.content.hex() not in repr(contribution)
    assert repr(contribution.content) not in repr(contribution)


async def test_both_play_once_more_at_the_same_new_table(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD)
    await client.close_table(created.table_id, created.admin_token)
    anna, ben = [await seat.rematch() for seat in created.seats]
    assert (anna.table_id, anna.invite_code) == (ben.table_id, ben.invite_code)
    assert [(await seat.view()).seat for seat in (anna, ben)] == [1, 2]
    await anna.act((await anna.view()).legal[0])
    again = await client.rematch(created.table_id, created.admin_token)
    assert (again.table_id, again.invite_code) == (anna.table_id, anna.invite_code)
    await client.close_table(again.table_id, again.admin_token)


async def test_an_ended_table_is_played_on_from_an_earlier_version(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD)
    anna, _ = created.seats
    there = await anna.act(double_tricks.Bid(tricks=1))
    await client.close_table(created.table_id, created.admin_token)
    forked = await client.fork(double_tricks, created.table_id, there.version, PAIR, token=anna.token)
    here = await forked.seats[0].view()
    assert (here.view, here.table.forked_from.version) == (there.view, there.version)
    await forked.seats[1].act((await forked.seats[1].view()).legal[0])


async def test_creating_with_the_same_id_again_gives_the_same_table(client: Client) -> None:
    command_id = "8e2b9f0e-43c9-4a53-b07e-5a2d6f0a4a11"
    tables = [await client.create(double_tricks, PAIR, ONE_CARD, command_id=command_id) for _ in range(2)]
    assert tables[0].table_id == tables[1].table_id


async def test_commands_are_given_as_written_or_as_legal_lists_them(client: Client) -> None:
    anna, ben = (await client.create(double_tricks, PAIR, ONE_CARD)).seats
    bid = await anna.act(double_tricks.Bid(tricks=1))
    assert [event.WhichOneof("event") for event in bid.happened] == ["bid_made"]
    await ben.act((await ben.view()).legal[0])
    played = await anna.act((await anna.view()).legal[0])
    assert [event.WhichOneof("event") for event in played.happened] == ["card_played"]


async def test_a_table_ends_with_its_standing(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD)
    for seat in created.seats * 2:
        await seat.act((await seat.view()).legal[0])
    table = (await created.seats[0].view()).table
    assert table.status == table_pb2.STATUS_FINISHED
    assert {line.seat for line in table.standings} == {1, 2}


async def test_whoever_has_only_a_token_learns_which_seat_it_is(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD, spectators=True)
    ben = client.seat(double_tricks, created.table_id, created.seats[1].token)
    spectator = client.seat(double_tricks, created.table_id)
    assert [(await seat.view()).seat for seat in (ben, spectator)] == [2, 0]
    async with aclosing(ben.watch()) as frames:
        assert (await anext(frames)).seat == 2
    assert (await created.seats[0].act(double_tricks.Bid(tricks=0))).seat == 1


async def test_a_view_waits_for_a_version(client: Client) -> None:
    anna, ben = (await client.create(double_tricks, PAIR, ONE_CARD)).seats
    first = await ben.view()
    assert (await ben.view(min_version=first.version + 1, wait=0.01)).version == first.version
    acted = await anna.act(double_tricks.Bid(tricks=0))
    assert (await ben.view(min_version=acted.version, wait=25)).legal


async def test_a_seat_looks_back_and_at_the_end_sees_what_all_saw(client: Client) -> None:
    anna, ben = seats = (await client.create(double_tricks, PAIR, ONE_CARD)).seats
    dealt = await ben.view()
    for seat in seats * 2:
        await seat.act((await seat.view()).legal[0])
    then = await ben.view(at_version=dealt.version)
    assert (then.version, then.head_hash, then.view) == (dealt.version, dealt.head_hash, dealt.view)
    assert [event.WhichOneof("event") for event in then.happened] == ["dealt"]
    assert (await anna.view(at_version=dealt.version, as_seat=2)) == then
    with pytest.raises(StammtischError, match="1 to") as unknown:
        await anna.view(at_version=99)
    assert unknown.value.reason == "VERSION_UNKNOWN"


async def test_before_the_end_nobody_sees_as_another(client: Client) -> None:
    anna, _ = (await client.create(double_tricks, PAIR, ONE_CARD)).seats
    with pytest.raises(NotAllowed):
        await anna.view(as_seat=2)


async def test_a_refusal_says_why_and_what_would_be_legal(client: Client) -> None:
    anna, ben = (await client.create(double_tricks, PAIR, ONE_CARD)).seats
    with pytest.raises(Refused) as refused:
        await ben.act(double_tricks.Bid(tricks=0))
    assert refused.value.reason == "NOT_YOUR_TURN"
    assert refused.value.refusal.reason == double_tricks.REASON_NOT_YOUR_TURN
    assert refused.value.refusal.sentence == refused.value.sentence
    with pytest.raises(Refused) as refused:
        await anna.act(double_tricks.Bid(tricks=2))
    assert list(refused.value.refusal.legal) == list((await anna.view()).legal)


async def test_a_command_decided_on_an_old_version_is_stale(client: Client) -> None:
    anna, _ = (await client.create(double_tricks, PAIR, ONE_CARD)).seats
    version = (await anna.view()).version
    with pytest.raises(Stale) as stale:
        await anna.act(double_tricks.Bid(tricks=0), expected_version=version - 1)
    assert stale.value.metadata["version"] == str(version)


async def test_a_closed_table_takes_no_commands(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD)
    table = await client.close_table(created.table_id, created.admin_token)
    assert table.status == table_pb2.STATUS_CLOSED
    with pytest.raises(TableEnded):
        await created.seats[0].act(double_tricks.Bid(tricks=0))


async def test_without_a_token_nobody_acts(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD, spectators=True)
    with pytest.raises(NotAllowed) as missing:
        await client.seat(double_tricks, created.table_id).act(double_tricks.Bid(tricks=0))
    assert missing.value.reason == "TOKEN_MISSING"


async def test_a_table_that_is_not_there_is_not_found(client: Client) -> None:
    with pytest.raises(NotFound):
        await client.seat(double_tricks, "00.aaaaaaaaaaaaaaaaaa").view()


async def test_a_malformed_command_is_an_error_of_the_caller(client: Client) -> None:
    anna, _ = (await client.create(double_tricks, PAIR, ONE_CARD)).seats
    with pytest.raises(StammtischError, match="card") as invalid:
        await anna.act(double_tricks.PlayCard(card="no such card"))
    assert invalid.value.reason == "INVALID_FIELD"


async def test_what_no_seat_can_give_is_not_sent(client: Client) -> None:
    anna, _ = (await client.create(double_tricks, PAIR, ONE_CARD)).seats
    with pytest.raises(TypeError, match="Deal"):
        await anna.act(double_tricks.Deal(dealer=1))
    with pytest.raises(ValueError, match="empty"):
        await anna.act(double_tricks.Command())


async def test_the_creators_key_is_sent_where_creating_needs_one() -> None:
    async with serving(anybody_creates=False) as served:
        async with connect(served.address) as stranger:
            with pytest.raises(NotAllowed):
                await stranger.create(double_tricks, PAIR)
        async with connect(f"http://{served.address}", token=CREATOR_KEY) as creator:
            assert len((await creator.create(double_tricks, PAIR)).seats) == 2


def test_a_target_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="host:port"):
        connect("ftp://example.com")


async def test_generated_stubs_share_the_connection(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD)
    request = service_pb2.GetLogRequest(table_id=created.table_id)
    token = (("authorization", f"Bearer {created.admin_token}"),)
    log = await service_pb2_grpc.TableServiceStub(client.channel).GetLog(request, metadata=token)
    assert [entry.version for entry in log.entries] == [1, 2]


async def test_who_leaves_and_comes_back_does_so_once_for_each_command_id(client: Client) -> None:
    created = await client.create(double_tricks, PAIR, ONE_CARD, terms=table_pb2.Terms(thinking=Duration(seconds=60)))
    anna, _ = created.seats
    left, back = new_command_id(), new_command_id()
    tables = [await anna.leave(command_id=left) for _ in range(2)]
    tables += [await anna.come_back(command_id=back) for _ in range(2)]
    assert [table.seats[0].away for table in tables] == [True, True, False, False]
    assert (await anna.view()).version == 4
