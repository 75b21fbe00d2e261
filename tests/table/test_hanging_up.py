"""Whoever hangs up in the middle of a command has not undone it."""

import asyncio
import gc
import uuid
from typing import Any

import pytest

from service.draft import Founding
from service.games.double_tricks import GAME
from service.games.double_tricks.commands import Bid
from service.games.double_tricks.options import Options
from service.log import Append, LogUnavailable, MemoryLog, Outcome
from service.seal import MasterKeys
from service.shelf import TableLimits
from service.table import Asked, Done, Tables

KEYS = MasterKeys("test", {"test": bytes(32)})
FOUNDING = Founding(GAME, Options(), (b"", b""), True)


class SlowLog(MemoryLog):
    """A log that takes its time, and may fail afterwards."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.answers, self.fails = asyncio.Event(), asyncio.Event(), False

    async def append(self, append: Append) -> Outcome:
        self.asked.set()
        await self.answers.wait()
        if self.fails:
            raise LogUnavailable("away")
        return await super().append(append)


class Bidding:
    """A table of two where one is to bid, in a log that is slow from then on."""

    def __init__(self) -> None:
        self.log = SlowLog()
        self.tables = Tables(self.log, KEYS, TableLimits(unknown_outcomes=1))

    async def begin(self) -> "Bidding":
        self.log.answers.set()
        table = (await self.tables.create("anybody", uuid.uuid4().bytes, FOUNDING)).table
        self.table_id = table.charter.table_id
        self.asked = Asked(GAME.to_act(table.state)[0], uuid.uuid4().bytes, Bid(0))
        self.log.asked.clear()
        self.log.answers.clear()
        return self

    def bid(self) -> "asyncio.Task[Done]":
        return asyncio.create_task(self.tables.act(self.table_id, self.asked))

    async def bid_and_hang_up(self) -> None:
        bidding = self.bid()
        await self.log.asked.wait()
        bidding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await bidding
        self.log.answers.set()


async def test_a_command_whose_caller_hung_up_is_in_the_log_once() -> None:
    table = await Bidding().begin()
    await table.bid_and_hang_up()
    again = await table.bid()
    assert again.duplicate
    assert again.table.head.version == 3


async def test_a_failure_that_nobody_waits_for_any_more_is_nobodys_unhandled_exception() -> None:
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context))
    table = await Bidding().begin()
    table.log.fails = True
    await table.bid_and_hang_up()
    await asyncio.wait(table.tables.shelf._tasks)
    gc.collect()
    assert complaints == []
