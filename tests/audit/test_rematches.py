"""Rematches: what somebody might forge of them is named."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2

from service.audit.exported import Exported
from service.audit.show import show
from service.audit.trouble import Differs
from service.audit.verify import verify
from service.draft import Founding
from service.games import GAMES
from service.history import missing
from service.log import MemoryLog
from service.shelf import TableLimits
from service.table import Tables
from tests.audit.forging import forged
from tests.audit.games import KEYS

Message = entry_pb2.Entry
GAME = GAMES["double_tricks"]


async def rematch() -> Exported:
    """Return the log of a rematch: seat 1 comes back, somebody takes seat 2, and it is closed after the deal."""
    store = MemoryLog()
    tables = Tables(store, KEYS, TableLimits())
    founding = Founding(GAME, GAME.options(), (b"", b""), spectators=True)
    first = (await tables.create("somebody", b"c" * 16, founding)).table
    before = (await tables.close(first.charter.table_id, b"e" * 16)).table
    table_id = (await tables.rematch(before)).table.charter.table_id
    await tables.rejoin(table_id, b"1" * 16, entry_pb2.TakeSeat(seat=1, again=True), "")
    await tables.join(table_id, b"2" * 16, entry_pb2.TakeSeat(), "")
    await tables.close(table_id, b"f" * 16)
    return Exported(table_id, (await missing(store, table_id, 0)).entries)


@pytest.fixture(scope="module")
def log() -> Exported:
    return asyncio.run(rematch())


def differs(data: bytes, match: str) -> None:
    with pytest.raises(Differs, match=match):
        verify(data)


def created(change: Callable[[Any], Any]) -> Callable[[Message], None]:
    return lambda entry: change(entry.events[0].table.table_created) if entry.version == 1 else None


def test_what_really_happened_holds_and_can_be_read(log: Exported) -> None:
    verify(forged(log, lambda message: None))
    text = "\n".join(show(log, None, None))
    assert "rematch_of=" in text
    assert "SeatTaken seat=1 again=yes" in text


@pytest.mark.parametrize("other", ["x", "00.x", "{own}", "{elsewhere}"])
def test_a_rematch_of_what_it_cannot_be_the_rematch_of_is_named(log: Exported, other: str) -> None:
    elsewhere = f"{int(log.table_id[:2], 16) ^ 1:02x}{log.table_id[2:]}"
    before = other.format(own=log.table_id, elsewhere=elsewhere)
    differs(forged(log, created(lambda event: setattr(event, "rematch_of", before))), "version 1: it is the rematch of")


def test_a_rematch_at_which_somebody_sits_from_the_beginning_is_named(log: Exported) -> None:
    differs(forged(log, created(lambda event: event.open_seats.remove(2))), "version 1: .* without having come")


def test_somebody_who_had_the_seat_before_at_a_table_that_is_no_rematch_is_named(log: Exported) -> None:
    differs(forged(log, created(lambda event: event.ClearField("rematch_of"))), "version 2: .* the table is no rematch")


def test_somebody_who_is_said_to_have_had_the_seat_without_having_asked_for_it_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        if entry.version == 3:
            entry.events[0].table.seat_taken.again = True

    differs(forged(log, change), "version 3: its event 1 is ")
