"""Again: a table played once more, from its revealed root and the commands in its log."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from google.protobuf.message import DecodeError
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit.trouble import Differs
from service.audit.words import words
from service.draft import tick_id
from service.duty import NONE, Task, duties
from service.entry import Entry, EntryCodec
from service.fold import (
    ABANDONED,
    CLOSED,
    EXPIRED,
    FINISHED,
    FORFEITED,
    FORMING,
    REVEALING,
    Step,
    Table,
    advance,
    begin,
)
from service.hosting import Idle, dealers, decide, end, forfeited
from service.kit.game import CHANCE, Refused
from service.seal import Seal, SealBroken, commitment
from service.seating import ContributionUnfit, NoSeat
from service.wire import WIRES, Malformed

WORDS_MAX = 300  # characters of a fact in a message


@dataclass(frozen=True, slots=True)
class RevealedRoot:
    """The root that a log has revealed, for the one table it belongs to."""

    revealed: bytes

    def root(self, _table_id: str, _key_id: str) -> bytes:
        """Return the root."""
        return self.revealed


@dataclass(frozen=True, slots=True)
class Rightly:
    """The entry that must follow a table's version, and what says so."""

    entry: Entry
    because: str


class Again:
    """Follows a log, deciding every entry again before it is folded."""

    def __init__(self, table_id: str, root: bytes) -> None:
        self._table_id = table_id
        self._roots = RevealedRoot(root)
        self._nonces: dict[tuple[int, int], bytes] = {}
        self._seal = Seal(root, table_id, lambda version, place: self._nonces.get((version, place), bytes(12)))
        self._table: Table | None = None

    def follow(self, message: entry_pb2.Entry, data: bytes) -> Step:
        """Return the next step, or raise Differs if the service would not have written it."""
        if self._table is None:
            step = self._begin(data)
        elif self._table.charter.forked_from:
            step = self._played_on(self._table, message, data)
        else:
            step = self._next(self._table, message, data)
        self._table = step.table
        return step

    def _begin(self, data: bytes) -> Step:
        step = begin(self._table_id, data, self._roots)
        charter = step.table.charter
        created = step.entry.events[0]
        if created.commitment != commitment(charter.root):
            raise Differs(1, "the table committed itself to another root than its end reveals")
        return step

    def _played_on(self, table: Table, message: entry_pb2.Entry, data: bytes) -> Step:
        """Return the next step of a fork, whose position is taken as given: it may be one that no game comes to."""
        try:
            return self._next(table, message, data)
        except Differs:
            raise
        except Exception as error:
            sentence = f"from the position that the fork begins with, it cannot be played: {type(error).__name__}"
            raise Differs(message.version, sentence) from error

    def _next(self, table: Table, message: entry_pb2.Entry, data: bytes) -> Step:
        found = self._opened(table, data)
        right = _rightly(table, found)
        for name, was, should in _compared(found, right.entry):
            if was != should:
                raise Differs(found.version, f"its {name} is {_short(was)}, but {right.because} {_short(should)}")
        self._check_bytes(table, right.entry, message, data)
        return advance(table, data)

    def _opened(self, table: Table, data: bytes) -> Entry:
        try:
            return table.charter.codec.read(data)
        except SealBroken:
            raise Differs(table.head.version + 1, "a sealed fact does not open with the table's root") from None
        except (DecodeError, Malformed) as error:
            raise Differs(table.head.version + 1, f"a sealed fact cannot be read: {error}") from None

    def _check_bytes(self, table: Table, right: Entry, message: entry_pb2.Entry, data: bytes) -> None:
        """Write the entry as the service would have, with the same nonces: it must be the same to the last byte."""
        facts = (message.command, *message.events)
        self._nonces = {(right.version, place): fact.sealed.nonce for place, fact in enumerate(facts)}
        game = table.charter.game
        written = EntryCodec(self._table_id, game, WIRES[game.name], self._seal).write(right)
        if written == data:
            return
        again = entry_pb2.Entry.FromString(written)
        for place, (fact, rightly) in enumerate(zip(facts, (again.command, *again.events), strict=True)):
            if fact.sealed.face != rightly.sealed.face:
                raise Differs(right.version, f"the public face of event {place} is not what everybody may see of it")
        raise Differs(right.version, "its bytes are not those that the service would have written")


def _rightly(table: Table, found: Entry) -> Rightly:
    """Return what must follow: what is due by itself, or else what comes of the command that was found."""
    game, state = table.charter.game, table.state
    if table.has_ended:
        raise Differs(found.version, "it follows the table's end")
    if table.charter.forked_from and table.head.version == 1:
        return Rightly(_placed(table, found), "a fork begins with its position, which is")
    if table.owed:
        return Rightly(_owed(table, found), f"the time of seat {table.ran_out} has run out, for which the terms give")
    if table.status in (FORMING, REVEALING):
        return _rightly_before(table, found)
    dealt = dealers(table)
    if dealt is not None:
        entry = _due(table, dealt, game.decide(state, CHANCE, dealt))
        return Rightly(entry, "the table's root and the seats' contributions give")
    if standings := game.standings(state):
        return Rightly(_due(table, *end(table, FINISHED, standings)), "the game is over and calls for")
    return Rightly(_decided(table, found), f"{game.rules} gives")


def _placed(table: Table, found: Entry) -> Entry:
    """Return the entry that sets a fork's position, which stands in no other place of its log."""
    given = (event for event in found.events[1:] if isinstance(event, table.charter.game.events))
    return _due(table, entry_pb2.SetPosition(), (entry_pb2.PositionSet(), *given))


def _rightly_before(table: Table, found: Entry) -> Rightly:
    """Return what must follow before the game has begun."""
    if table.begins:
        due = _due(table, entry_pb2.StartTable(), (entry_pb2.TableStarted(),))
        return Rightly(due, "all seats are taken, which calls for")
    if table.fails:
        return Rightly(_due(table, *end(table, CLOSED)), "a contribution was missed, for which the terms give")
    if table.status == REVEALING:
        return Rightly(_while_revealing(table, found), "contributions are hidden, so there may only be")
    return Rightly(_while_forming(table, found), "there are open seats, so there may only be")


def _owed(table: Table, found: Entry) -> Entry:
    """Return what must follow when a seat's time has run out."""
    game, state, seat = table.charter.game, table.state, table.ran_out
    match table.owed:
        case table_pb2.TIME_OUT_FORFEIT:
            return _due(table, *end(table, FORFEITED, forfeited(game.so_far(state), seat)))
        case table_pb2.TIME_OUT_DEFAULT_COMMAND:
            command = game.default(state, seat)
        case _:
            command = found.command
    return replace(_due(table, command, _events(table, seat, found, command)), seat=seat)


def _while_forming(table: Table, found: Entry) -> Entry:
    """Return what comes of a command while seats are open."""
    match found.command:
        case entry_pb2.EndTable():
            return _ended(table, found, CLOSED, EXPIRED)
        case entry_pb2.TakeSeat() | entry_pb2.LeaveSeat() | entry_pb2.StartTable():
            events = _hosted(table, found)
            seat = events[0].seat if isinstance(found.command, entry_pb2.TakeSeat) else found.seat
            return replace(found, seat=seat, events=events)
        case entry_pb2.NotePresence():
            return _by_the_table(table, found)
        case _:
            raise Differs(found.version, "it does not belong to a game that has not begun")


def _while_revealing(table: Table, found: Entry) -> Entry:
    """Return what comes of a command while contributions are hidden."""
    match found.command:
        case entry_pb2.EndTable():
            _check_abandoned(table, found)
            return _ended(table, found, CLOSED, ABANDONED)
        case entry_pb2.NotePresence():
            return _by_the_table(table, found)
        case entry_pb2.Reveal() | entry_pb2.LeaveSeat() | entry_pb2.ReturnToSeat():
            return replace(found, events=_hosted(table, found))
        case entry_pb2.MissReveal():
            _check_missed(table, found)
            return _by_the_table(table, found)
        case entry_pb2.PauseClocks():
            _check_pause(table, found)
            return _by_the_table(table, found)
        case _:
            raise Differs(found.version, "it does not belong to a game that has not begun")


def _decided(table: Table, found: Entry) -> Entry:
    """Return what comes of a command while the game is played."""
    match found.command:
        case entry_pb2.EndTable():
            _check_abandoned(table, found)
            return _ended(table, found, CLOSED, ABANDONED)
        case entry_pb2.LeaveSeat() | entry_pb2.ReturnToSeat():
            return replace(found, events=_hosted(table, found))
        case entry_pb2.RunOutClock():
            _check_run_out(table, found)
            return _by_the_table(table, found)
        case entry_pb2.PauseClocks():
            _check_pause(table, found)
            return _by_the_table(table, found)
        case entry_pb2.NotePresence():
            return _by_the_table(table, found)
        case _:
            return _played(table, found)


def _played(table: Table, found: Entry) -> Entry:
    """Return what comes of a seat's command."""
    if found.seat == CHANCE:
        raise Differs(found.version, "it is the dealer's, who had nothing to do")
    right = replace(found, events=_events(table, found.seat, found, found.command))
    if not table.seating.plays_by_bot(found.seat):
        if found.command_id == tick_id(table.charter, found.version):
            raise Differs(found.version, f"no bot plays seat {found.seat}, but its command id is the table's")
        return right
    if not _was_due(table, found, Task.PLAY, found.seat):
        raise Differs(found.version, f"a bot plays seat {found.seat}, but could not do so yet")
    return _by_itself(table, right)


def _check_run_out(table: Table, found: Entry) -> None:
    if not _was_due(table, found, Task.RUN_OUT, found.command.seat):
        raise Differs(found.version, f"the time of seat {found.command.seat} had not run out")


def _check_abandoned(table: Table, found: Entry) -> None:
    if found.command.status == ABANDONED and not _was_due(table, found, Task.ABANDON, CHANCE):
        raise Differs(found.version, "its people had not all been gone for as long as the terms say")


def _check_missed(table: Table, found: Entry) -> None:
    if not _was_due(table, found, Task.MISS, found.command.seat):
        raise Differs(found.version, f"seat {found.command.seat} had still time to reveal, or nothing to reveal")


def _check_pause(table: Table, found: Entry) -> None:
    from_ms, to_ms = found.command.from_ms, found.command.to_ms
    since, paused = table.timed_since, table.waiting.paused_until
    if since is None or to_ms <= since or not paused <= from_ms < to_ms <= found.time_ms:
        raise Differs(found.version, "no clock can have stood still then")


def _was_due(table: Table, found: Entry, task: Task, seat: int) -> bool:
    return any((duty.task, duty.seat) == (task, seat) and duty.at_ms <= found.time_ms for duty in duties(table, NONE))


def _hosted(table: Table, found: Entry) -> tuple[Any, ...]:
    try:
        return decide(table, found.seat, found.command)
    except NoSeat:
        raise Differs(found.version, f"seat {found.command.seat} is not open") from None
    except ContributionUnfit:
        raise Differs(found.version, f"seat {found.seat} had committed itself to another contribution") from None
    except Idle:
        raise Differs(found.version, "there was nothing of that to be done") from None


def _events(table: Table, seat: int, found: Entry, command: Any) -> tuple[Any, ...]:
    game = table.charter.game
    if not isinstance(command, game.commands):
        raise Differs(found.version, f"{game.rules} has no such command as {words(command)}")
    try:
        return game.decide(table.state, seat, command)
    except Refused as refused:
        raise Differs(found.version, f"{game.rules} refuses its command: {refused}") from None


def _ended(table: Table, found: Entry, *ways: table_pb2.Status.ValueType) -> Entry:
    """Return the end that somebody gave the table, or that it gave itself."""
    status = found.command.status if found.command.status in ways else CLOSED
    if found.command.status == status and not found.command_id:
        raise Differs(found.version, "nobody has asked for the table's end, and nothing calls for it")
    command, events = end(table, status)
    right = replace(found, seat=CHANCE, command=command, events=events)
    return right if status == CLOSED else _by_itself(table, right)


def _by_the_table(table: Table, found: Entry) -> Entry:
    """Return what comes of a command that the table gave itself."""
    return _by_itself(table, replace(found, seat=CHANCE, events=_hosted(table, found)))


def _by_itself(table: Table, entry: Entry) -> Entry:
    """Return an entry as the table writes it when its time has come."""
    return replace(entry, command_id=tick_id(table.charter, entry.version))


def _due(table: Table, command: Any, events: tuple[Any, ...]) -> Entry:
    """Return what the service adds at once: in the same moment, and without a command id."""
    return Entry(table.head.version + 1, table.updated_ms, CHANCE, b"", command, events)


def _compared(found: Entry, right: Entry) -> Iterator[tuple[str, Any, Any]]:
    yield "seat", found.seat, right.seat
    yield "command", found.command, right.command
    for place, pair in enumerate(zip_longest(found.events, right.events), 1):
        yield f"event {place}", *pair
    yield "command id", found.command_id, right.command_id
    yield "time", found.time_ms, right.time_ms


def _short(value: Any) -> str:
    text = words(value)
    return text if len(text) <= WORDS_MAX else f"{text[:WORDS_MAX]}…"
