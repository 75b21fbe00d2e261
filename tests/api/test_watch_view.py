"""A watched view: first all of it, then every step in order, and last why it ends."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from stammtisch.double_tricks.v1 import service_pb2
from stammtisch.table.v1.table_pb2 import Closed

from service.live import Lost
from tests.api.house import House, house, rest
from tests.table.playing import replica


def kinds(frames: list[Any]) -> list[str]:
    return [frame.WhichOneof("frame") for frame in frames]


def versions(frames: list[Any]) -> list[int]:
    return [frame.version for frame in frames]


async def test_a_full_view_comes_first_then_every_step_and_last_that_the_table_has_ended(home: House) -> None:
    created = await home.create()
    stream = home.watch(created)
    first = await stream.read()
    end = await home.play(created)
    frames = [first, *await rest(stream)]
    assert kinds(frames) == ["snapshot", *["step"] * (end.version - first.version), "closed"]
    assert versions(frames[:-1]) == list(range(first.version, end.version + 1))
    assert frames[-1].closed.reason == Closed.REASON_TABLE_ENDED
    assert not frames[-1].closed.HasField("retry_after")
    assert (frames[-2].head_hash, frames[-2].step.table) == (end.head_hash, end.table)


async def test_a_snapshot_is_what_get_view_shows(home: House) -> None:
    created = await home.create()
    for seat in (1, 2):
        frame, view = await home.watch(created, seat).read(), await home.view(created, seat)
        assert (frame.version, frame.head_hash) == (view.version, view.head_hash)
        assert (frame.snapshot.table, frame.snapshot.view) == (view.table, view.view)
        assert list(frame.snapshot.legal) == list(view.legal)


@pytest.mark.parametrize("with_hash", [True, False])
async def test_a_stream_goes_on_after_any_version_without_gap_or_repetition(home: House, with_hash: bool) -> None:
    created = await home.create()
    stream = home.watch(created, from_version=0)
    await home.play(created)
    everything = await rest(stream)
    assert versions(everything[:-1]) == list(range(1, everything[-1].version + 1))
    for frame in everything[:-1]:
        known = {"from_hash": frame.head_hash} if with_hash else {}
        resumed = await rest(home.watch(created, from_version=frame.version, **known))
        assert resumed == everything[everything.index(frame) + 1 :]


async def test_a_stream_resumed_in_the_middle_goes_on_with_what_happens(home: House) -> None:
    created = await home.create()
    seen = await home.move(created)
    await home.move(created)
    stream = home.watch(created, from_version=seen.version, from_hash=seen.head_hash)
    assert (await stream.read()).version == seen.version + 1
    await home.move(created)
    frame = await stream.read()
    assert (frame.version, frame.WhichOneof("frame")) == (seen.version + 2, "step")


async def test_a_wrong_hash_or_a_version_of_the_future_is_another_history(home: House) -> None:
    created = await home.create()
    view = await home.view(created)
    for known in (
        {"from_version": view.version, "from_hash": b"wrong"},
        {"from_version": view.version - 1, "from_hash": view.head_hash},
        {"from_version": view.version + 1},
        {"from_version": 2**31 - 1, "from_hash": view.head_hash},
    ):
        frame = await home.watch(created, **known).read()
        assert (frame.version, frame.WhichOneof("frame")) == (view.version, "reset")
        assert frame.reset.view == view.view


async def test_who_has_missed_too_much_gets_a_full_view_instead(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.watching.RESUMED_STEPS_MAX", 2)
    created = await home.create()
    end = await home.move(created)
    frame = await home.watch(created, from_version=0).read()
    assert (frame.WhichOneof("frame"), frame.version) == ("snapshot", end.version)
    assert (await home.watch(created, from_version=1).read()).WhichOneof("frame") == "step"


async def test_a_stream_is_kept_alive_by_heartbeats(socket: Path) -> None:
    async with house(socket, heartbeat_seconds=0.01) as home:
        created = await home.create()
        stream = home.watch(created)
        frames = [await stream.read() for _ in range(4)]
        assert kinds(frames) == ["snapshot", "heartbeat", "heartbeat", "heartbeat"]
        assert len(set(versions(frames))) == 1


async def test_a_history_that_changed_resets_the_stream(home: House) -> None:
    created = await home.create()
    stream = home.watch(created)
    first = await stream.read()
    await home.move(created)
    assert (await stream.read()).WhichOneof("frame") == "step"
    home.log.truncate(created.table_id, first.version)
    await home.view(created)
    frame = await stream.read()
    assert (frame.WhichOneof("frame"), frame.version, frame.head_hash) == ("reset", first.version, first.head_hash)


async def test_moves_made_at_another_server_are_seen(home: House) -> None:
    created = await home.create()
    stream = home.watch(created)
    first = await stream.read()
    elsewhere = replica(home.log)
    await elsewhere.close(created.table_id, b"c" * 16)
    assert versions([await stream.read()]) == [first.version + 1]


async def test_who_is_too_slow_gets_a_full_view_instead_of_a_backlog(socket: Path) -> None:
    async with house(socket, changes=1, streams=100) as home:
        created = await home.create(options=None)
        streams = [home.watch(created, seat) for seat in (1, 2)]
        for stream in streams:
            await stream.read()
        end = await home.play(created)
        for stream in streams:
            frames = await rest(stream)
            assert frames[-1].closed.reason == Closed.REASON_TABLE_ENDED
            assert set(kinds(frames)) <= {"step", "snapshot", "closed"}
            assert frames[-2].version == end.version
            assert versions(frames) == sorted(versions(frames))


async def test_an_old_stream_is_closed_and_may_be_opened_again_soon(socket: Path) -> None:
    async with house(socket, stream_seconds=0) as home:
        created = await home.create()
        frames = await rest(home.watch(created))
        assert kinds(frames) == ["snapshot", "closed"]
        assert frames[-1].closed.reason == Closed.REASON_STREAM_TOO_OLD
        assert 0 < frames[-1].closed.retry_after.ToMilliseconds() <= 1_000


async def test_a_server_that_is_replaced_says_so_to_streams_open_and_new(home: House) -> None:
    created = await home.create()
    stream = home.watch(created)
    await stream.read()
    home.guests.drain()
    for frames in (await rest(stream), (await rest(home.watch(created)))[1:]):
        assert [frame.closed.reason for frame in frames] == [Closed.REASON_DRAINING]
        assert frames[0].closed.retry_after.ToMilliseconds() > 0


async def test_a_log_that_cannot_be_followed_closes_the_stream(home: House) -> None:
    created = await home.create()
    stream = home.watch(created)
    await stream.read()
    home.log.down = True
    home.log.announce_gap(created.table_id)
    (frame,) = await rest(stream)
    assert frame.closed.reason == Closed.REASON_LOG_UNAVAILABLE
    assert frame.closed.retry_after.ToMilliseconds() > 0


async def test_streams_that_end_or_are_hung_up_leave_nothing_behind(home: House) -> None:
    created = await home.create()
    for count in range(4):
        streams = [home.watch(created, seat) for seat in (1, 2)]
        streams.append(home.watch_log(created))
        for stream in streams:
            await stream.read()
        assert home.log.inboxes(created.table_id) == 1
        for stream in streams[count % 2 :]:
            stream.cancel()
        if count % 2:
            await home.move(created)
            streams[0].cancel()
        while home.log.inboxes(created.table_id) or home.guests._inboxes or home.guests.streams._open:  # noqa: ASYNC110
            await asyncio.sleep(0)  # until the server has heard of it; if it never does, the test's time is over


async def test_a_watcher_told_that_all_is_lost_is_told_nothing_more(home: House) -> None:
    with home.guests.inbox() as inbox:
        for _ in range(1_000):
            inbox.put(Lost())
        home.guests.drain()
        assert len(inbox._messages) == 1


async def test_frames_of_one_seat_are_encoded_once(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    created = await home.create()
    streams = [home.watch(created, 1) for _ in range(3)]
    for stream in streams:
        await stream.read()
    await home.move(created)
    frames = [await stream.read() for stream in streams]
    assert frames[0] == frames[1] == frames[2]
    assert len(home.guests.frames._frames) == 1
    assert isinstance(frames[0], service_pb2.WatchViewResponse)
