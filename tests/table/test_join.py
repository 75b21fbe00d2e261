"""Sitting down: at open seats, once for each command id, whichever process is asked; then the game begins."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2

from service.audit.exported import Exported, write
from service.audit.verify import verify
from service.draft import Founding
from service.fold import CLOSED, FINISHED, FORMING, RUNNING, Step, Table
from service.live import Change
from service.log import Page
from service.objections import CommandIdReused, NotStarted, SeatNotOpen, TableEnded
from service.table import Asked, Done, Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import GAME, SHORT, move, new_id, play


def forming(*open_seats: int, seats: int = 3) -> Founding:
    names = {seat: f"Player {seat}" for seat in range(1, seats + 1) if seat not in open_seats}
    return Founding(GAME, SHORT, (b"",) * seats, spectators=False, names=names, open_seats=open_seats)


async def open_table(tables: Tables, *open_seats: int) -> str:
    done = await tables.create("somebody", new_id(), forming(*open_seats))
    return done.table.charter.table_id


async def join(
    tables: Tables, table_id: str, seat: int = 0, name: str = "Guest", command_id: bytes = b"", given: bytes = b""
) -> Done:
    wanted = entry_pb2.TakeSeat(seat=seat, contribution=given)
    return await tables.join(table_id, command_id or new_id(), wanted, name)


async def entries(tables: Tables, table: Table) -> Sequence[bytes]:
    return [entry for _, entry in await tables.log(table.charter.table_id)]


async def test_a_table_with_open_seats_waits_and_deals_nothing(tables: Tables) -> None:
    table = await tables.look(await open_table(tables, 2, 3))
    assert (table.status, table.head.version, table.deals, table.seats_to_act) == (FORMING, 1, 0, ())
    assert table.seating.open_seats == (2, 3)


async def test_who_names_no_seat_gets_the_first_that_is_open(tables: Tables) -> None:
    table_id = await open_table(tables, 2, 3)
    assert [entry.seat for entry in (await join(tables, table_id)).entries] == [2]
    assert (await tables.look(table_id)).seating.open_seats == (3,)


async def test_the_game_begins_in_the_moment_in_which_the_last_seat_is_taken(tables: Tables) -> None:
    table_id = await open_table(tables, 2, 3)
    await join(tables, table_id, 3)
    done = await join(tables, table_id, 2)
    assert [type(entry.command).__name__ for entry in done.entries] == ["TakeSeat", "StartTable", "Deal"]
    assert (done.table.status, done.table.deals) == (RUNNING, 1)
    assert (await play(tables, done.table)).status == FINISHED


async def test_everybody_hears_of_who_sits_down_with_the_name(tables: Tables, others: Tables) -> None:
    table_id, heard = await open_table(tables, 2, 3), asyncio.Queue[Table]()

    def hear(change: Change) -> None:
        assert isinstance(change, Step)
        heard.put_nowait(change.table)

    async with others.watch(table_id, hear):
        await join(tables, table_id, 3, "Grace")
        assert (await heard.get()).seating.names == {1: "Player 1", 3: "Grace"}
        await join(tables, table_id, 2, "Ada")
        steps = [await heard.get() for _ in range(3)]
    assert [table.status for table in steps] == [FORMING, RUNNING, RUNNING]
    assert steps[-1].seating.names == {1: "Player 1", 2: "Ada", 3: "Grace"}


async def test_the_name_of_one_who_sits_down_while_a_table_is_read_is_not_missed(
    tables: Tables, others: Tables, log: FaultyLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id, read = await open_table(tables, 2, 3), log.store.read
    assert (await others.look(table_id)).seating.open_seats == (2, 3)

    async def beaten(*where: Any) -> Page:
        monkeypatch.undo()
        await join(tables, table_id, 2, "Ada")
        return await read(*where)

    monkeypatch.setattr(log.store, "read", beaten)
    assert (await others.look(table_id)).seating.names == {1: "Player 1", 2: "Ada"}


async def test_the_same_command_id_sits_down_once(tables: Tables, others: Tables) -> None:
    table_id, command_id = await open_table(tables, 2, 3), new_id()
    first = await join(tables, table_id, command_id=command_id)
    again = await join(others, table_id, command_id=command_id)
    assert (again.duplicate, again.entries[0]) == (True, first.entries[0])
    assert (await tables.look(table_id)).seating.open_seats == (3,)
    with pytest.raises(CommandIdReused):
        await join(tables, table_id, 3, command_id=command_id)


async def test_of_two_who_want_the_last_seat_through_two_processes_one_gets_it(tables: Tables, others: Tables) -> None:
    for _ in range(20):
        table_id = await open_table(tables, 2)
        asked = [join(each, table_id, 2) for each in (tables, others)]
        sat, refused = sorted(
            await asyncio.gather(*asked, return_exceptions=True), key=lambda done: isinstance(done, Exception)
        )
        assert isinstance(sat, Done)
        assert isinstance(refused, SeatNotOpen)


@pytest.mark.parametrize("seat", [-1, 1, 4])
async def test_a_seat_that_is_taken_or_not_there_is_refused(tables: Tables, seat: int) -> None:
    with pytest.raises(SeatNotOpen):
        await join(tables, await open_table(tables, 2), seat)


async def test_nobody_sits_down_at_a_game_that_has_begun_or_a_table_that_has_ended(tables: Tables) -> None:
    table_id = await open_table(tables, 2)
    await join(tables, table_id)
    with pytest.raises(SeatNotOpen):
        await join(tables, table_id)
    await tables.close(table_id, new_id())
    with pytest.raises(TableEnded):
        await join(tables, table_id)


async def test_nothing_is_played_before_the_game_begins(tables: Tables) -> None:
    table_id = await open_table(tables, 2)
    command = GAME.commands[0](1)
    with pytest.raises(NotStarted):
        await tables.act(table_id, Asked(1, new_id(), command))


async def test_what_is_contributed_on_sitting_down_changes_the_deal(tables: Tables) -> None:
    hands = set()
    for given in (b"", b"1" * 32, b"2" * 32):
        table_id = await open_table(tables, 2)
        hands.add((await join(tables, table_id, given=given)).table.draw().below(2**32, "x"))
    assert len(hands) == 3


async def test_the_id_of_the_command_cannot_be_read_from_the_log(tables: Tables) -> None:
    table_id, command_id = await open_table(tables, 2), new_id()
    done = await join(tables, table_id, command_id=command_id)
    assert not any(command_id in entry for entry in await entries(tables, done.table))


async def test_a_log_with_people_sitting_down_verifies(tables: Tables) -> None:
    table_id = await open_table(tables, 1, 3)
    await join(tables, table_id, 3, given=b"3" * 32)
    done = await join(tables, table_id, 1)
    table = await play(tables, (await move(tables, done.table)).table)
    verify(write(Exported(table_id, tuple(await entries(tables, table)))))


async def test_a_log_of_a_table_that_never_filled_verifies(tables: Tables) -> None:
    table_id = await open_table(tables, 1, 3)
    await join(tables, table_id)
    table = (await tables.close(table_id, new_id())).table
    assert table.status == CLOSED
    verify(write(Exported(table_id, tuple(await entries(tables, table)))))
