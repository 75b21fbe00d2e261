"""Verify: whether a log is what it claims to be, from the log alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit import exported
from service.audit.again import Again
from service.audit.exported import Exported
from service.audit.form import Reader
from service.audit.origin import Origin
from service.audit.trouble import Differs, Unusable
from service.audit.words import FAIRNESS
from service.draft import tick_id
from service.entry import Entry, TableMessage
from service.fold import Step
from service.kit.game import CHANCE
from service.log import Head


@dataclass(frozen=True, slots=True)
class Checked:
    """An entry that is as it must be."""

    message: entry_pb2.Entry
    entry: Entry  # as everybody can read it: what is sealed stays so
    step: Step | None  # opened and decided again; None while the table is running


@dataclass(slots=True, kw_only=True)
class Verified:
    """What was checked of a log, and how often. Everything held."""

    table_id: str
    rules: str
    status: str
    head: Head
    file_bytes: int
    entries: int = 0
    command_ids: int = 0
    sealed: int = 0
    shuffles: int = 0
    commands: int = 0
    by_bots: int = 0
    run_out: int = 0
    pauses: int = 0
    events: int = 0
    standings: int = 0
    contributions: int = 0
    fairness: table_pb2.Fairness.ValueType = table_pb2.FAIRNESS_UNSPECIFIED
    position: int = 0  # events that a fork begins with
    origin: table_pb2.ForkedFrom | None = None
    origin_checked: bool = False

    def count(self, checked: Checked) -> None:
        """Count what was checked of an entry."""
        self.entries += 1
        self.command_ids += bool(checked.entry.command_id)
        self.sealed += exported.sealed_facts(checked.message)
        self.contributions += isinstance(checked.entry.command, entry_pb2.Reveal)
        if checked.step is None:
            return
        entry = checked.step.entry
        own = isinstance(entry.command, TableMessage)
        self.shuffles += entry.seat == CHANCE and not own
        self.commands += entry.seat != CHANCE
        self.by_bots += entry.seat != CHANCE and entry.command_id == tick_id(checked.step.table.charter, entry.version)
        self.run_out += isinstance(entry.command, entry_pb2.RunOutClock)
        self.pauses += isinstance(entry.command, entry_pb2.PauseClocks)
        self.events += 0 if own else len(entry.events)
        self.standings = len(checked.step.table.standings)
        self.fairness = checked.step.table.fairness


def verify(data: bytes, before: bytes | None = None) -> Verified:
    """Return what was checked of an exported file, or raise Differs at the first difference.

    With the file of the table before, check also that a fork begins where that one was.
    """
    origin = _origin(before) if before else None
    log = exported.read(data)
    messages = exported.parsed(log)
    *_, head = log.heads()
    verified = Verified(
        table_id=log.table_id,
        rules=messages[0].rules,
        status=exported.status(messages),
        head=head,
        file_bytes=len(data),
    )
    for checked in walk(log):
        verified.count(checked)
        if isinstance(checked.entry.command, entry_pb2.SetPosition):
            _count_position(verified, messages[0], checked, origin)
    if origin and not verified.origin_checked:
        raise Unusable("--origin: the table is no fork; verify it alone")
    return verified


def _count_position(verified: Verified, first: entry_pb2.Entry, checked: Checked, origin: Origin | None) -> None:
    """Count what a fork begins with, and compare it with the table before where that is at hand."""
    says = first.events[0].table.table_created.forked_from
    events = (checked.step.entry if checked.step else checked.entry).events[1:]
    if origin:
        origin.check(says, events)
    verified.position, verified.origin, verified.origin_checked = len(events), says, origin is not None


def _origin(data: bytes) -> Origin:
    """Return the log that a fork may go on from, or raise Differs where it is not what it claims to be."""
    try:
        log = exported.read(data)
        entries = [checked.step for checked in walk(log)]
    except Differs as difference:
        raise Differs("the origin", str(difference)) from difference
    steps = [step for step in entries if step]
    if not steps:
        raise Unusable("--origin: that table is running, and nobody forks it before its end: export it again then")
    game = steps[0].table.charter.game
    return Origin(log.table_id, game, [head.hash for head in log.heads()], [step.entry.events for step in steps])


def walk(log: Exported) -> Iterator[Checked]:
    """Return the entries one by one, each checked as far as it can be; raise Differs at the first that is wrong."""
    messages = exported.parsed(log)
    ended = exported.ending(messages)
    reader = Reader(log.table_id, messages[0])
    again = Again(log.table_id, ended.root) if ended else None
    for message, data in zip(messages, log.entries, strict=True):
        entry = reader.read(message, data)
        yield Checked(message, entry, again.follow(message, data) if again else None)


def told(verified: Verified) -> Iterator[str]:
    """Return in sentences what was checked, and what could not be."""
    count = verified
    yield f"Table {count.table_id}, {count.rules}, {count.status}: everything that was checked holds."
    yield f"  {count.file_bytes} bytes are as `export` writes them"
    yield f"  {count.entries} entries chained, in form, in order of time, in their only encoding"
    yield f"  {count.command_ids} command ids used once"
    if count.contributions:
        yield f"  {count.contributions} contributions revealed, each the one committed to"
    yield from _forked(count, count.origin) if count.origin else ()
    yield from _running(verified) if verified.status == "running" else _ended(verified)
    yield f"Head, to compare with what players noted: version {count.head.version}, hash {count.head.hash.hex()}"


def _forked(count: Verified, origin: table_pb2.ForkedFrom) -> Iterator[str]:
    begins = f"{count.position} events that it begins with, of version {origin.version} of table {origin.table_id}"
    yield f"  {begins}: {'the same there' if count.origin_checked else 'taken as given; --origin compares them'}"


def _ended(count: Verified) -> Iterator[str]:
    yield "  1 root revealed, the one committed to when the table was created"
    yield f"  {count.sealed} sealed facts opened where they were sealed, with the right public faces"
    yield f"  {count.shuffles} shuffles recomputed"
    yield f"  {count.commands} commands decided again"
    yield from _by_itself(count)
    yield f"  {count.events} events the same as came of them"
    yield f"  {count.standings} standings the same as the rules give"
    if count.fairness:
        yield f"Fairness: {FAIRNESS[count.fairness]}."


def _by_itself(count: Verified) -> Iterator[str]:
    if count.by_bots:
        yield f"  {count.by_bots} of them by bots at their seats, none before it had thought"
    if count.run_out:
        yield f"  {count.run_out} clocks run out, none before its deadline, each with what the terms say"
    if count.pauses:
        yield f"  {count.pauses} pauses of all clocks are the operator's word"


def _running(count: Verified) -> Iterator[str]:
    yield f"Not checked, as the table is running and {count.sealed} facts are sealed until it ends:"
    yield "  the commitment, shuffles, public faces, and what comes of commands. Export it again when it has ended."
