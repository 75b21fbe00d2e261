"""Show: a log as a game record that people can read."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from stammtisch.table.v1 import entry_pb2

from service.audit import exported
from service.audit.exported import Exported
from service.audit.sealed import Sealed
from service.audit.trouble import Unusable
from service.audit.verify import Checked, walk
from service.audit.words import FAIRNESS, lines, words
from service.entry import Entry, TableMessage
from service.fold import CLOSED, RUNNING, Table
from service.games import GAMES
from service.kit.game import CHANCE
from service.kit.options import defaults
from service.wire import WIRES

LEGAL_MAX = 100  # commands shown of all that a seat may give
INDENT = " " * 8
BEGINNINGS = (entry_pb2.TableCreated, entry_pb2.TableStarted)  # events that a game may begin with


def show(log: Exported, seat: int | None, at: int | None) -> Iterator[str]:
    """Return a game record: all of it, or what a seat saw of it; or one version, with the views of it."""
    checked = walk(log)
    first = next(checked)
    record = Record(log, first.entry.events[0], seat)
    record.check_asked(at)
    yield from record.header()
    if first.step is None:
        yield from _sealed_note(seat, at)
    for each in (first, *checked) if at is None else islice((first, *checked), at - 1, at):
        yield from record.entry(each)
        yield from record.views(each.step.table) if at and each.step else ()


class Record:
    """What is shown of one table to somebody who may know everything, or what one seat knew."""

    def __init__(self, log: Exported, created: entry_pb2.TableCreated, seat: int | None) -> None:
        self._log = log
        self._created = created
        self._game = GAMES[created.game]
        self._seats = range(1, len(created.contributions) + 1)
        self._seat = seat

    def check_asked(self, at: int | None) -> None:
        """Refuse a seat or a version that is not there."""
        if self._seat is not None and self._seat not in self._seats:
            raise Unusable(f"--seat {self._seat}: the table has the seats 1 to {self._seats[-1]}")
        if at is not None and not 1 <= at <= len(self._log.entries):
            raise Unusable(f"--at {at}: the log has the versions 1 to {len(self._log.entries)}")

    def header(self) -> Iterator[str]:
        """Say what table this is."""
        wire, game = WIRES[self._game.name], self._game
        options = wire.decode(wire.messages.Options.FromString(self._created.options))
        chosen = ((name, default, getattr(options, name)) for name, default in defaults(options).items())
        unusual = [f"{name}={words(value)}" for name, default, value in chosen if value != default]
        *_, head = self._log.heads()
        yield f"Table    {self._log.table_id}"
        yield f"Game     {game.title}, {game.rules}"
        yield f"Seats    {self._seats[-1]}{', and spectators' if self._created.spectators else ''}"
        yield f"Options  {' '.join(unusual) or 'as usual'}"
        yield f"Status   {exported.status(exported.parsed(self._log))}"
        yield f"Head     version {head.version}, hash {head.hash.hex()}"
        yield ""

    def entry(self, checked: Checked) -> Iterator[str]:
        """Say what happened in one entry."""
        entry = checked.step.entry if checked.step else checked.entry
        time = datetime.fromtimestamp(entry.time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
        hidden = isinstance(entry.command, self._game.private) and self._seat not in (None, entry.seat)
        yield f"{entry.version:>6}  {time}  {_who(entry)}: {'private' if hidden else words(entry.command)}"
        for event in entry.events:
            yield from (f"{INDENT}{line}" for line in self._event(event))
        if checked.step and isinstance(entry.events[-1], BEGINNINGS) and (level := checked.step.table.fairness):
            yield f"{INDENT}fairness: {FAIRNESS[level]}"

    def views(self, table: Table) -> Iterator[str]:
        """Say what was known at a version, and what could be done."""
        for viewer in (*self._seats, None) if self._seat is None else (self._seat,):
            yield ""
            yield f"What {_name(viewer)} knew at version {table.head.version}:"
            yield from (f"{INDENT}{line}" for line in lines(self._game.project(table.state, viewer)))
            yield from (f"{INDENT}{line}" for line in self._legal(table, viewer))

    def _event(self, event: Any) -> Iterator[str]:
        if isinstance(event, TableMessage | Sealed):
            yield words(_without_options(event))
        elif self._seat is None:
            yield words(event)
            yield from self._knowledge(event)
        else:
            seen = self._game.see(event, self._seat)
            yield from () if seen is None else (words(seen),)

    def _knowledge(self, event: Any) -> Iterator[str]:
        """Say what each saw of an event, unless all saw all of it."""
        seen = {viewer: self._game.see(event, viewer) for viewer in (*self._seats, None)}
        if any(face != event for face in seen.values()):
            for viewer, face in seen.items():
                yield f"  {_name(viewer)} saw {'nothing' if face is None else words(face)}"

    def _legal(self, table: Table, seat: int | None) -> Iterator[str]:
        legal = self._game.legal(table.state, seat) if seat and table.status == RUNNING else ()
        commands = [words(command) for command in islice(legal, LEGAL_MAX + 1)]
        yield "legal:" if commands else "legal: nothing"
        yield from (f"  {command}" for command in commands[:LEGAL_MAX])
        yield from ("  and more",) if len(commands) > LEGAL_MAX else ()


def _sealed_note(seat: int | None, at: int | None) -> Iterator[str]:
    yield "The table is running: what is private is sealed until it ends, and only its public face is shown here."
    if seat is not None:
        yield f"So what only seat {seat} saw cannot be shown."
    if at is not None:
        yield "So the state of the game, and anybody's view of it, cannot be shown."
    yield ""


def _who(entry: Entry) -> str:
    if entry.seat != CHANCE:
        return f"seat {entry.seat}"
    if isinstance(entry.command, TableMessage):
        return "admin" if _is_admins(entry) else "table"
    return "dealer"


def _is_admins(entry: Entry) -> bool:
    """Whether an admin gave a command, as far as it can be told: a table that is full is closed by itself."""
    match entry.command:
        case entry_pb2.EndTable():
            return bool(entry.command.status == CLOSED)
        case entry_pb2.StartTable():
            return bool(entry.command_id)
        case _:
            return False


def _name(seat: int | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


def _without_options(event: Any) -> Any:
    """Return a table's creation without its options, which the header has in words."""
    if not isinstance(event, entry_pb2.TableCreated):
        return event
    bare = entry_pb2.TableCreated()
    bare.CopyFrom(event)
    bare.ClearField("options")
    return bare
