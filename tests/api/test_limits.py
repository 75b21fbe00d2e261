"""Nobody can take more than a fair share, and whoever tried can go on after a while."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.rpc import error_details_pb2
from stammtisch.table.v1 import service_pb2, table_pb2

from service.api.errors import Failure
from service.api.limits import Buckets, Streams
from tests.api.house import House, Metadata, failed, house


class Clock:
    """Time as a test wants it."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic_ns(self) -> int:
        return round(self.now * 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("service.api.limits.time", clock)
    return clock


TOO_FAST = ("RESOURCE_EXHAUSTED", "TOO_FAST")
TOO_MANY = ("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS")


def wait_of(failure: Any) -> float:
    return float(failure.detail(error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() / 1000)


async def test_who_is_too_fast_waits_as_long_as_told_and_goes_on(socket: Path, clock: Clock) -> None:
    async with house(socket, commands_a_second=2, command_burst=3) as home:
        created = await home.create()
        (seat,) = (await home.view(created)).table.seats_to_act
        command = (await home.view(created, seat)).legal[0]
        for _ in range(3):
            await home.act(created, seat, command, command_id="00000000-0000-4000-8000-000000000000")
        for _ in range(3):
            failure = await failed(home.act(created, seat, command))
            assert (failure.kind, wait_of(failure)) == (TOO_FAST, 0.5)
        clock.now += 0.5
        await home.move(created)


async def test_what_reads_the_whole_log_counts_too(socket: Path, clock: Clock) -> None:
    async with house(socket, commands_a_second=1, command_burst=2) as home:
        created = await home.create(spectators=True)
        log: dict[str, Any] = {"table_id": created.table_id}
        reads: list[Callable[[], Awaitable[Any]]] = [
            lambda: home.table.GetLog(service_pb2.GetLogRequest(**log)),
            lambda: home.table.WatchLog(service_pb2.WatchLogRequest(**log)).read(),
            lambda: home.watch(created, None, from_version=1).read(),
        ]
        for read in reads:
            await read()
            assert (await failed(read())).kind == TOO_FAST
            clock.now += 1
        assert await home.watch(created, None).read()


async def test_creating_and_closing_count_too(socket: Path, clock: Clock) -> None:
    async with house(socket, commands_a_second=1, command_burst=1) as home:
        created = await home.create()
        assert (await failed(home.create())).kind == TOO_FAST
        await home.close(created)
        assert (await failed(home.close(created))).kind == TOO_FAST


def variants(metadata: Metadata) -> list[Metadata]:
    """Write the same token in other ways."""
    ((name, value),) = metadata
    token = value.removeprefix("Bearer ")
    return [((name, f"{bearer} {token}"),) for bearer in ("Bearer", "bearer", "Bearer ", "Bearer  ")]


async def test_a_token_written_in_another_way_is_the_same_caller(socket: Path, clock: Clock) -> None:
    async with house(socket, commands_a_second=1, command_burst=1) as home:
        created = await home.create()
        home.guests.commands.take(home.guests.tokens.caller(created.admin[0][1]))
        kinds = [(await failed(home.close(replace(created, admin=each)))).kind for each in variants(created.admin)]
        assert kinds == [TOO_FAST] * len(kinds)


async def test_callers_without_a_token_are_told_apart_by_their_address(socket: Path, clock: Clock) -> None:
    async with house(socket, commands_a_second=1, command_burst=1) as home:
        for address in ("203.0.113.7", "203.0.113.8"):
            await home.create((("x-forwarded-for", f"198.51.100.1, {address}"),))
            assert (await failed(home.create((("x-forwarded-for", f"198.51.100.2,{address}"),)))).kind == TOO_FAST


async def test_a_caller_has_only_so_many_streams_at_a_time(socket: Path) -> None:
    async with house(socket, streams=2) as home:
        created = await home.create()
        streams = [home.watch(created), home.watch_log(created)]
        for stream in streams:
            await stream.read()
        failures = [
            await failed(call)
            for call in (home.watch(created).read(), home.watch_log(created).read(), home.view(created, min_version=99))
        ]
        assert {failure.kind for failure in failures} == {TOO_MANY}
        assert all(wait_of(failure) > 0 for failure in failures)
        await home.watch(created, 2).read()
        await home.close(created)
        for stream in streams:
            while await stream.read():
                pass
        await home.watch(created).read()


async def test_a_server_remembers_only_so_many_callers(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.limits.CALLERS_MAX", 10)
    buckets = Buckets(1, 1)
    for caller in range(50):
        buckets.take(caller)
    assert len(buckets._full_at) == 10


async def test_a_bucket_fills_up_to_its_size_and_no_further(clock: Clock) -> None:
    buckets = Buckets(a_second=10, burst=5)
    for _ in range(2):
        for _ in range(5):
            buckets.take("ada")
        with pytest.raises(Failure):
            buckets.take("ada")
        clock.now += 3600


async def test_a_stream_that_fails_is_not_counted_any_more() -> None:
    streams = Streams(1)
    for _ in range(3):
        with pytest.raises(KeyError), streams.one_more("ada"):
            raise KeyError
    assert streams._open == {}


async def test_waiting_for_a_version_ends_when_it_is_reached(home: House) -> None:
    created = await home.create()
    version = (await home.view(created)).version
    waiting = asyncio.ensure_future(home.view(created, min_version=version + 2))
    await home.move(created)
    end = await home.move(created)
    assert (await waiting).version == end.version


async def test_waiting_for_a_version_ends_when_the_time_is_over(socket: Path) -> None:
    async with house(socket, wait_seconds=0.01) as home:
        created = await home.create()
        assert (await home.view(created, min_version=99)).version == 2
        assert (await home.view(created, min_version=99, wait={})).version == 2


async def test_waiting_for_a_version_ends_when_the_table_does_or_the_server(home: House) -> None:
    created, other = await home.create(), await home.create()
    waiting = asyncio.ensure_future(home.view(created, min_version=99))
    while not home.guests._inboxes:
        await home.view(created)
    await home.close(created)
    assert (await waiting).table.status == table_pb2.STATUS_CLOSED
    assert (await home.view(created, min_version=99)).table.status == table_pb2.STATUS_CLOSED
    home.guests.drain()
    assert (await home.view(other, min_version=99)).version == 2


async def test_waiting_ends_when_the_log_cannot_be_followed(home: House) -> None:
    created = await home.create()
    waiting = asyncio.ensure_future(home.view(created, min_version=99))
    while not home.log.inboxes(created.table_id):
        await home.view(created)
    home.log.down = True
    home.log.announce_gap(created.table_id)
    assert (await waiting).version == 2


async def test_waiting_goes_on_although_changes_were_left_out(socket: Path) -> None:
    async with house(socket, changes=1) as home:
        created = await home.create()
        waiting = asyncio.ensure_future(home.view(created, min_version=9))
        while (await home.move(created)).version < 9:
            pass
        assert (await waiting).version >= 9


@pytest.mark.parametrize("a_second", [0.1, 0.3, 0.7])
def test_a_burst_of_one_lets_one_command_through(a_second: float) -> None:
    buckets = Buckets(a_second, 1)
    for caller in map(str, range(100)):
        buckets.take(caller)
        with pytest.raises(Failure):
            buckets.take(caller)


async def test_a_server_may_allow_fewer_seats_than_a_game_has(socket: Path) -> None:
    async with house(socket, seats=3) as home:
        assert len((await home.create(seats=[table_pb2.NewSeat()] * 3)).seats) == 3
        failure = await failed(home.create(seats=[table_pb2.NewSeat()] * 4))
        assert failure.kind == ("INVALID_ARGUMENT", "INVALID_FIELD")
        assert failure.sentence == "seats: Send 2 to 3 seats."
        games = (await home.table.ListGames(service_pb2.ListGamesRequest())).games
        assert {game.max_seats for game in games if game.min_seats == 2} == {3}
        assert all(game.min_seats <= 3 for game in games)
