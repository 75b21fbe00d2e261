"""Who was connected, and whether all were gone for long enough: what somebody might forge of that is named."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit.exported import Exported
from service.audit.show import show
from service.audit.trouble import Differs
from service.audit.verify import verify
from service.log import MemoryLog
from service.terms import Terms
from tests.audit.forging import changed, forged, rewritten
from tests.table.clockwork import Clockwork

Message = entry_pb2.Entry
Change = Callable[[Message], Any]
ONE, OTHER = b"one     ", b"other   "  # processes
LAST = 7


async def abandoned() -> Exported:
    """Return a log of seven entries: after the deal 1 and 2 come, 1 and 2 go, and the table ends; 3 is a bot."""
    here = Clockwork(MemoryLog())
    terms = Terms(gone_after_ms=60_000, thinking_ms=3_600_000)
    table = await here.create("double_tricks", 3, terms, bots={3: table_pb2.BOT_STRENGTH_STEADY})
    table_id = table.charter.table_id
    for process, seats in ((ONE, (1,)), (OTHER, (2,)), (ONE, ()), (OTHER, ())):
        await here.pass_time(1_000)
        await here.tables.note_presence(table_id, process, partial(list, [(seat, 0) for seat in seats]))
    await here.on_time(table)
    entries = tuple(entry for _, entry in await here.tables.log(table_id))
    assert len(entries) == LAST
    return Exported(table_id, entries)


@pytest.fixture(scope="module")
def log() -> Exported:
    return asyncio.run(abandoned())


@pytest.fixture(scope="module")
def running(log: Exported) -> Exported:
    """The log before the table's end: nobody knows its root."""
    return Exported(log.table_id, log.entries[:-1])


def at(version: int, change: Change) -> Callable[[Message], None]:
    return lambda message: change(message) if message.version == version else None


def noting(**fields: Any) -> Change:
    """Return a change of a note and of what came of it."""

    def change(message: Message) -> None:
        for fact in (message.command.table.note_presence, message.events[0].table.presence_noted):
            for name, value in fields.items():
                setattr(fact, name, value)

    return change


def without(log: Exported, version: int) -> bytes:
    """Return the log without a version, numbered anew."""
    later = [moved(data, -1) for data in log.entries[version:]]
    return rewritten(log, [*log.entries[: version - 1], *later])


def moved(data: bytes, versions: int) -> bytes:
    return changed(data, lambda message: setattr(message, "version", message.version + versions))


def differs(data: bytes, match: str) -> None:
    with pytest.raises(Differs, match=match):
        verify(data)


def test_what_really_happened_holds_and_can_be_read(log: Exported) -> None:
    assert verify(forged(log, lambda message: None)).status == "abandoned"
    text = "\n".join(show(log, None, None))
    assert f"NotePresence seat=1 process={ONE.hex()} connected=yes" in text
    assert "EndTable status=STATUS_ABANDONED" in text


@pytest.mark.parametrize("known", ["log", "running"])
def test_what_no_table_notes_is_named_even_while_it_runs(known: str, request: pytest.FixtureRequest) -> None:
    log = request.getfixturevalue(known)
    differs(forged(log, at(3, lambda entry: setattr(entry, "seat", 1))), "version 3: .* only the table itself does")
    for field in ({"process": b"short"}, {"seat": 0}, {"seat": 4}, {"seat": -1}):
        differs(forged(log, at(3, noting(**field))), "version 3: it notes a connection that no seat can have")


@pytest.mark.parametrize(("field", "value"), [("seat", 2), ("process", OTHER), ("connected", False)])
def test_something_else_than_was_to_be_noted_is_named(running: Exported, field: str, value: Any) -> None:
    change = at(3, lambda entry: setattr(entry.events[0].table.presence_noted, field, value))
    differs(forged(running, change), "version 3: it notes something else")


def test_a_note_at_a_table_that_does_not_follow_who_is_connected_is_named(running: Exported) -> None:
    change = at(1, lambda entry: entry.events[0].table.table_created.terms.ClearField("gone_after"))
    differs(forged(running, change), "version 3: it notes who is connected, which the terms do not ask for")


@pytest.mark.parametrize(
    ("version", "fields"),
    [
        (5, {"connected": True}),  # who is connected already
        (5, {"process": OTHER}),  # through which somebody else is
        (3, {"connected": False}),  # who was not connected
        (3, {"seat": 3}),  # a bot
    ],
)
def test_a_change_that_is_none_is_named(log: Exported, version: int, fields: dict[str, Any]) -> None:
    differs(forged(log, at(version, noting(**fields))), f"version {version}: there was nothing of that to be done")


def test_a_note_by_somebody_else_than_the_table_is_named(log: Exported) -> None:
    differs(forged(log, at(4, lambda entry: setattr(entry, "command_id", bytes(16)))), "version 4: its command id is")


def test_an_end_while_somebody_was_connected_is_named(log: Exported) -> None:
    differs(without(log, LAST - 1), "version 6: its people had not all been gone for as long as the terms say")


def test_an_end_before_its_time_is_named(log: Exported) -> None:
    # A table notices a moment after its time, as it waits for commands that may still be on their way.
    gone = Message.FromString(log.entries[LAST - 2]).time_ms
    verify(forged(log, at(LAST, lambda entry: setattr(entry, "time_ms", gone + 60_000))))
    differs(
        forged(log, at(LAST, lambda entry: setattr(entry, "time_ms", gone + 60_000 - 1))),
        "version 7: its people had not all been gone for as long as the terms say",
    )


def test_a_time_for_which_nobody_is_to_have_been_gone_is_named(log: Exported) -> None:
    """An outage of the service while somebody is connected shifts nothing, so none is noted."""
    before = Message.FromString(log.entries[2])

    def pause(message: Message) -> None:
        message.time_ms, message.command_id = before.time_ms, b"p" * 16
        pause = entry_pb2.PauseClocks(from_ms=before.time_ms - 10, to_ms=before.time_ms)
        paused = entry_pb2.ClocksPaused(from_ms=pause.from_ms, to_ms=pause.to_ms)
        message.command.table.pause_clocks.CopyFrom(pause)
        message.events[0].table.clocks_paused.CopyFrom(paused)

    later = [moved(data, 1) for data in log.entries[3:]]
    entries = [*log.entries[:3], changed(log.entries[3], pause), *later]
    differs(rewritten(log, entries), "version 4: no clock can have stood still then")


def test_more_notes_than_a_table_makes_are_named(log: Exported, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.fold.NOTES_MAX", 3)
    differs(forged(log, lambda message: None), "version 6: there was nothing of that to be done")
