import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from stammtisch import Created, Frame, NotFound, Patience, Seat, StammtischError, Unavailable, connect
from stammtisch.double_tricks.v1 import double_tricks_pb2 as double_tricks
from stammtisch.table.v1 import table_pb2
from stammtisch.table.v1.table_pb2 import NewSeat

from service.api.limits import ApiLimits
from tests.client.line import line_to
from tests.client.served import free_port, serving

OPTIONS = double_tricks.Options(hand_sizes=[3], first_dealer=2)
PAIR = [NewSeat(name="Anna"), NewSeat(name="Ben")]
COMMANDS = 8  # two bids and six cards
STEPS = COMMANDS + 1  # and the table's end
QUICK = Patience(first_pause=0.01, longest_pause=0.05)

Ours = Seat[double_tricks.View, double_tricks.Command, double_tricks.Event]
Table = Created[double_tricks.View, double_tricks.Command, double_tricks.Event]
Seen = Frame[double_tricks.View, double_tricks.Command, double_tricks.Event]


async def act(table: Table, commands: int) -> None:
    """Give so many commands, whoever's turn it is."""
    for _ in range(commands):
        for seat in table.seats:
            if legal := (await seat.view()).legal:
                await seat.act(legal[0])
                break


async def collected(frames: AsyncIterator[Seen], into: "asyncio.Queue[Seen]") -> None:
    async for frame in frames:
        into.put_nowait(frame)


class Watcher:
    """Watches a seat, and keeps what it sees."""

    def __init__(self, seat: Ours) -> None:
        self._arrived: asyncio.Queue[Seen] = asyncio.Queue()
        self.frames: list[Seen] = []
        self._watching = asyncio.create_task(collected(seat.watch(), self._arrived))

    async def see(self, frames: int) -> None:
        """Wait for so many frames."""
        for _ in range(frames):
            self.frames.append(await self._arrived.get())

    async def see_the_end(self) -> None:
        """Wait until there is nothing more to see."""
        await self._watching
        await self.see(self._arrived.qsize())

    def assert_nothing_missed(self) -> None:
        assert [frame.kind for frame in self.frames] == ["snapshot"] + ["step"] * STEPS
        first = self.frames[0].version
        assert [frame.version for frame in self.frames] == [*range(first, first + STEPS + 1)]
        assert self.frames[-1].table.status == table_pb2.STATUS_FINISHED


async def test_a_watch_shows_every_step_and_ends_with_the_table() -> None:
    async with serving() as served, connect(served.address) as client:
        table = await client.create(double_tricks, PAIR, OPTIONS)
        watcher = Watcher(table.seats[0])
        await watcher.see(1)
        await act(table, COMMANDS)
        await watcher.see_the_end()
        watcher.assert_nothing_missed()
        assert watcher.frames[1].happened[0].WhichOneof("event") == "bid_made"


@pytest.mark.parametrize("ending", ["kill", "stop"])
async def test_a_watch_goes_on_after_a_restart_without_a_gap_or_a_double(ending: str) -> None:
    async with serving() as served, connect(served.address, patience=QUICK) as client:
        table = await client.create(double_tricks, PAIR, OPTIONS)
        watcher = Watcher(table.seats[0])
        await watcher.see(1)
        await act(table, 3)
        await watcher.see(3)
        await getattr(served, ending)()
        await served.start()
        await act(table, COMMANDS - 3)
        await watcher.see_the_end()
        watcher.assert_nothing_missed()


async def test_a_watch_goes_on_after_its_connection_was_cut() -> None:
    async with (
        serving() as served,
        line_to(served.address) as line,
        connect(served.address) as direct,
        connect(line.address, patience=QUICK) as client,
    ):
        table = await direct.create(double_tricks, PAIR, OPTIONS)
        watcher = Watcher(client.seat(double_tricks, table.table_id, table.seats[1].token))
        await watcher.see(1)
        for _ in range(4):
            line.mute()
            await act(table, COMMANDS // 4)
            line.cut()
        await watcher.see_the_end()
        watcher.assert_nothing_missed()


async def test_a_silent_stream_is_given_up_for_another() -> None:
    errors: list[StammtischError] = []
    async with serving() as served, line_to(served.address) as line:

        def unmute(error: StammtischError) -> None:
            errors.append(error)
            line.unmute()

        patience = Patience(first_pause=0.01, silence_seconds=0.3)
        async with (
            connect(served.address) as direct,
            connect(line.address, patience=patience, on_retry=unmute) as client,
        ):
            table = await direct.create(double_tricks, PAIR, OPTIONS)
            watcher = Watcher(client.seat(double_tricks, table.table_id, table.seats[1].token))
            await watcher.see(1)
            line.mute()
            await act(table, COMMANDS)
            await watcher.see_the_end()
            watcher.assert_nothing_missed()
    assert "silent" in errors[0].sentence


async def test_heartbeats_keep_a_watch_alive_and_are_not_shown() -> None:
    errors: list[StammtischError] = []
    patience = Patience(silence_seconds=0.5)
    async with (
        serving(ApiLimits(heartbeat_seconds=0.05)) as served,
        connect(served.address, patience=patience, on_retry=errors.append) as client,
    ):
        table = await client.create(double_tricks, PAIR, OPTIONS)
        watcher = Watcher(table.seats[0])
        await watcher.see(1)
        await table.seats[1].view(min_version=99, wait=1)  # twice as long as it may be silent
        await act(table, COMMANDS)
        await watcher.see_the_end()
        watcher.assert_nothing_missed()
    assert not errors


async def test_a_watch_goes_on_when_its_stream_is_too_old() -> None:
    errors: list[StammtischError] = []
    async with (
        serving(ApiLimits(stream_seconds=0.05, heartbeat_seconds=0.05)) as served,
        connect(served.address, patience=QUICK, on_retry=errors.append) as client,
    ):
        table = await client.create(double_tricks, PAIR, OPTIONS)
        watcher = Watcher(table.seats[0])
        await watcher.see(1)
        await act(table, COMMANDS // 2)
        while not errors:
            await table.seats[1].view(min_version=99, wait=0.1)
        await act(table, COMMANDS // 2)
        await watcher.see_the_end()
        watcher.assert_nothing_missed()
    assert errors[0].reason == "STREAM_TOO_OLD"


async def test_a_watch_begins_after_what_was_seen_before() -> None:
    async with serving() as served, connect(served.address) as client:
        table = await client.create(double_tricks, PAIR, OPTIONS)
        seen = await table.seats[0].view()
        await act(table, COMMANDS)
        frames = [frame async for frame in table.seats[0].watch(from_version=seen.version, from_hash=seen.head_hash)]
        assert [frame.kind for frame in frames] == ["step"] * STEPS


async def test_a_watch_from_another_history_begins_with_a_reset() -> None:
    async with serving() as served, connect(served.address) as client:
        table = await client.create(double_tricks, PAIR, OPTIONS)
        async with aclosing(table.seats[0].watch(from_version=2, from_hash=bytes(32))) as frames:
            assert (await anext(frames)).kind == "reset"


async def test_a_watch_of_no_table_is_not_found() -> None:
    async with serving() as served, connect(served.address) as client:
        with pytest.raises(NotFound):
            await anext(client.seat(double_tricks, "00.aaaaaaaaaaaaaaaaaa").watch())


async def test_a_watch_loses_patience_where_nobody_answers() -> None:
    patience = Patience(tries=3, first_pause=0.001)
    async with connect(f"127.0.0.1:{free_port()}", patience=patience) as client:
        with pytest.raises(Unavailable):
            await anext(client.seat(double_tricks, "00.aaaaaaaaaaaaaaaaaa").watch())
