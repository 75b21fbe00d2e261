"""A table ends once, reveals its root, and can be verified from then on."""

import pytest
from stammtisch.table.v1 import entry_pb2

from service.fold import CLOSED, FINISHED, RUNNING
from service.games.double_tricks.events import Dealt
from service.objections import CommandIdReused, Stale, TableEnded
from service.seal import Seal, commitment
from service.shelf import TableLimits
from service.table import Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import KEYS, asked, move, moves, new_id, new_table, play


def last_fact(log: FaultyLog, table_id: str) -> entry_pb2.TableEnded:
    entry = entry_pb2.Entry.FromString(log.entries(table_id)[-1])
    return entry.events[-1].table.table_ended


async def test_a_game_that_is_over_ends_its_table_with_the_standings_and_the_root(
    log: FaultyLog, tables: Tables
) -> None:
    table = await play(tables, await new_table(tables))
    ended = last_fact(log, table.charter.table_id)
    assert table.status == ended.status == FINISHED
    assert ended.root == table.charter.root
    assert [(line.seat, line.rank, line.score) for line in ended.standings] == [
        (line.seat, line.rank, line.score) for line in table.standings
    ]
    assert {line.seat for line in table.standings} == set(table.charter.seats)


async def test_a_table_closed_early_reveals_its_root_and_has_no_standings(log: FaultyLog, tables: Tables) -> None:
    table = await moves(tables, await new_table(tables), 2)
    done = await tables.close(table.charter.table_id, new_id())
    ended = last_fact(log, table.charter.table_id)
    assert (done.table.status, ended.status, ended.root) == (CLOSED, CLOSED, table.charter.root)
    assert done.table.standings == ()


async def test_closing_twice_with_the_same_id_closes_once(tables: Tables, others: Tables) -> None:
    table, command_id = await new_table(tables), new_id()
    first = await tables.close(table.charter.table_id, command_id)
    for process in (tables, others):
        again = await process.close(table.charter.table_id, command_id)
        assert (again.duplicate, again.table.head) == (True, first.table.head)


async def test_nothing_can_be_done_at_a_table_that_has_ended(tables: Tables, others: Tables) -> None:
    table = await new_table(tables)
    await others.look(table.charter.table_id)
    ended = (await tables.close(table.charter.table_id, new_id())).table
    for process in (tables, others):
        with pytest.raises(TableEnded):
            await process.close(table.charter.table_id, new_id())
        with pytest.raises(TableEnded):
            await move(process, table)
        assert (await process.look(table.charter.table_id)).head == ended.head


async def test_closing_with_the_id_of_a_move_is_refused(tables: Tables) -> None:
    table = await new_table(tables)
    bid = asked(table)
    await tables.act(table.charter.table_id, bid)
    with pytest.raises(CommandIdReused):
        await tables.close(table.charter.table_id, bid.command_id)


async def test_closing_holds_to_the_expected_version(tables: Tables) -> None:
    table = await new_table(tables)
    with pytest.raises(Stale):
        await tables.close(table.charter.table_id, new_id(), table.head.version + 1)
    await tables.close(table.charter.table_id, new_id(), table.head.version)


async def test_while_a_table_runs_no_hidden_card_and_no_root_stands_in_its_log(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables, seats=3)
    public: set[str] = set()
    while table.status == RUNNING:
        _, *after_the_first = log.entries(table.charter.table_id)  # which says what cards there are
        stored = b"".join(after_the_first)
        assert table.charter.root not in stored
        public.add(str(table.state.round.turn_up))
        hidden = {str(card) for cards in (*table.state.hands, table.state.round.stock) for card in cards} - public
        assert hidden
        assert not [card for card in hidden if card.encode() in stored]
        command = asked(table)
        public.add(str(getattr(command.command, "card", "")))
        table = (await tables.act(table.charter.table_id, command)).table


async def test_after_the_end_the_root_opens_every_seal(log: FaultyLog, tables: Tables) -> None:
    table = await play(tables, await new_table(tables))
    entries = [entry_pb2.Entry.FromString(data) for data in log.entries(table.charter.table_id)]
    root = entries[-1].events[-1].table.table_ended.root
    assert commitment(root) == entries[0].events[0].table.table_created.commitment
    seal, wire = Seal(root, table.charter.table_id), table.charter.codec._wire
    opened = [
        wire.decode_event(wire.messages.Event.FromString(seal.open(entry.version, place, *_box(fact))))
        for entry in entries
        for place, fact in enumerate(entry.events, 1)
        if fact.WhichOneof("fact") == "sealed"
    ]
    assert [type(event) for event in opened] == [Dealt, Dealt]
    assert all(len(hand.cards) == deal.hand_size for deal in opened for hand in deal.hands)


def _box(fact: entry_pb2.Fact) -> tuple[bytes, bytes]:
    return fact.sealed.nonce, fact.sealed.box


async def test_the_logs_time_never_runs_back(tables: Tables, log: FaultyLog) -> None:
    table = await new_table(tables)
    slow = Tables(log, KEYS, TableLimits(), now_ms=lambda: 0)
    assert (await move(slow, table)).table.updated_ms == table.updated_ms
