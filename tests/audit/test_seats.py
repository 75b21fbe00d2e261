"""People who sat down before the game: what somebody might forge of that is named."""

import asyncio

import pytest
from stammtisch.table.v1 import entry_pb2

from service.audit.exported import Exported
from service.audit.show import show
from service.audit.verify import verify
from service.draft import Founding
from service.games import GAMES
from service.history import missing
from service.log import MemoryLog
from service.shelf import TableLimits
from service.table import Tables
from tests.audit.forging import at, differs, forged, numbered, rewritten, without
from tests.audit.games import KEYS

Message = entry_pb2.Entry
GAME = GAMES["double_tricks"]


async def joined() -> Exported:
    """Return a log of six entries: 3 and 2 sit down beside 1, the game begins, and is closed after the deal."""
    store = MemoryLog()
    tables = Tables(store, KEYS, TableLimits())
    founding = Founding(GAME, GAME.options(), (b"1" * 32, b"", b""), spectators=True, open_seats=(2, 3))
    table_id = (await tables.create("somebody", b"c" * 16, founding)).table.charter.table_id
    for seat, given in ((3, b"3" * 32), (0, b"")):
        await tables.join(table_id, bytes([seat]) * 16, entry_pb2.TakeSeat(seat=seat, contribution=given), "")
    await tables.close(table_id, b"e" * 16)
    return Exported(table_id, (await missing(store, table_id, 0)).entries)


@pytest.fixture(scope="module")
def log() -> Exported:
    return asyncio.run(joined())


def test_what_really_happened_holds_and_can_be_read(log: Exported) -> None:
    verify(forged(log, lambda message: None))
    text = "\n".join(show(log, None, None))
    assert "SeatTaken seat=3" in text
    assert "TableStarted" in text


def test_somebody_who_did_not_ask_for_that_seat_is_named(log: Exported) -> None:
    differs(forged(log, at(2, lambda entry: setattr(entry, "seat", 2))), "version 2: its seat is 2, but .* 3")


def test_a_seat_that_is_not_open_is_named(log: Exported) -> None:
    change = at(2, lambda entry: setattr(entry.command.table.take_seat, "seat", 1))
    differs(forged(log, change), "version 2: seat 1 is not open")


def test_another_contribution_than_was_sent_is_named(log: Exported) -> None:
    change = at(2, lambda entry: setattr(entry.events[0].table.seat_taken, "contribution", b"4" * 32))
    differs(forged(log, change), "version 2: its event 1 is ")


def test_a_contribution_of_a_wrong_length_is_named(log: Exported) -> None:
    change = at(2, lambda entry: setattr(entry.events[0].table.seat_taken, "contribution", b"4"))
    differs(forged(log, change), "version 2: .*contribution has a wrong length")


def test_a_contribution_changed_on_both_sides_gives_another_deal(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.command.table.take_seat.contribution = entry.events[0].table.seat_taken.contribution = b"4" * 32

    differs(forged(log, at(2, change)), "version 5: its command is Deal.* but the table's root")


def test_a_game_that_begins_while_a_seat_is_open_is_named(log: Exported) -> None:
    differs(without(log, 3), "version 3: .* TableStarted, but there are open seats")


def test_a_game_that_does_not_begin_when_all_seats_are_taken_is_named(log: Exported) -> None:
    differs(without(log, 4, 5), "version 4: its command is .*, but all seats are taken, which calls for StartTable")


def test_somebody_who_sits_down_after_the_game_began_is_named(log: Exported) -> None:
    entries = [*log.entries[:5], numbered(log.entries[1], 6)]
    differs(rewritten(log, entries), "version 6: ")


@pytest.mark.parametrize("seats", [[3, 2], [2, 2], [0], [4], [-1]])
def test_open_seats_that_the_table_does_not_have_are_named(log: Exported, seats: list[int]) -> None:
    def change(entry: Message) -> None:
        entry.events[0].table.table_created.open_seats[:] = seats

    differs(forged(log, at(1, change)), "version 1: its open seats are")


def test_an_open_seat_with_a_contribution_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.events[0].table.table_created.contributions[1] = b"2" * 32

    differs(forged(log, at(1, change)), "version 1: nobody sits on an open seat")
