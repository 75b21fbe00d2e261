"""Presence: views show who is connected, whichever server they watch through, and even if that dies."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.table.v1 import entry_pb2, service_pb2, table_pb2

from service.lease import Lease
from tests.api.house import Created, House, failed, house, new_id, rest
from tests.open_logs import eventually
from tests.table.clockwork import NOON_MS
from tests.table.faulty_log import FaultyLog

FOLLOWED = table_pb2.Terms(gone_after=Duration(seconds=60))
NEVER = 10_000.0  # seconds of grace: longer than any test


class Time:
    """The time that leases go by."""

    now_ms = NOON_MS

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def log() -> FaultyLog:
    return FaultyLog()


@pytest.fixture
def time() -> Time:
    return Time()


@asynccontextmanager
async def houses(path: Path, log: FaultyLog, time: Time, grace: float) -> AsyncIterator[tuple[House, House]]:
    """Open two servers on one log."""
    settings: dict[str, Any] = {"log": log, "grace_seconds": grace, "now_ms": time}
    async with house(path / "one", **settings) as one, house(path / "other", **settings) as other:
        yield one, other


async def shown(stream: Any, *expected: bool | None) -> None:
    """Read frames until the seats are shown to be connected or not as expected."""
    while True:
        frame = await stream.read()
        table = getattr(frame, frame.WhichOneof("frame")).table
        if connected(table) == list(expected):
            return


def connected(table: table_pb2.Table) -> list[bool | None]:
    return [seat.connected if seat.HasField("connected") else None for seat in table.seats]


async def notes(home: House, created: Created) -> list[tuple[int, bool]]:
    """Return what has been noted, once all that is to be has been."""
    await settled(home)
    steps = await home.guests.tables.steps(created.table_id, 0)
    commands = [step.entry.command for step in steps]
    return [(each.seat, each.connected) for each in commands if isinstance(each, entry_pb2.NotePresence)]


async def settled(home: House) -> None:
    while tasks := tuple(home.guests.attendance._tasks):
        await asyncio.gather(*tasks)


async def hang_up(home: House, stream: Any) -> None:
    """End a stream, and return when its server knows."""
    before = sum(home.guests.streams._open.values())
    stream.cancel()
    await eventually(lambda: sum(home.guests.streams._open.values()) < before)


async def test_who_watches_is_shown_to_all_through_any_server(tmp_path: Path, log: FaultyLog, time: Time) -> None:
    async with houses(tmp_path, log, time, grace=0) as (one, other):
        created = await one.create(terms=FOLLOWED)
        assert connected((await one.view(created)).table) == [False, False]
        mine = one.watch(created, 1)
        await shown(mine, True, False)
        theirs = other.watch(created, 2)
        await shown(theirs, True, True)
        await shown(mine, True, True)
        await hang_up(one, mine)
        await shown(theirs, False, True)


async def test_server_sent_events_count_as_well(home: House) -> None:
    created = await home.create(terms=FOLLOWED)
    stream = home.game.WatchEvents(game_pb2.WatchViewRequest(table_id=created.table_id), metadata=created.seats[1])
    await stream.read()
    assert await notes(home, created) == [(1, True)]


async def test_who_is_back_within_the_grace_was_never_away(tmp_path: Path, log: FaultyLog, time: Time) -> None:
    async with houses(tmp_path, log, time, grace=NEVER) as (one, other):
        created = await one.create(terms=FOLLOWED)
        first = one.watch(created)
        await shown(first, True, False)
        await hang_up(one, first)
        again = one.watch(created)
        await shown(again, True, False)
        assert await notes(one, created) == [(1, True)]
        await hang_up(one, again)
        await shown(other.watch(created), True, False)
        assert await notes(other, created) == [(1, True)] * 2


async def test_who_has_several_streams_open_is_gone_with_the_last(tmp_path: Path, log: FaultyLog, time: Time) -> None:
    async with houses(tmp_path, log, time, grace=0) as (one, _):
        created = await one.create(terms=FOLLOWED)
        streams = [one.watch(created) for _ in range(2)]
        for stream in streams:
            await shown(stream, True, False)
        await hang_up(one, streams[0])
        assert await notes(one, created) == [(1, True)]
        last = one.watch(created, 2)
        await shown(last, True, True)
        await hang_up(one, streams[1])
        await shown(last, False, True)


async def test_only_who_has_a_seat_is_connected_and_only_where_the_terms_follow_it(home: House) -> None:
    created = await home.create(terms=FOLLOWED, spectators=True)
    watching = game_pb2.WatchViewRequest(table_id=created.table_id)
    onlookers = [home.watch(created, None), home.game.WatchView(watching, metadata=created.admin)]
    for stream in onlookers:
        await stream.read()
    assert await notes(home, created) == []
    unfollowed = await home.create()
    stream = home.watch(unfollowed)
    assert connected((await stream.read()).snapshot.table) == [None, None]
    assert await notes(home, unfollowed) == []


async def test_bots_and_open_seats_are_not_said_to_be_connected(home: House) -> None:
    seats = [table_pb2.NewSeat(kind=kind) for kind in (table_pb2.SEAT_KIND_PERSON, table_pb2.SEAT_KIND_BOT)]
    created = await home.create(terms=FOLLOWED, seats=[*seats, table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)])
    await shown(home.watch(created), True, None, None)


async def test_who_leaves_before_the_game_is_noted_no_more(home: House) -> None:
    open_seat = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
    created = await home.create(terms=FOLLOWED, seats=[table_pb2.NewSeat(), open_seat])
    stream = home.watch(created)
    await shown(stream, True, None)
    leaving = service_pb2.LeaveTableRequest(table_id=created.table_id, command_id=new_id())
    await home.table.LeaveTable(leaving, metadata=created.seats[1])
    assert [frame.closed.reason for frame in await rest(stream)] == [table_pb2.Closed.REASON_SEAT_LEFT]
    await home.guests.attendance.beat()
    assert await notes(home, created) == [(1, True)]


async def test_whoever_was_connected_through_a_server_that_died_is_gone_when_its_lease_lapses(
    tmp_path: Path, log: FaultyLog, time: Time
) -> None:
    async with (
        houses(tmp_path, log, time, grace=NEVER) as (dying, other),
        house(tmp_path / "third", log=log, now_ms=time) as third,
    ):
        created = await other.create(terms=FOLLOWED)
        for seat in (1, 2):
            await shown(dying.watch(created, seat), True, seat == 2)
        staying = other.watch(created, 2)
        await shown(staying, True, True)
        await settled(other)
        await dying.server._server.stop(None)
        time.now_ms += 60_000 - 1
        await other.guests.attendance.beat()
        assert await notes(other, created) == [(1, True), (2, True), (2, True)]
        time.now_ms += 1
        await asyncio.gather(other.guests.attendance.beat(), third.guests.attendance.beat())
        await shown(staying, False, True)
        assert (await notes(other, created))[3:] == [(1, False), (2, False)]
        assert log.store._leases.keys() == {Lease(created.table_id, other.guests.attendance._process)}


async def test_who_was_taken_for_dead_says_that_it_is_not(tmp_path: Path, log: FaultyLog, time: Time) -> None:
    async with houses(tmp_path, log, time, grace=NEVER) as (frozen, other):
        created = await frozen.create(terms=FOLLOWED)
        stream = frozen.watch(created)
        await shown(stream, True, False)
        time.now_ms += 60_000
        await other.guests.attendance.beat()
        await shown(stream, False, False)
        await frozen.guests.attendance.beat()
        await shown(stream, True, False)
        time.now_ms += 59_999
        await other.guests.attendance.beat()
        assert await notes(frozen, created) == [(1, True), (1, False), (1, True)]


async def test_who_was_connected_through_a_server_that_is_replaced_has_the_grace_to_come_back(
    tmp_path: Path, log: FaultyLog, time: Time
) -> None:
    async with houses(tmp_path, log, time, grace=30) as (leaving, other):
        created = await leaving.create(terms=FOLLOWED)
        streams = [leaving.watch(created, seat) for seat in (1, 2)]
        for stream, expected in zip(streams, ((True, False), (True, True)), strict=True):
            await shown(stream, *expected)
        await leaving.server.stop(1)
        for stream in streams:
            assert (await rest(stream))[-1].HasField("closed")
        back = other.watch(created, 2)
        await shown(back, True, True)
        await settled(other)
        time.now_ms += 30_000
        await other.guests.attendance.beat()
        await shown(back, False, True)
        assert await notes(other, created) == [(1, True), (2, True), (2, True), (1, False), (2, False)]


async def test_what_could_not_be_noted_while_the_store_was_away_is_noted_later(home: House) -> None:
    created = await home.create(terms=FOLLOWED)
    home.log.lost_appends = 5  # as often as it is tried
    stream = home.watch(created)
    await stream.read()
    assert await notes(home, created) == []
    await home.guests.attendance.beat()
    assert await notes(home, created) == [(1, True)]
    await shown(stream, True, False)


async def test_a_lease_that_nobody_needs_any_more_is_released(tmp_path: Path, log: FaultyLog, time: Time) -> None:
    async with houses(tmp_path, log, time, grace=NEVER) as (one, other):
        created = await one.create(terms=FOLLOWED)
        stream = one.watch(created)
        await shown(stream, True, False)
        await one.close(created)
        log.store._leases[Lease("5a.aaaaaaaaaaaaaaaaaa", b"12345678")] = 0  # of a table that there is no longer
        time.now_ms += 60_000
        await other.guests.attendance.beat()
        assert log.store._leases == {}


@pytest.mark.parametrize("gone_after", [Duration(), Duration(seconds=9), Duration(seconds=7 * 86_400 + 1)])
async def test_a_time_to_be_gone_that_cannot_be_is_refused_by_name(home: House, gone_after: Duration) -> None:
    refused = await failed(home.create(terms=table_pb2.Terms(gone_after=gone_after)))
    assert refused.kind == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert refused.sentence.startswith("terms.gone_after: ")


async def test_the_terms_come_back(home: House) -> None:
    created = await home.create(terms=FOLLOWED)
    assert (await home.view(created)).table.terms.gone_after == FOLLOWED.gone_after
    assert not (await home.view(await home.create())).table.terms.HasField("gone_after")
