"""Table: what folding its log yields; and Draft: what a command would add to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from google.protobuf.message import DecodeError
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.draw import SeededDraw, deal_seed
from service.entry import Entry, EntryCodec
from service.games import GAMES
from service.kit.game import CHANCE, AnyGame, BadOptions, Standing
from service.log import GENESIS, Head
from service.seal import MasterKeys, Roots, Seal, commitment
from service.seating import Seating, seated, take, taken
from service.wire import WIRES, Malformed

NO_NAMES: Mapping[int, str] = MappingProxyType({})
CONSEQUENCES_MAX = 64  # entries that one command may bring about by chance and by ending the game

FORMING, RUNNING = table_pb2.STATUS_FORMING, table_pb2.STATUS_RUNNING
FINISHED, CLOSED = table_pb2.STATUS_FINISHED, table_pb2.STATUS_CLOSED


class RulesUnknown(Exception):
    """The table is played by rules, or has events, that this server does not know."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Charter:
    """What a table was founded on. It never changes."""

    table_id: str
    game: AnyGame
    codec: EntryCodec
    options: Any
    contributions: tuple[bytes, ...]  # of those who sat there from the beginning
    open_seats: tuple[int, ...]  # then
    spectators: bool
    root: bytes
    key_id: str
    created_ms: int

    @property
    def seats(self) -> range:
        """The seats, counted from 1."""
        return range(1, len(self.contributions) + 1)


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one version."""

    charter: Charter
    head: Head
    seating: Seating
    state: Any
    status: table_pb2.Status.ValueType
    standings: tuple[Standing, ...]
    updated_ms: int
    deals: int
    # Version by command id. Grown in place and shared by all versions of one history: a look-up asks the newest.
    commands: dict[bytes, int]

    @property
    def seats_to_act(self) -> tuple[int, ...]:
        """The seats that the table waits for; none once it has ended."""
        return self.charter.game.to_act(self.state) if self.status == RUNNING else ()

    @property
    def has_ended(self) -> bool:
        """Whether nothing can be done at it any more."""
        return self.status in (FINISHED, CLOSED)

    def draw(self) -> SeededDraw:
        """Return the chance of the next deal."""
        charter = self.charter
        return SeededDraw(deal_seed(charter.root, charter.table_id, self.deals, self.seating.contributions))

    def named(self, names: Mapping[int, str]) -> "Table":
        """Return the same table with other names at its seats."""
        return replace(self, seating=Seating(self.seating.chairs, names))


@dataclass(frozen=True, slots=True)
class Step:
    """One entry, the bytes it has in the log, and the table it led to."""

    entry: Entry
    data: bytes
    table: Table


@dataclass(frozen=True, slots=True)
class Founding:
    """What somebody wants a new table to be."""

    game: AnyGame
    options: Any
    contributions: tuple[bytes, ...]
    spectators: bool
    names: Mapping[int, str] = field(default_factory=dict)
    open_seats: tuple[int, ...] = ()


def found(table_id: str, founding: Founding, keys: MasterKeys, now_ms: int) -> "Draft":
    """Draft a new table: its first entry, and the first deal."""
    game = founding.game
    created = entry_pb2.TableCreated(
        game=game.name,
        options=WIRES[game.name].encode(founding.options).SerializeToString(deterministic=True),
        contributions=founding.contributions,
        spectators=founding.spectators,
        commitment=commitment(keys.root(table_id, keys.newest)),
        key_id=keys.newest,
        open_seats=founding.open_seats,
    )
    draft = Draft(_founded(table_id, created, keys, now_ms, founding.names), now_ms)
    draft.names.update(founding.names)
    draft.add(CHANCE, b"", entry_pb2.CreateTable(), (created,))
    draft.add_consequences()
    return draft


def begin(table_id: str, data: bytes, roots: Roots, names: Mapping[int, str] = NO_NAMES) -> Step:
    """Fold the first entry of a log."""
    try:
        first = entry_pb2.Entry.FromString(data)
        created = first.events[0].table.table_created
    except (DecodeError, IndexError) as error:
        raise RulesUnknown(f"{table_id} begins with something else than its creation") from error
    game = GAMES.get(created.game)
    if game is None or first.rules != game.rules:
        raise RulesUnknown(f"{table_id} is played by {first.rules}")
    try:
        table = _founded(table_id, created, roots, first.time_ms, names)
    except (DecodeError, Malformed, BadOptions) as error:
        raise RulesUnknown(f"{table_id} is played with other options than there are here") from error
    return advance(table, data)


def _founded(
    table_id: str, created: entry_pb2.TableCreated, roots: Roots, now_ms: int, names: Mapping[int, str]
) -> Table:
    """Return the table before its first entry."""
    game, wire = GAMES[created.game], WIRES[created.game]
    options = wire.decode(wire.messages.Options.FromString(created.options))
    state = game.start(options, len(created.contributions))
    root = roots.root(table_id, created.key_id)
    charter = Charter(
        table_id=table_id,
        game=game,
        codec=EntryCodec(table_id, game, wire, Seal(root, table_id)),
        options=options,
        contributions=tuple(created.contributions),
        open_seats=tuple(created.open_seats),
        spectators=created.spectators,
        root=root,
        key_id=created.key_id,
        created_ms=now_ms,
    )
    status = FORMING if created.open_seats else RUNNING
    return Table(charter, GENESIS, seated(created, names), state, status, (), now_ms, 0, {})


def advance(table: Table, data: bytes) -> Step:
    """Fold the next entry of a log."""
    try:
        entry = table.charter.codec.read(data)
    except (DecodeError, Malformed, AttributeError) as error:
        raise RulesUnknown(
            f"{table.charter.table_id} has an entry after version {table.head.version} that cannot be read"
        ) from error
    return Step(entry, data, _follow(table, entry, data))


def _follow(table: Table, entry: Entry, data: bytes) -> Table:
    evolve, state, status, standings = table.charter.game.evolve, table.state, table.status, table.standings
    seating, dealt = table.seating, False
    for event in entry.events:
        match event:
            case entry_pb2.TableCreated():
                pass
            case entry_pb2.TableEnded():
                status = event.status
                standings = tuple(Standing(line.seat, line.rank, line.score) for line in event.standings)
            case entry_pb2.SeatTaken():
                seating = taken(seating, event)
            case entry_pb2.TableStarted():
                status = RUNNING
            case _:
                state, dealt = evolve(state, event), entry.seat == CHANCE
    if entry.command_id:
        table.commands[entry.command_id] = entry.version
    return Table(
        table.charter,
        table.head.after(table.charter.table_id, data),
        seating,
        state,
        status,
        standings,
        entry.time_ms,
        table.deals + dealt,
        table.commands,
    )


def _with_commands(table: Table, commands: dict[bytes, int]) -> Table:
    """Return the same table with other command ids; `dataclasses.replace` takes five times as long."""
    charter, state, standings = table.charter, table.state, table.standings
    return Table(
        charter, table.head, table.seating, state, table.status, standings, table.updated_ms, table.deals, commands
    )


class Draft:
    """Entries that are not yet in the log, and the tables they lead to."""

    def __init__(self, table: Table, now_ms: int) -> None:
        self.seen = table.head
        self.steps: list[Step] = []
        self.entries: list[bytes] = []
        self.names: dict[int, str] = {}  # to be kept beside the entries
        # A draft may come to nothing, so its command ids must not reach the table it was made from.
        self._table = _with_commands(table, {})
        self._now_ms = max(now_ms, table.updated_ms)  # clocks of two servers differ; the log's time never runs back

    @property
    def table(self) -> Table:
        """The table that the draft leads to."""
        return self._table

    def committed(self, seen: Table | None) -> Table:
        """Return the table that the draft led to, with the command ids of the table it was made from."""
        if seen is None:
            return self._table
        seen.commands.update(self._table.commands)
        return _with_commands(self._table, seen.commands)

    def add(self, seat: int, command_id: bytes, command: Any, events: tuple[Any, ...]) -> None:
        """Add what was decided."""
        entry = Entry(self._table.head.version + 1, self._now_ms, seat, command_id, command, events)
        data = self._table.charter.codec.write(entry)
        self._table = _follow(self._table, entry, data)
        self.entries.append(data)
        self.steps.append(Step(entry, data, self._table))

    def add_sitting_down(self, command_id: bytes, wanted: entry_pb2.TakeSeat, name: str) -> None:
        """Let somebody sit down, or raise NoSeat."""
        event = take(self._table.seating, wanted)
        self.names[event.seat] = name
        self._table = self._table.named({**self._table.seating.names, event.seat: name})
        self.add(event.seat, command_id, wanted, (event,))

    def add_consequences(self) -> None:
        """Add what the dealer does now, and the table's end if the game is over."""
        charter = self._table.charter
        if self._table.status == FORMING:
            if self._table.seating.open_seats:
                return
            self.add(CHANCE, b"", entry_pb2.StartTable(), (entry_pb2.TableStarted(),))
        for _ in range(CONSEQUENCES_MAX):
            command = charter.game.chance(self._table.state, self._table.draw())
            if command is None:
                break
            self.add(CHANCE, b"", command, charter.game.decide(self._table.state, CHANCE, command))
        else:
            raise RuntimeError(f"{charter.game.name}: there is no end of what the dealer does")
        if standings := charter.game.standings(self._table.state):
            self.add_end(FINISHED, standings)

    def add_end(
        self, status: table_pb2.Status.ValueType, standings: tuple[Standing, ...], command_id: bytes = b""
    ) -> None:
        """Add the table's end, which reveals its root."""
        ended = entry_pb2.TableEnded(
            status=status,
            root=self._table.charter.root,
            standings=[table_pb2.Standing(seat=line.seat, rank=line.rank, score=line.score) for line in standings],
        )
        self.add(CHANCE, command_id, entry_pb2.EndTable(status=status), (ended,))
