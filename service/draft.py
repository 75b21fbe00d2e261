"""Draft: what a command would add to a table's log."""

import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from stammtisch.table.v1 import entry_pb2, table_pb2

from service.entry import Entry
from service.fold import (
    CLOSED,
    FINISHED,
    FORFEITED,
    FORMING,
    RUNNING,
    Charter,
    Step,
    Table,
    follow,
    founded,
    with_commands,
)
from service.hosting import Idle, dealers, decide, end, forfeited
from service.kit.game import CHANCE, AnyGame, Standing
from service.seal import MasterKeys, commitment
from service.seating import ANY
from service.terms import UNHURRIED, Terms, written
from service.wire import WIRES

Choose = Callable[[Table, int], Any]
"""Returns what a bot does for a seat of a table."""

Sitting = tuple[int, int]
"""A seat, and since which version its person has had it."""

CONSEQUENCES_MAX = 64  # entries that one command may bring about by chance and by ending the game


@dataclass(frozen=True, slots=True)
class Founding:
    """What somebody wants a new table to be."""

    game: AnyGame
    options: Any
    contributions: tuple[bytes, ...]
    spectators: bool
    names: Mapping[int, str] = field(default_factory=dict)
    open_seats: tuple[int, ...] = ()
    bots: Mapping[int, table_pb2.BotStrength.ValueType] = field(default_factory=dict)
    terms: Terms = UNHURRIED
    commitments: tuple[bytes, ...] = ()  # of all seats, where contributions are revealed
    rematch_of: str = ""  # a table's id
    forked_from: table_pb2.ForkedFrom | None = None


def found(table_id: str, founding: Founding, keys: MasterKeys, now_ms: int, position: Sequence[Any] = ()) -> "Draft":
    """Draft a new table: its first entry, in a fork the position that events had led to, and the first deal."""
    game = founding.game
    created = entry_pb2.TableCreated(
        game=game.name,
        options=WIRES[game.name].encode(founding.options).SerializeToString(deterministic=True),
        contributions=founding.contributions,
        spectators=founding.spectators,
        commitment=commitment(keys.root(table_id, keys.newest)),
        key_id=keys.newest,
        open_seats=founding.open_seats,
        terms=written(founding.terms),
        bots=[entry_pb2.BotSeated(seat=seat, bot=bot) for seat, bot in sorted(founding.bots.items())],
        commitments=founding.commitments,
        rematch_of=founding.rematch_of,
        forked_from=founding.forked_from,
    )
    draft = Draft(founded(table_id, created, keys, now_ms, founding.names), now_ms)
    draft.names.update(founding.names)
    draft.add(CHANCE, b"", entry_pb2.CreateTable(), (created,))
    if founding.forked_from:
        draft.add(CHANCE, b"", entry_pb2.SetPosition(), (entry_pb2.PositionSet(), *position))
    draft.add_consequences()
    return draft


class Draft:
    """Entries that are not yet in the log, and the tables they lead to."""

    def __init__(self, table: Table, now_ms: int) -> None:
        self.seen = table.head
        self.steps: list[Step] = []
        self.entries: list[bytes] = []
        self.names: dict[int, str] = {}  # to be kept beside the entries
        # A draft may come to nothing, so its command ids must not reach the table it was made from.
        self._table = with_commands(table, {})
        self.now_ms = max(now_ms, table.updated_ms)  # clocks of two servers differ; the log's time never runs back

    @property
    def table(self) -> Table:
        """The table that the draft leads to."""
        return self._table

    def committed(self, seen: Table | None) -> Table:
        """Return the table that the draft led to, with the command ids of the table it was made from."""
        if seen is None:
            return self._table
        seen.commands.update(self._table.commands)
        return with_commands(self._table, seen.commands)

    def add(self, seat: int, command_id: bytes, command: Any, events: tuple[Any, ...]) -> None:
        """Add what was decided."""
        entry = Entry(self._table.head.version + 1, self.now_ms, seat, command_id, command, events)
        data = self._table.charter.codec.write(entry)
        self._table = follow(self._table, entry, data)
        self.entries.append(data)
        self.steps.append(Step(entry, data, self._table))

    def add_own(self, seat: int, command_id: bytes, command: Any) -> None:
        """Add what comes of a command of the table's own, or raise Idle, NoSeat or ContributionUnfit."""
        events = decide(self._table, seat, command)
        self.add(seat, command_id, command, events)

    def add_sitting_down(self, command_id: bytes, wanted: entry_pb2.TakeSeat, name: str) -> None:
        """Let somebody sit down, or raise NoSeat."""
        (event,) = decide(self._table, ANY, wanted)
        self._name(event.seat, name)
        self.add(event.seat, command_id, wanted, (event,))

    def add_leaving(self, seat: int, command_id: bytes) -> None:
        """Let somebody leave, or raise Idle."""
        if self._table.status == FORMING:
            self._name(seat, "")
        self.add_own(seat, command_id, entry_pb2.LeaveSeat())

    def add_run_out(self, seat: int) -> None:
        """Let a seat's time run out, and do what the terms say for that case; a bot's command is left to be added."""
        self.add_own(CHANCE, self._tick_id(), entry_pb2.RunOutClock(seat=seat))
        game, state = self._table.charter.game, self._table.state
        match self._table.owed:
            case table_pb2.TIME_OUT_DEFAULT_COMMAND:
                self._play(seat, b"", game.default(state, seat))
            case table_pb2.TIME_OUT_FORFEIT:
                self.add_end(FORFEITED, forfeited(game.so_far(state), seat))
            case _:  # a bot plays: at once, or from now on when it has thought
                pass

    def add_bots_command(self, seat: int, choose: Choose) -> None:
        """Let a bot play, at its own time or because it must follow that a seat's time has run out."""
        self._play(seat, b"" if self._table.owed else self._tick_id(), choose(self._table, seat))

    def add_miss(self, seat: int) -> None:
        """Wait no longer for a seat's contribution."""
        self.add_own(CHANCE, self._tick_id(), entry_pb2.MissReveal(seat=seat))

    def add_pause(self, from_ms: int, to_ms: int) -> None:
        """Stop all clocks for a time that has passed, even if that is later than what waits to be drafted came."""
        self.now_ms = max(self.now_ms, to_ms)
        self.add_own(CHANCE, self._tick_id(), entry_pb2.PauseClocks(from_ms=from_ms, to_ms=to_ms))

    def add_presence(self, process: bytes, there: Collection[Sitting]) -> None:
        """Note who is connected through a process and who no longer is, where the log says otherwise."""
        for seat, chair in enumerate(self._table.seating.chairs, 1):
            note = entry_pb2.NotePresence(seat=seat, process=process, connected=(seat, chair.since) in there)
            with suppress(Idle):
                self.add_own(CHANCE, self._tick_id(), note)

    def add_consequences(self) -> None:
        """Add the game's beginning, what the dealer does now, and the table's end if the game is over."""
        charter = self._table.charter
        if self._table.begins:
            self.add_own(CHANCE, b"", entry_pb2.StartTable())
        elif self._table.fails:
            self.add_end(CLOSED)
        if self._table.status != RUNNING:
            return
        for _ in range(CONSEQUENCES_MAX):
            command = dealers(self._table)
            if command is None:
                break
            self._play(CHANCE, b"", command)
        else:
            raise RuntimeError(f"{charter.game.name}: there is no end of what the dealer does")
        if standings := charter.game.standings(self._table.state):
            self.add_end(FINISHED, standings)

    def add_end(
        self, status: table_pb2.Status.ValueType, standings: Sequence[Standing] = (), command_id: bytes = b""
    ) -> None:
        """Add the table's end, which reveals its root."""
        self.add(CHANCE, command_id, *end(self._table, status, standings))

    def add_end_by_itself(self, status: table_pb2.Status.ValueType) -> None:
        """Add the table's end when its time has come."""
        self.add_end(status, command_id=self._tick_id())

    def _play(self, seat: int, command_id: bytes, command: Any) -> None:
        game, state = self._table.charter.game, self._table.state
        self.add(seat, command_id, command, game.decide(state, seat, command))

    def _name(self, seat: int, name: str) -> None:
        self.names[seat] = name
        self._table = self._table.named({**self._table.seating.names, seat: name})

    def _tick_id(self) -> bytes:
        return tick_id(self._table.charter, self._table.head.version + 1)


def tick_id(charter: Charter, version: int) -> bytes:
    """Return the command id of what a table does by itself. Nobody can foresee it, and use it before the table."""
    where = b"stammtisch/tick/1" + charter.table_id.encode() + version.to_bytes(8, "big")
    return hmac.digest(charter.root, where, "sha256")[:16]
