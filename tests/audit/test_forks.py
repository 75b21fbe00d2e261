"""Forks: what somebody might forge of them is named, and what is taken as given is said."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit import exported
from service.audit.command_line import main
from service.audit.exported import Exported
from service.audit.show import show
from service.audit.trouble import Differs, Unusable
from service.audit.verify import told, verify
from service.draft import Founding
from service.fold import RUNNING
from service.games import GAMES
from service.history import missing
from service.log import MemoryLog
from service.table import Asked, Tables
from service.wire import WIRES
from tests.audit.forging import forged, rewritten, seal
from tests.audit.games import play

Message = entry_pb2.Entry
GAME, MESSAGES = GAMES["double_tricks"], WIRES["double_tricks"].messages
VERSION = 5
TWICE_PLAYED = MESSAGES.Event(card_played={"seat": 1, "card": "CA/H2", "motif": "CA"}).SerializeToString()


async def logs() -> tuple[Exported, ...]:
    """Return a fork, played to its end; a running one; the log that they go on from; and one that was dealt anew."""
    before = await play(seats=2, options={"sets": 1, "hand_sizes": (1, 2)})
    ended, running = [await forked(before.tables, before.store, before.table_id, end) for end in (True, False)]
    anew = await forked(before.tables, before.store, before.table_id, True, table_pb2.CARDS_REDEALT, version=4)
    return ended, running, before.log, anew


async def forked(
    tables: Tables,
    store: MemoryLog,
    table_id: str,
    end: bool,
    cards: Any = table_pb2.CARDS_KEPT,
    version: int = VERSION,
) -> Exported:
    position = await tables.position(await tables.look(table_id), version)
    origin = position.origin(cards)
    asked = Founding(GAME, position.table.charter.options, (b"", b"2" * 32), spectators=True, forked_from=origin)
    table = (await tables.create("somebody", bytes([end, cards]) * 8, asked, position.events)).table
    for number in range(100):
        if table.status != RUNNING or not (end or number < 1):
            break
        (seat,) = table.seats_to_act
        command = next(iter(GAME.legal(table.state, seat)))
        table = (await tables.act(table.charter.table_id, Asked(seat, bytes([number, end]) * 8, command))).table
    return Exported(table.charter.table_id, (await missing(store, table.charter.table_id, 0)).entries)


@pytest.fixture(scope="module")
def all_logs() -> tuple[Exported, ...]:
    return asyncio.run(logs())


@pytest.fixture
def log(all_logs: tuple[Exported, ...]) -> Exported:
    return all_logs[0]


@pytest.fixture
def running(all_logs: tuple[Exported, ...]) -> Exported:
    return all_logs[1]


@pytest.fixture
def anew(all_logs: tuple[Exported, ...]) -> Exported:
    return all_logs[3]


@pytest.fixture
def origin(all_logs: tuple[Exported, ...]) -> bytes:
    return exported.write(all_logs[2])


def differs(data: bytes, match: str, before: bytes | None = None) -> None:
    with pytest.raises(Differs, match=match):
        verify(data, before)


def at(version: int, change: Callable[[Message], Any]) -> Callable[[Message], None]:
    return lambda message: change(message) if message.version == version else None


def says(**fields: Any) -> Callable[[Message], None]:
    def change(entry: Message) -> None:
        for name, value in fields.items():
            setattr(entry.events[0].table.table_created.forked_from, name, value)

    return at(1, change)


def other_bid(entry: Message) -> None:
    """Let the first bid of the position be another one."""
    place = next(place for place, fact in enumerate(entry.events) if fact.game)
    event = MESSAGES.Event.FromString(entry.events[place].game)
    event.bid_made.tricks = 1 - event.bid_made.tricks
    entry.events[place].game = event.SerializeToString(deterministic=True)


def test_what_really_happened_holds_and_can_be_read(log: Exported, running: Exported) -> None:
    for each in (log, running):
        verify(forged(each, lambda message: None))
        assert "PositionSet" in "\n".join(show(each, None, None))


def test_the_audit_says_what_it_takes_as_given_and_what_it_has_compared(log: Exported, origin: bytes) -> None:
    alone, with_origin = ["\n".join(told(verify(exported.write(log), before))) for before in (None, origin)]
    begins = "4 events that it begins with, of version 5 of table "
    assert begins in alone
    assert "taken as given; --origin compares them" in alone
    assert "the same there" in with_origin


def test_a_running_fork_is_compared_as_far_as_its_seals_allow(running: Exported, origin: bytes) -> None:
    assert verify(exported.write(running), origin).origin_checked
    differs(forged(running, at(2, other_bid)), "version 2: its position is not the one", origin)


def test_another_position_is_found_beside_the_table_before(log: Exported, origin: bytes) -> None:
    def shorter(entry: Message) -> None:
        del entry.events[-1]

    for change in (other_bid, shorter):
        with pytest.raises(Differs):
            verify(forged(log, at(2, change)), origin)


@pytest.mark.parametrize("fields", [{"head_hash": bytes(32)}, {"version": 4}, {"version": 99}])
def test_a_version_that_the_table_before_had_not_is_named(log: Exported, origin: bytes, fields: dict[str, Any]) -> None:
    differs(forged(log, says(**fields)), "version 1: .* has no such version with this hash", origin)


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"table_id": "x"}, "it cannot be the fork of"),
        ({"table_id": "{own}"}, "it cannot be the fork of"),
        ({"version": 0}, "from where the fork goes on"),
        ({"head_hash": b"x"}, "from where the fork goes on"),
        ({"cards": 0}, "from where the fork goes on"),
        ({"cards": 9}, "from where the fork goes on"),
    ],
)
def test_an_origin_that_cannot_be_is_named(log: Exported, fields: dict[str, Any], match: str) -> None:
    named = {name: log.table_id if value == "{own}" else value for name, value in fields.items()}
    differs(forged(log, says(**named)), f"version 1: .*{match}")


def test_a_fork_that_is_a_rematch_too_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.events[0].table.table_created.rematch_of = f"{log.table_id[:-1]}a"
        entry.events[0].table.table_created.open_seats[:] = [1, 2]
        entry.events[0].table.table_created.contributions[:] = [b"", b""]

    differs(forged(log, at(1, change)), "version 1: .*it cannot be the fork of")


def test_a_fork_without_its_position_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.version -= entry.version > 1

    entries = [data for version, data in enumerate(log.entries, 1) if version != 2]
    renumbered = rewritten(log, [_changed(data, change) for data in entries])
    differs(renumbered, "version 2: its .*a fork begins with its position")


def test_a_position_in_another_place_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.command.table.set_position.SetInParent()
        del entry.events[:]
        entry.events.add().table.position_set.SetInParent()

    differs(forged(log, at(3, change)), "version 3: it sets a position where there is none to be set")


def test_a_position_at_a_table_that_is_no_fork_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.events[0].table.table_created.ClearField("forked_from")

    differs(forged(log, at(1, change)), "version 2: it sets a position where there is none to be set")


def test_a_position_with_facts_of_the_table_is_named(log: Exported) -> None:
    def ended(entry: Message) -> None:
        entry.events.add().table.table_started.SetInParent()

    def unsaid(entry: Message) -> None:
        del entry.events[0]

    for change in (ended, unsaid):
        differs(forged(log, at(2, change)), "version 2: it has facts of the table that do not belong there")


def test_a_position_of_too_many_events_is_named(log: Exported, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.audit.form.POSITION_EVENTS_MAX", 2)
    differs(exported.write(log), "version 2: its position has more than 2 events")


def test_a_position_set_by_somebody_or_at_another_time_is_named(log: Exported) -> None:
    differs(forged(log, at(2, lambda entry: setattr(entry, "seat", 1))), "version 2: ")
    differs(forged(log, at(2, lambda entry: setattr(entry, "command_id", b"1" * 16))), "version 2: ")


def test_a_position_that_no_game_comes_to_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        for _ in range(2):
            entry.events.add().game = TWICE_PLAYED

    differs(forged(log, at(2, change)), "version 2: from the position .* it cannot be played")


def test_a_private_fact_of_the_position_in_clear_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        place = next(place for place, fact in enumerate(entry.events) if fact.HasField("sealed"))
        sealed = entry.events[place].sealed
        entry.events[place].game = seal(log).open(2, place + 1, sealed.nonce, sealed.box)

    differs(forged(log, at(2, change)), "version 2: .* is private, but not sealed")


def test_a_deal_goes_by_the_root_of_the_fork(log: Exported, origin: bytes) -> None:
    assert verify(exported.write(log), origin).shuffles == 1


def test_cards_dealt_anew_are_dealt_again_by_the_audit(anew: Exported, origin: bytes) -> None:
    assert verify(exported.write(anew), origin).shuffles == 2
    assert "Redealt hands=" in "\n".join(show(anew, None, None))


def test_other_cards_than_the_root_deals_anew_are_named(anew: Exported) -> None:
    def change(entry: Message) -> None:
        for place, fact in enumerate((entry.command, *entry.events)):
            kind = MESSAGES.Event if place else MESSAGES.Command
            opened = kind.FromString(seal(anew).open(3, place, fact.sealed.nonce, fact.sealed.box))
            if place:
                opened.redealt.hands.reverse()
            else:
                opened.redeal.cards[:2] = opened.redeal.cards[1::-1]
            fact.sealed.nonce, fact.sealed.box = seal(anew).close(3, place, opened.SerializeToString())

    differs(forged(anew, at(3, change)), "version 3: its command is Redeal .*, but the table's root")


def test_cards_that_are_not_dealt_anew_although_they_were_to_be_are_named(log: Exported, anew: Exported) -> None:
    differs(forged(log, says(cards=table_pb2.CARDS_REDEALT)), "version 3: its .*, but the table's root .* give")
    differs(forged(anew, says(cards=table_pb2.CARDS_KEPT)), "version 3: .* is the dealer's, who had nothing to do")


def test_another_file_than_that_of_the_table_before_cannot_be_used(
    log: Exported, running: Exported, origin: bytes
) -> None:
    other = exported.write(log)
    for file, before, match in (
        (exported.write(running), other, "give the file of that one"),
        (origin, origin, "the table is no fork"),
        (other, exported.write(running), "that table is running"),
    ):
        with pytest.raises(Unusable, match=f"--origin: .*{match}"):
            verify(file, before)


def test_what_differs_in_the_table_before_is_said_of_that(log: Exported, origin: bytes) -> None:
    differs(exported.write(log), "the origin: ", origin.replace(b'"version":4}', b'"version":5}'))


def test_the_command_line_takes_the_origin(
    log: Exported, origin: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fork, before = tmp_path / "fork.jsonl", tmp_path / "before.jsonl"
    fork.write_bytes(exported.write(log))
    before.write_bytes(origin)
    assert main(["verify", str(fork), "--origin", str(before)]) == 0
    assert "the same there" in capsys.readouterr().out


def _changed(data: bytes, change: Callable[[Message], None]) -> bytes:
    message = Message.FromString(data)
    change(message)
    return message.SerializeToString(deterministic=True)
