"""Terms that no table can have are named, while the table is running too."""

import asyncio
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit.exported import Exported
from service.audit.verify import verify
from service.log import MemoryLog
from service.terms import Clock, Terms, written
from tests.audit.forging import at, differs, forged
from tests.table.clockwork import Clockwork

DEFAULT = table_pb2.TIME_OUT_DEFAULT_COMMAND
PER_COMMAND = Clock(per_command_ms=60_000)
PER_GAME = Clock(per_game_ms=60_000, increment_ms=1_500)


async def begun(game: str = "double_tricks") -> Exported:
    here = Clockwork(MemoryLog())
    table = await here.create(game, 2, Terms(clock=PER_COMMAND))
    entries = tuple(entry for _, entry in await here.tables.log(table.charter.table_id))
    return Exported(table.charter.table_id, entries)


@pytest.fixture(scope="module")
def log() -> Exported:
    return asyncio.run(begun())


def run_by(log: Exported, terms: table_pb2.Terms) -> bytes:
    return forged(log, at(1, lambda entry: created(entry).terms.CopyFrom(terms)))


def created(entry: entry_pb2.Entry) -> entry_pb2.TableCreated:
    return entry.events[0].table.table_created


@pytest.mark.parametrize("clock", [None, PER_COMMAND, PER_GAME])
def test_terms_that_a_table_can_have_hold(log: Exported, clock: Clock | None) -> None:
    verify(run_by(log, written(Terms(clock=clock, thinking_ms=0))))


def test_terms_of_before_there_were_any_hold(log: Exported) -> None:
    verify(forged(log, at(1, lambda entry: created(entry).ClearField("terms"))))


@pytest.mark.parametrize("stand_in", [0, 3])
def test_a_bot_that_nobody_knows_is_named(log: Exported, stand_in: Any) -> None:
    differs(run_by(log, written(Terms(stand_in=stand_in))), "version 1: its terms name a bot that nobody knows")


def test_bots_that_think_for_less_than_no_time_are_named(log: Exported) -> None:
    differs(run_by(log, written(Terms(thinking_ms=-1_000))), "version 1: its terms give times that no table can have")


@pytest.mark.parametrize(
    "clock",
    [
        Clock(),
        Clock(per_command_ms=-1_000),
        Clock(per_game_ms=-1_000),
        Clock(per_command_ms=1_000, per_game_ms=1_000),
        Clock(per_command_ms=1_000, increment_ms=1_000),
        Clock(per_game_ms=1_000, increment_ms=-1_000),
        Clock(per_command_ms=1_000, time_out=table_pb2.TIME_OUT_UNSPECIFIED),
        Clock(per_command_ms=1_000, time_out=9),  # type: ignore[arg-type]
    ],
)
def test_clocks_that_no_table_can_have_are_named(log: Exported, clock: Clock) -> None:
    differs(run_by(log, written(Terms(clock=clock))), "version 1: its terms give times that no table can have")


async def test_time_of_ones_own_where_all_play_at_once_is_named() -> None:
    differs(run_by(await begun("double_speed"), written(Terms(clock=PER_GAME))), "version 1: its terms give times")
