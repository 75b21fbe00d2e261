"""The judge must find everything that can be wrong, or a torture without findings says nothing."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest
from stammtisch.table.v1 import entry_pb2

from service.draft import Draft, Founding
from service.fold import CLOSED, RUNNING, Table
from service.games.double_tricks import GAME
from service.games.double_tricks.commands import Bid
from service.games.double_tricks.events import BidMade
from service.games.double_tricks.options import Options
from service.log import MemoryLog
from service.seal import MasterKeys
from service.shelf import TableLimits
from service.table import Asked, Tables
from service.wire import WIRES
from tests.torture.judge import NOTHING, Kind, Stored, chain, judge
from tests.torture.story import Frame, Story, Told, Watched

KEYS = MasterKeys("test", {"test": bytes(range(32))})
FOUNDING = Founding(GAME, Options(hand_sizes=(1, 2)), (b"", b"", b""), True)
UNTIL = 100  # versions that are read at most


@dataclass(frozen=True)
class Case:
    """One table: what clients were told, and what is stored."""

    story: Story
    stored: Stored

    def kinds(self) -> set[Kind]:
        return {finding.kind for finding in judge(self.story, self.stored)}

    def with_log(self, entries: Sequence[bytes]) -> "Case":
        return Case(self.story, stored(self.story.table_id, entries))

    def with_frames(self, change: Callable[[list[Frame]], list[Frame]]) -> "Case":
        first, *others = self.story.watched
        watched = [replace(first, frames=change(first.frames)), *others]
        return Case(replace(self.story, watched=watched), self.stored)

    @property
    def log(self) -> list[bytes]:
        return [data for _, data in self.stored.entries]


@pytest.fixture
async def case() -> Case:
    """A table that was played to its end, and about which nobody was told anything wrong."""
    log = MemoryLog()
    tables = Tables(log, KEYS, TableLimits())
    table = (await tables.create("anybody", uuid.uuid4().bytes, FOUNDING)).table
    story = Story(table.charter.table_id)
    while table.status == RUNNING:
        (seat,) = GAME.to_act(table.state)
        asked = Asked(seat, uuid.uuid4().bytes, next(iter(GAME.legal(table.state, seat))))
        table = (await tables.act(story.table_id, asked)).table
        story.told.append(told(asked, table))
    page = await log.read(story.table_id, 0, UNTIL)
    hashes = chain(story.table_id, list(page.entries))
    frames = [Frame(version, digest, b"%d" % version) for version, digest in enumerate(hashes)][1:]
    story.watched = [
        Watched(1, frames=frames, complete=True),
        Watched(1, begun=frames[3], frames=frames[4:], complete=True),
        Watched(None, frames=[replace(frame, content=b"") for frame in frames], complete=True),
    ]
    return Case(story, stored(story.table_id, page.entries))


def told(asked: Asked, table: Table) -> Told:
    command = WIRES[GAME.name].encode_command(asked.command).SerializeToString(deterministic=True)
    return Told(asked.command_id, asked.seat, command, table.head.version, table.head.hash)


def stored(table_id: str, entries: Sequence[bytes]) -> Stored:
    named = tuple((f"{version}-0", data) for version, data in enumerate(entries, 1))
    return Stored(named, len(entries), chain(table_id, list(entries))[-1])


def test_a_table_where_all_is_well_has_no_findings(case: Case) -> None:
    assert len(case.story.told) == 15
    assert judge(case.story, case.stored) == []


def test_an_acknowledged_command_that_is_not_in_the_log_is_lost(case: Case) -> None:
    shortened = case.with_log(case.log[: case.story.told[-1].version - 3])
    assert Kind.LOST in shortened.kinds()


def test_every_acknowledged_command_of_a_table_that_is_gone_is_lost(case: Case) -> None:
    findings = judge(case.story, NOTHING)
    assert sum(finding.kind is Kind.LOST for finding in findings) == len(case.story.told)


@pytest.mark.parametrize(
    "change",
    [{"hash": bytes(32)}, {"version": 3}, {"version": 1_000}, {"seat": 7}, {"command": b"another"}],
    ids=lambda change: next(iter(change)),
)
def test_a_command_that_is_in_the_log_otherwise_than_it_was_told_is_lost(case: Case, change: dict[str, object]) -> None:
    case.story.told[5] = replace(case.story.told[5], **change)  # type: ignore[arg-type]
    assert case.kinds() == {Kind.LOST}


def test_a_command_that_is_in_the_log_twice_is_doubled(case: Case) -> None:
    last, first = (entry_pb2.Entry.FromString(case.log[place]) for place in (-2, 2))
    last.command_id = first.command_id
    twice = case.with_log([*case.log[:-2], last.SerializeToString(deterministic=True), case.log[-1]])
    assert Kind.DOUBLED in twice.kinds()


def test_a_clock_that_ran_out_twice_before_anything_came_of_it_is_doubled(case: Case) -> None:
    command = entry_pb2.Fact(table=entry_pb2.TableFact(run_out_clock=entry_pb2.RunOutClock(seat=2)))
    ran_out, played = (entry_pb2.Entry(version=9, seat=seat, command=command) for seat in (0, 2))
    played.ClearField("command")

    def kinds(*entries: entry_pb2.Entry) -> set[Kind]:
        return case.with_log([*case.log, *(entry.SerializeToString() for entry in entries)]).kinds()

    assert Kind.DOUBLED in kinds(ran_out, ran_out)
    assert Kind.DOUBLED not in kinds(ran_out, played, ran_out)


@pytest.mark.parametrize(
    "change",
    [
        lambda frames: [*frames[:4], *frames[5:]],
        lambda frames: [*frames[:4], frames[3], *frames[4:]],
        lambda frames: [*frames[:4], frames[5], frames[4], *frames[6:]],
        lambda frames: [*frames[:4], replace(frames[4], step=False), *frames[5:]],
        lambda frames: [*frames[:4], replace(frames[4], hash=bytes(32)), *frames[5:]],
        lambda frames: frames[:-1],
        lambda frames: [],
        lambda frames: [*frames, replace(frames[-1], version=frames[-1].version + 1)],
        lambda frames: [*frames[:4], replace(frames[4], content=b"another"), *frames[5:]],
    ],
    ids=["left out", "twice", "out of order", "full view", "other hash", "last", "all", "one more", "other content"],
)
def test_a_watcher_who_did_not_get_every_version_once_and_in_order_has_a_gap(
    case: Case, change: Callable[[list[Frame]], list[Frame]]
) -> None:
    assert case.with_frames(change).kinds() == {Kind.GAP}


def test_a_watcher_who_was_not_told_of_the_end_has_a_gap(case: Case) -> None:
    case.story.watched[2].complete = False
    assert case.kinds() == {Kind.GAP}


def test_wrong_refusals_and_stale_views_are_findings(case: Case) -> None:
    case.story.refused.append("no")
    case.story.stale.append("old")
    assert case.kinds() == {Kind.REFUSED, Kind.STALE}


@pytest.mark.parametrize(
    "change",
    [{"version": 3}, {"hash": bytes(32)}],
    ids=lambda change: next(iter(change)),
)
def test_a_head_that_is_not_the_logs_breaks_it(case: Case, change: dict[str, object]) -> None:
    assert Case(case.story, replace(case.stored, **change)).kinds() == {Kind.BROKEN}  # type: ignore[arg-type]


def test_a_stream_with_other_ids_is_broken(case: Case) -> None:
    entries = tuple((f"{version}-1", data) for version, data in enumerate(case.log, 1))
    assert Case(case.story, replace(case.stored, entries=entries)).kinds() == {Kind.BROKEN}


def test_a_log_in_which_a_byte_has_changed_is_broken(case: Case) -> None:
    data = case.log[6]
    changed = data[:-1] + bytes([data[-1] ^ 1])
    entries = tuple((name, changed if old == data else old) for name, old in case.stored.entries)
    assert Kind.BROKEN in Case(case.story, replace(case.stored, entries=entries)).kinds()


async def test_a_command_that_the_rules_decide_otherwise_breaks_the_log() -> None:
    log = MemoryLog()
    tables = Tables(log, KEYS, TableLimits())
    table = (await tables.create("anybody", uuid.uuid4().bytes, FOUNDING)).table
    table_id = table.charter.table_id
    draft = Draft(table, table.updated_ms)
    (seat,) = GAME.to_act(table.state)
    draft.add(seat, uuid.uuid4().bytes, Bid(0), (BidMade(seat, 1),))
    draft.add_end(CLOSED, ())
    page = await log.read(table_id, 0, UNTIL)
    (finding,) = judge(Story(table_id), stored(table_id, [*page.entries, *draft.entries]))
    assert finding.kind is Kind.BROKEN
    assert "version 3" in finding.sentence


def test_a_table_that_has_not_ended_is_broken(case: Case) -> None:
    unfinished = Case(Story(case.story.table_id), stored(case.story.table_id, case.log[:-1]))
    assert unfinished.kinds() == {Kind.BROKEN}
