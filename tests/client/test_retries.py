import asyncio
from collections.abc import Callable

import pytest
from stammtisch import Client, Done, Patience, Refused, Seat, StammtischError, Unavailable, connect
from stammtisch.double_tricks.v1 import double_tricks_pb2 as double_tricks
from stammtisch.table.v1.table_pb2 import NewSeat

from service.api.limits import ApiLimits
from service.log import MemoryLog, Push
from tests.client.line import line_to
from tests.client.served import free_port, serving

ONE_CARD = double_tricks.Options(hand_sizes=[1], first_dealer=2)
PAIR = [NewSeat(name="Anna"), NewSeat(name="Ben")]
BID = double_tricks.Bid(tricks=0)
QUICK = Patience(first_pause=0.01, longest_pause=0.05)

Anna = Seat[double_tricks.View, double_tricks.Command, double_tricks.Event]

Acted = Done[double_tricks.View, double_tricks.Command, double_tricks.Event]


class Retries:
    """Remembers why calls were tried again."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        self.errors: list[StammtischError] = []
        self._then = then
        self.happened = asyncio.Event()

    def __call__(self, error: StammtischError) -> None:
        self.errors.append(error)
        self.happened.set()
        self._then()


async def first_seat(client: Client) -> Anna:
    created = await client.create(double_tricks, PAIR, ONE_CARD)
    return created.seats[0]


async def logged(log: MemoryLog, table_id: str) -> int:
    return (await log.read(table_id, 0, 0)).head.version


async def act_and_see_it_logged(seat: Anna, log: MemoryLog) -> asyncio.Task[Acted]:
    """Give a command, and return while its answer is awaited, but after it was written."""
    written = asyncio.Event()

    def note(_push: Push) -> None:
        written.set()

    async with log.watch(seat.table_id, note):
        acting = asyncio.create_task(seat.act(BID))
        await written.wait()
    return acting


async def test_a_command_whose_answer_was_lost_is_done_once() -> None:
    retries = Retries()
    async with (
        serving() as served,
        line_to(served.address) as line,
        connect(line.address, patience=QUICK, on_retry=retries) as client,
    ):
        anna = await first_seat(client)
        before = await logged(served.log, anna.table_id)
        line.mute()
        acting = await act_and_see_it_logged(anna, served.log)
        line.cut()
        assert (await acting).duplicate
        assert await logged(served.log, anna.table_id) == before + 1
    assert retries.errors


async def test_a_command_that_met_its_deadline_is_done_once() -> None:
    async with serving() as served, line_to(served.address) as line:
        retries = Retries(then=line.unmute)
        patience = Patience(first_pause=0.01, call_seconds=0.3)
        async with connect(line.address, patience=patience, on_retry=retries) as client:
            anna = await first_seat(client)
            line.mute()
            done = await anna.act(BID)
            assert done.duplicate
            assert await logged(served.log, anna.table_id) == done.version
    assert [error.code.name for error in retries.errors] == ["DEADLINE_EXCEEDED"]


async def test_a_command_waits_for_a_server_that_is_being_replaced() -> None:
    retries = Retries()
    async with serving() as served, connect(served.address, patience=QUICK, on_retry=retries) as client:
        anna = await first_seat(client)
        await served.kill()
        acting = asyncio.create_task(anna.act(BID))
        await retries.happened.wait()
        await served.start()
        done = await acting
        assert (done.duplicate, done.version) == (False, await logged(served.log, anna.table_id))


async def test_creating_a_table_waits_for_a_server_too() -> None:
    retries = Retries()
    async with serving() as served, connect(served.address, patience=QUICK, on_retry=retries) as client:
        await served.kill()
        creating = asyncio.create_task(first_seat(client))
        await retries.happened.wait()
        await served.start()
        assert (await (await creating).view()).legal


async def test_who_gives_commands_too_fast_is_made_to_wait() -> None:
    retries = Retries()
    slow = ApiLimits(commands_a_second=20, command_burst=1)
    async with serving(slow) as served, connect(served.address, patience=QUICK, on_retry=retries) as client:
        for _ in range(3):
            await first_seat(client)
    assert {error.reason for error in retries.errors} == {"TOO_FAST"}
    assert all(error.retry_after for error in retries.errors)


async def test_a_refused_command_is_not_given_again() -> None:
    retries = Retries()
    async with serving() as served, connect(served.address, on_retry=retries) as client:
        anna = await first_seat(client)
        with pytest.raises(Refused):
            await anna.act(double_tricks.Bid(tricks=9))
        with pytest.raises(StammtischError, match="card"):
            await anna.act(double_tricks.PlayCard(card="?"))
    assert not retries.errors


async def test_patience_ends_after_so_many_tries() -> None:
    retries = Retries()
    patience = Patience(tries=3, first_pause=0.001)
    async with connect(f"127.0.0.1:{free_port()}", patience=patience, on_retry=retries) as client:
        with pytest.raises(Unavailable):
            await client.games()
    assert len(retries.errors) == 2


async def test_patience_ends_after_so_many_seconds() -> None:
    patience = Patience(tries=10**6, seconds=0.2, first_pause=0.001, longest_pause=0.01)
    async with connect(f"127.0.0.1:{free_port()}", patience=patience) as client:
        with pytest.raises(Unavailable):
            await client.games()


async def test_whose_patience_ended_goes_on_with_the_same_id() -> None:
    async with serving() as served, line_to(served.address) as line:
        patience = Patience(tries=1, call_seconds=0.3)
        async with connect(line.address, patience=patience) as client:
            anna = await first_seat(client)
            line.mute()
            with pytest.raises(Unavailable) as unavailable:
                await anna.act(BID)
            line.unmute()
            done = await anna.act(BID, command_id=unavailable.value.command_id)
            assert done.duplicate
