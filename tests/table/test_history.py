"""A log that is not understood, or does not hang together, is refused as a whole."""

from collections.abc import Callable

import pytest
from stammtisch.double_tricks.v1 import double_tricks_pb2
from stammtisch.table.v1 import entry_pb2

from service.fold import RulesUnknown
from service.history import LogDamaged
from service.log import Page
from service.seal import MasterKeys, SealBroken, UnknownKey
from service.table import Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import asked, moves, new_table, replica

Change = Callable[[entry_pb2.Entry], None]


def _other_game(entry: entry_pb2.Entry) -> None:
    entry.events[0].table.table_created.game = "poker"


def _newer_rules(entry: entry_pb2.Entry) -> None:
    entry.rules = "double_tricks/2"


def _unknown_option(entry: entry_pb2.Entry) -> None:
    entry.events[0].table.table_created.options = double_tricks_pb2.Options(bank=99).SerializeToString()  # type: ignore[arg-type]


def _unreadable_option(entry: entry_pb2.Entry) -> None:
    entry.events[0].table.table_created.options = b"\xff"


def _impossible_option(entry: entry_pb2.Entry) -> None:
    entry.events[0].table.table_created.options = double_tricks_pb2.Options(sets=77).SerializeToString()


def _no_events(entry: entry_pb2.Entry) -> None:
    del entry.events[:]


def _unknown_event(entry: entry_pb2.Entry) -> None:
    entry.events[0].game = b"\xfa\x3e\x00"  # field 1007, of a later release


def _unknown_kind_of_fact(entry: entry_pb2.Entry) -> None:
    entry.events[0].ParseFromString(b"\xfa\x3e\x00")


def _unknown_event_of_the_table(entry: entry_pb2.Entry) -> None:
    entry.events[0].table.ParseFromString(b"\xfa\x3e\x00")


def _unknown_card(entry: entry_pb2.Entry) -> None:
    event = double_tricks_pb2.Event()
    event.card_played.card = "nonsense"
    entry.events[0].game = event.SerializeToString()


def _unreadable_event(entry: entry_pb2.Entry) -> None:
    entry.events[0].game = b"\xff"


@pytest.mark.parametrize(
    ("version", "change"),
    [
        (1, _other_game),
        (1, _newer_rules),
        (1, _unknown_option),
        (1, _unreadable_option),
        (1, _impossible_option),
        (1, _no_events),
        (3, _newer_rules),
        (3, _unknown_event),
        (3, _unknown_kind_of_fact),
        (3, _unknown_event_of_the_table),
        (3, _unknown_card),
        (3, _unreadable_event),
    ],
)
async def test_what_a_server_does_not_know_it_never_skips(
    log: FaultyLog, tables: Tables, version: int, change: Change
) -> None:
    table = await moves(tables, await new_table(tables), 2)
    stored = log.entries(table.charter.table_id)
    entry = entry_pb2.Entry.FromString(stored[version - 1])
    change(entry)
    stored[version - 1] = entry.SerializeToString()
    log.rewrite(table.charter.table_id, stored)
    with pytest.raises(RulesUnknown):
        await replica(log).look(table.charter.table_id)


async def test_a_log_that_begins_with_noise_is_refused(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    log.rewrite(table.charter.table_id, [b"\xff noise"])
    with pytest.raises(RulesUnknown):
        await replica(log).look(table.charter.table_id)


async def test_a_changed_bit_is_found(log: FaultyLog, tables: Tables) -> None:
    table = await moves(tables, await new_table(tables), 3)
    for version, data in enumerate(log.entries(table.charter.table_id), 1):
        log.damage(table.charter.table_id, version, bytes([data[0], data[1] ^ 1]) + data[2:])
        for attempt in (
            replica(log).look(table.charter.table_id),
            tables.steps(table.charter.table_id, 0),
            replica(log).act(table.charter.table_id, asked(table)),
        ):
            with pytest.raises(LogDamaged):
                await attempt
        log.damage(table.charter.table_id, version, data)


async def test_missing_entries_are_found(log: FaultyLog, tables: Tables) -> None:
    table = await moves(tables, await new_table(tables), 3)
    del log.store._entries[table.charter.table_id][-1]
    with pytest.raises(LogDamaged):
        await replica(log).look(table.charter.table_id)


async def test_a_log_is_read_page_by_page(log: FaultyLog, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await moves(tables, await new_table(tables), 3)
    read = log.store.read

    async def one_entry(table_id: str, after: int, _limit: int) -> Page:
        return await read(table_id, after, 1)

    monkeypatch.setattr(log.store, "read", one_entry)
    late = replica(log)
    assert (await late.look(table.charter.table_id)).head == table.head
    command = asked(table)
    done = await tables.act(table.charter.table_id, command)
    await moves(tables, done.table, 2)
    again = await late.act(table.charter.table_id, command)  # which it tries to append, and then reads on
    assert (again.duplicate, again.table.head) == (True, done.table.head)


async def test_without_its_master_key_a_table_cannot_be_opened(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    with pytest.raises(UnknownKey):
        await replica(log, MasterKeys("k2", {"k2": b"2" * 32})).look(table.charter.table_id)


async def test_with_another_key_of_the_same_name_its_seals_do_not_open(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    with pytest.raises(SealBroken):
        await replica(log, MasterKeys("k1", {"k1": b"2" * 32})).look(table.charter.table_id)


async def test_seals_of_one_table_do_not_open_at_another(log: FaultyLog, tables: Tables) -> None:
    one, other = await new_table(tables), await new_table(tables)
    log.rewrite(one.charter.table_id, [log.entries(one.charter.table_id)[0], log.entries(other.charter.table_id)[1]])
    with pytest.raises(SealBroken):
        await replica(log).look(one.charter.table_id)
