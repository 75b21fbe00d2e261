"""Contributions committed to and revealed: what somebody might forge of that is named, soon where that can be."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit.exported import Exported, write
from service.audit.show import show
from service.audit.trouble import Differs
from service.audit.verify import told, verify
from service.draw import committed
from service.fold import Table
from service.log import MemoryLog
from service.terms import Revealing, Terms
from tests.audit.forging import changed, forged, rewritten
from tests.table.clockwork import Clockwork
from tests.table.contributing import INSISTING, REVEALED, committed_table, contribution, reveal, sit_down
from tests.table.playing import new_id

Message = entry_pb2.Entry
OTHER = b"?" * 32
STEADY = table_pb2.BOT_STRENGTH_STEADY


async def log_of(here: Clockwork, table: Table, *, close: bool = True) -> Exported:
    table_id = table.charter.table_id
    if close:
        await here.tables.close(table_id, new_id())
    return Exported(table_id, tuple(entry for _, entry in await here.tables.log(table_id)))


async def all_revealed(*, close: bool = True) -> Exported:
    """Return a log: 2 sits down beside 1 and a bot (2), both reveal (3, 4), the game begins (5) and is dealt (6)."""
    here = Clockwork(MemoryLog())
    table = await committed_table(here, open_seats=(2,), bots={3: STEADY})
    since = (await sit_down(here, table, 2)).entries[0].version
    here.now_ms += 5_000
    await reveal(here, table, 2, since=since)
    table = (await reveal(here, table, 1)).table
    return await log_of(here, table, close=close)


async def one_missed(terms: Terms = REVEALED, *, close: bool = True) -> Exported:
    """Return a log: of three, 1 reveals (2), 2 and 3 are missed (3, 4), the game begins (5) and is dealt (6)."""
    here = Clockwork(MemoryLog())
    table = await committed_table(here, terms=terms)
    await reveal(here, table, 1)
    for _ in range(2 if terms is REVEALED else 1):
        table = await here.on_time(table)
    return await log_of(here, table, close=close)


@pytest.fixture(scope="module")
def log() -> Exported:
    return asyncio.run(all_revealed())


@pytest.fixture(scope="module")
def running() -> Exported:
    return asyncio.run(all_revealed(close=False))


@pytest.fixture(scope="module")
def missed() -> Exported:
    return asyncio.run(one_missed())


@pytest.fixture(scope="module")
def closed() -> Exported:
    """A table that insists: 1 reveals (2), 2 is missed (3), and that is the end (4)."""
    return asyncio.run(one_missed(INSISTING, close=False))


def differs(data: bytes, match: str) -> None:
    with pytest.raises(Differs, match=match):
        verify(data)


def at(version: int, change: Callable[[Message], Any]) -> Callable[[Message], None]:
    return lambda message: change(message) if message.version == version else None


def created(change: Callable[[entry_pb2.TableCreated], Any]) -> Callable[[Message], None]:
    return at(1, lambda entry: change(entry.events[0].table.table_created))


def without(log: Exported, *versions: int) -> bytes:
    """Return the log without some versions, numbered anew."""
    kept = (data for version, data in enumerate(log.entries, 1) if version not in versions)
    return rewritten(log, [numbered(data, version) for version, data in enumerate(kept, 1)])


def numbered(data: bytes, version: int) -> bytes:
    return changed(data, lambda message: setattr(message, "version", version))


def revealing(entry: Message, given: bytes) -> None:
    """Reveal something else, on both sides."""
    entry.command.table.reveal.contribution = entry.events[0].table.contribution_revealed.contribution = given


# What holds


def test_verify_says_how_fairly_was_dealt(log: Exported, missed: Exported, closed: Exported) -> None:
    joint = "\n".join(told(verify(write(log))))
    assert "2 contributions revealed, each the one committed to" in joint
    assert "Fairness: joint" in joint
    assert "Fairness: committed" in "\n".join(told(verify(write(missed))))
    assert "Fairness" not in "\n".join(told(verify(write(closed))))


def test_of_a_running_table_it_says_how_many_contributions_were_revealed(running: Exported) -> None:
    sentences = "\n".join(told(verify(write(running))))
    assert "2 contributions revealed" in sentences
    assert "Fairness" not in sentences


def test_the_record_says_where_the_game_begins_how_fairly_it_is_dealt(log: Exported, missed: Exported) -> None:
    record = "\n".join(show(log, None, None))
    assert f"seat 2: Reveal contribution={contribution(2).hex()}" in record
    assert record.count("fairness: joint") == 1
    assert "fairness: committed" in "\n".join(show(missed, None, None))


# What is noticed even while the table runs


def test_another_contribution_than_the_one_committed_to_is_named(log: Exported, running: Exported) -> None:
    for each in (log, running):
        change = at(3, lambda entry: revealing(entry, OTHER))
        differs(forged(each, change), "version 3: seat 2 had committed itself to another contribution")


def test_a_command_that_reveals_something_else_than_its_event_is_named(log: Exported) -> None:
    change = at(3, lambda entry: setattr(entry.command.table.reveal, "contribution", OTHER))
    differs(forged(log, change), "version 3: seat 2 had committed itself to another contribution")


def test_a_contribution_of_a_wrong_length_is_named(running: Exported) -> None:
    differs(forged(running, at(3, lambda entry: revealing(entry, b"short"))), "version 3: .*wrong length")


def test_who_reveals_for_another_is_named(running: Exported) -> None:
    change = at(3, lambda entry: setattr(entry.events[0].table.contribution_revealed, "seat", 1))
    differs(forged(running, change), "version 3: seat 1 had committed itself to another contribution")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda it: it.ClearField("commitments"), "commitments for another number of seats"),
        (lambda it: it.commitments.append(b""), "commitments for another number of seats"),
        (lambda it: it.commitments.__setitem__(0, b""), "a seat's commitment has a wrong length"),
        (lambda it: it.commitments.__setitem__(0, b"short"), "a seat's commitment has a wrong length"),
        (lambda it: it.commitments.__setitem__(1, OTHER), "nobody sits on seat 2"),
        (lambda it: it.commitments.__setitem__(2, OTHER), "nobody sits on seat 3"),
        (lambda it: it.contributions.__setitem__(0, OTHER), "a seat's contribution has a wrong length"),
        (lambda it: setattr(it.terms, "contributions", 9), "in a way that nobody knows"),
        (lambda it: setattr(it.terms, "contributions", 1), "commitments for another number of seats"),
        (lambda it: setattr(it.terms, "unrevealed", 0), "does not say what happens"),
        (lambda it: setattr(it.terms, "unrevealed", 9), "does not say what happens"),
        (lambda it: it.terms.ClearField("reveal_within"), "too little or too much time"),
        (lambda it: setattr(it.terms.reveal_within, "seconds", 3_601), "too little or too much time"),
    ],
)
def test_a_creation_at_which_people_contribute_otherwise_is_named(running: Exported, change: Any, match: str) -> None:
    differs(forged(running, created(change)), f"version 1: .*{match}")


def test_who_sits_down_without_committing_himself_is_named(running: Exported) -> None:
    def uncommitted(entry: Message) -> None:
        entry.command.table.take_seat.commitment = entry.events[0].table.seat_taken.commitment = b""

    def in_clear(entry: Message) -> None:
        entry.command.table.take_seat.contribution = entry.events[0].table.seat_taken.contribution = OTHER

    differs(forged(running, at(2, uncommitted)), "version 2: a seat's commitment has a wrong length")
    differs(forged(running, at(2, in_clear)), "version 2: a seat's contribution has a wrong length")


def test_a_command_of_a_seat_that_no_seat_gave_is_named(running: Exported) -> None:
    def nobodys(entry: Message) -> None:
        entry.seat, entry.command_id = 0, b""

    differs(forged(running, at(3, nobodys)), "version 3: seat 0 cannot give such a command")


# What the revealed root brings to light


def test_a_commitment_exchanged_with_its_contribution_gives_another_deal(log: Exported) -> None:
    """The operator cannot commit a seat to something else afterwards, as the deal would not follow from it."""

    def exchange(entry: Message) -> None:
        if entry.version == 1:
            entry.events[0].table.table_created.commitments[0] = committed(OTHER)
        if entry.version == 4:
            revealing(entry, OTHER)

    differs(forged(log, exchange), "version 6: its command is Deal.* but the table's root and the seats' contributions")


def test_another_commitment_than_was_asked_for_is_named(log: Exported) -> None:
    def exchange(entry: Message) -> None:
        if entry.version == 2:
            entry.events[0].table.seat_taken.commitment = committed(OTHER)
        if entry.version == 3:
            revealing(entry, OTHER)

    differs(forged(log, exchange), "version 2: its event 1 is SeatTaken")


def test_a_game_that_begins_before_all_have_revealed_is_named(log: Exported, missed: Exported) -> None:
    differs(without(log, 4), "version 4: it does not belong to a game that has not begun")
    differs(without(missed, 4), "version 4: it does not belong to a game that has not begun")


def test_a_game_that_does_not_begin_when_all_have_revealed_is_named(log: Exported) -> None:
    differs(without(log, 5, 6), "version 5: its command is .*, but all seats are taken, which calls for StartTable")


def test_who_reveals_twice_is_named(log: Exported) -> None:
    def again(entry: Message) -> None:
        entry.version, entry.command_id = 4, OTHER[:16]

    twice = [*log.entries[:3], changed(log.entries[2], again), numbered(log.entries[-1], 5)]
    differs(rewritten(log, twice), "version 4: there was nothing of that to be done")


def test_who_reveals_while_a_seat_is_open_is_named(log: Exported) -> None:
    early = [log.entries[0], numbered(log.entries[3], 2), numbered(log.entries[-1], 3)]
    differs(rewritten(log, early), "version 2: it does not belong to a game that has not begun")


def test_a_seat_that_still_had_time_to_reveal_was_not_missed(missed: Exported) -> None:
    def sooner(entry: Message) -> None:
        if entry.version >= 3:
            entry.time_ms -= 2_000

    differs(forged(missed, sooner), "version 3: seat 2 had still time to reveal")


def test_a_seat_that_has_revealed_was_not_missed(missed: Exported) -> None:
    def other(entry: Message) -> None:
        entry.command.table.miss_reveal.seat = entry.events[0].table.contribution_missed.seat = 1

    differs(forged(missed, at(3, other)), "version 3: seat 1 had still time to reveal, or nothing to reveal")


def test_another_seat_than_was_waited_for_is_not_missed(missed: Exported) -> None:
    change = at(3, lambda entry: setattr(entry.events[0].table.contribution_missed, "seat", 3))
    differs(forged(missed, change), "version 3: its event 1 is ContributionMissed seat=3")


def test_what_is_missed_is_missed_by_the_table_itself(missed: Exported) -> None:
    differs(forged(missed, at(3, lambda entry: setattr(entry, "seat", 1))), "version 3: seat 1 cannot give such")
    differs(forged(missed, at(3, lambda entry: setattr(entry, "command_id", OTHER[:16]))), "version 3: its command id")


def test_a_table_that_does_not_insist_but_is_closed_by_itself_is_named(closed: Exported) -> None:
    assert verify(write(closed)).status == "closed"
    change = created(lambda it: setattr(it.terms, "unrevealed", table_pb2.UNREVEALED_DEAL_WITHOUT))
    differs(forged(closed, change), "version 4: nobody has asked for the table's end")


def test_a_table_that_insists_and_goes_on_without_a_contribution_is_named(missed: Exported) -> None:
    change = created(lambda it: setattr(it.terms, "unrevealed", table_pb2.UNREVEALED_CLOSE))
    differs(forged(missed, change), "version 4: its command is MissReveal .*, but a contribution was missed")


def test_time_that_stood_still_while_people_revealed_did_so_in_the_past(log: Exported) -> None:
    def pause(entry: Message) -> None:
        entry.seat = 0
        entry.command.table.pause_clocks.SetInParent()
        del entry.events[:]
        entry.events.add().table.clocks_paused.SetInParent()

    differs(forged(log, at(3, pause)), "version 3: no clock can have stood still then")


def test_terms_with_less_time_than_was_waited_are_as_good_as_no_terms() -> None:
    short = Terms(revealing=Revealing(within_ms=5_000))
    held = asyncio.run(one_missed(short))
    longer = created(lambda it: setattr(it.terms.reveal_within, "seconds", 60))
    verify(write(held))
    differs(forged(held, longer), "version 3: seat 2 had still time to reveal")
