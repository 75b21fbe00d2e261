"""Table: what folding its log yields."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from google.protobuf.message import DecodeError
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.draw import SeededDraw, deal_seed
from service.entry import MEMBERS, Entry, EntryCodec
from service.games import GAMES
from service.kit.game import CHANCE, AnyGame, BadOptions, Standing
from service.log import GENESIS, Head
from service.presence import NOTES_MAX, Presence, followed
from service.seal import Roots, Seal
from service.seating import Seating, changed, seated
from service.terms import UNHURRIED, Clock, Terms
from service.terms import read as read_terms
from service.waiting import Waiting, begun, paid, stood_still, waited
from service.wire import WIRES, Malformed

NO_NAMES: Mapping[int, str] = MappingProxyType({})

FORMING, REVEALING = table_pb2.STATUS_FORMING, table_pb2.STATUS_REVEALING
RUNNING = table_pb2.STATUS_RUNNING
FINISHED, CLOSED = table_pb2.STATUS_FINISHED, table_pb2.STATUS_CLOSED
ABANDONED = table_pb2.STATUS_ABANDONED
FORFEITED, EXPIRED = table_pb2.STATUS_FORFEITED, table_pb2.STATUS_EXPIRED

COMING_AND_GOING = (entry_pb2.LeaveSeat, entry_pb2.ReturnToSeat)


class RulesUnknown(Exception):
    """The table is played by rules, or has events, that this server does not know."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Charter:
    """What a table was founded on. It never changes."""

    table_id: str
    game: AnyGame
    codec: EntryCodec
    options: Any
    founded: Seating  # as it was then
    terms: Terms
    rematch_of: str  # a table's id, or nothing
    forked_from: table_pb2.ForkedFrom | None
    spectators: bool
    root: bytes
    key_id: str
    created_ms: int

    @property
    def seats(self) -> range:
        """The seats, counted from 1."""
        return range(1, len(self.founded.chairs) + 1)


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
    waiting: Waiting
    ran_out: int  # the seat whose time has run out, if the entry that must follow is still to come; else 0
    presence: Presence
    # Version by command id. Grown in place and shared by all versions of one history: a look-up asks the newest.
    commands: dict[bytes, int]
    rematch: str = ""  # the id of the table at which they play once more, as far as is known: it stands in no entry

    @property
    def seats_to_act(self) -> tuple[int, ...]:
        """The seats that the table waits for; none once it has ended."""
        if self.status == REVEALING:
            return self.seating.to_reveal
        return self.charter.game.to_act(self.state) if self.status == RUNNING else ()

    @property
    def is_listed(self) -> bool:
        """Whether people find it in the lobby, and may take a seat."""
        return self.charter.terms.listed and self.status == FORMING

    @property
    def has_ended(self) -> bool:
        """Whether nothing can be done at it any more."""
        return self.status not in (FORMING, REVEALING, RUNNING)

    @property
    def begins(self) -> bool:
        """Whether the game must begin now, as all seats are taken and all contributions known."""
        if self.status not in (FORMING, REVEALING) or self.fails:
            return False
        return not self.seating.open_seats and not self.seating.to_reveal

    @property
    def fails(self) -> bool:
        """Whether the table must be closed now, as its terms insist on a contribution that was not revealed."""
        revealing = self.charter.terms.revealing
        if self.status != REVEALING or revealing is None or revealing.unrevealed != table_pb2.UNREVEALED_CLOSE:
            return False
        return self.seating.has_missed

    @property
    def fairness(self) -> table_pb2.Fairness.ValueType:
        """What protects the deals from being chosen; FAIRNESS_UNSPECIFIED where no game has begun."""
        if self.status != RUNNING and not self.deals:
            return table_pb2.FAIRNESS_UNSPECIFIED
        origin = self.charter.forked_from
        if not self.seating.is_joint or (origin and origin.cards == table_pb2.CARDS_KEPT):  # dealt somewhere else
            return table_pb2.FAIRNESS_COMMITTED
        return table_pb2.FAIRNESS_JOINT

    @property
    def has_clocks(self) -> bool:
        """Whether somebody may be too late."""
        return self.charter.terms.clock is not None or self.status == REVEALING

    @property
    def owed(self) -> table_pb2.TimeOut.ValueType:
        """What must follow at once, as a seat's time has run out; TIME_OUT_UNSPECIFIED where nothing must."""
        clock = self.charter.terms.clock
        if clock is None or not self.ran_out or clock.time_out == table_pb2.TIME_OUT_BOT_FROM_NOW_ON:
            return table_pb2.TIME_OUT_UNSPECIFIED
        return clock.time_out

    def deadline(self, seat: int) -> int | None:
        """Return until when a seat must act; None where there is no clock, or it is not waited for."""
        clock, since = self.charter.terms.clock, self.waiting.since.get(seat)
        if since is None:
            return None
        if self.status == REVEALING and (revealing := self.charter.terms.revealing):
            return since + revealing.within_ms
        if clock is None or self.seating.plays_by_bot(seat):
            return None
        return since + (self.waiting.left[seat - 1] if self.waiting.left else clock.per_command_ms)

    @property
    def follows_presence(self) -> bool:
        """Whether it is noted who is connected."""
        return self.charter.terms.gone_after_ms > 0 and self.presence.notes < NOTES_MAX and not self.has_ended

    @property
    def abandoned_at(self) -> int | None:
        """When the table ends if nobody comes back; None while somebody is there, or it does not end by that."""
        if self.status == FORMING or not self.follows_presence or self.seating.anybody_connected:
            return None
        return self.presence.gone_since + self.charter.terms.gone_after_ms

    @property
    def timed_since(self) -> int | None:
        """Since when something has run, at the earliest, that stands still while nobody serves."""
        clocks = self.waiting.since.values() if self.has_clocks else ()
        gone = () if self.abandoned_at is None else (self.presence.gone_since,)
        return min((*clocks, *gone), default=None)

    def draw(self) -> SeededDraw:
        """Return the chance of the next deal."""
        charter = self.charter
        return SeededDraw(deal_seed(charter.root, charter.table_id, self.deals, self.seating.contributions))

    def named(self, names: Mapping[int, str]) -> "Table":
        """Return the same table with other names at its seats."""
        return replace(self, seating=Seating(self.seating.chairs, names))

    def followed(self, rematch: str) -> "Table":
        """Return the same table, at which they play once more at another."""
        return replace(self, rematch=rematch)


@dataclass(frozen=True, slots=True)
class Step:
    """One entry, the bytes it has in the log, and the table it led to."""

    entry: Entry
    data: bytes
    table: Table


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
        table = founded(table_id, created, roots, first.time_ms, names)
    except (DecodeError, Malformed, BadOptions) as error:
        raise RulesUnknown(f"{table_id} is played with other options than there are here") from error
    return advance(table, data)


def founded(
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
        founded=seated(created, names),
        terms=read_terms(created.terms) if created.HasField("terms") else UNHURRIED,  # the first logs had none
        rematch_of=created.rematch_of,
        forked_from=created.forked_from if created.HasField("forked_from") else None,
        spectators=created.spectators,
        root=root,
        key_id=created.key_id,
        created_ms=now_ms,
    )
    status = FORMING if created.open_seats else REVEALING if charter.founded.is_hiding else RUNNING
    waiting = begun(charter.terms.clock, len(created.contributions))
    return Table(charter, GENESIS, charter.founded, state, status, (), now_ms, 0, waiting, 0, Presence(now_ms), {})


def advance(table: Table, data: bytes) -> Step:
    """Fold the next entry of a log."""
    try:
        entry = table.charter.codec.read(data)
    except (DecodeError, Malformed, AttributeError) as error:
        raise RulesUnknown(
            f"{table.charter.table_id} has an entry after version {table.head.version} that cannot be read"
        ) from error
    return Step(entry, data, follow(table, entry, data))


def follow(table: Table, entry: Entry, data: bytes) -> Table:  # noqa: C901 - one case for each kind of event
    """Return the table that an entry leads to."""
    evolve, state, status, standings = table.charter.game.evolve, table.state, table.status, table.standings
    seating, waiting, dealt, ran_out = table.seating, table.waiting, False, 0
    presence = table.presence
    dealer = entry.seat == CHANCE and not isinstance(entry.command, entry_pb2.SetPosition)
    for event in entry.events:
        if type(event) not in MEMBERS:  # the game's, as nearly all are
            state, dealt = evolve(state, event), dealer
            continue
        match event:
            case entry_pb2.TableEnded():
                status = event.status
                standings = tuple(Standing(line.seat, line.rank, line.score) for line in event.standings)
            case (
                entry_pb2.SeatTaken()
                | entry_pb2.SeatLeft()
                | entry_pb2.SeatResumed()
                | entry_pb2.BotSeated()
                | entry_pb2.ContributionRevealed()
                | entry_pb2.ContributionMissed()
                | entry_pb2.PresenceNoted()
            ):
                seating = changed(seating, event, entry.version, forming=status == FORMING)
            case entry_pb2.TableStarted():
                status = RUNNING
            case entry_pb2.ClockRanOut():
                ran_out = event.seat
            case entry_pb2.ClocksPaused():
                waiting = stood_still(waiting, event.from_ms, event.to_ms)
            case _:  # TableCreated: the table was founded on it; PositionSet: the game's events tell it
                pass
    if entry.command_id:
        table.commands[entry.command_id] = entry.version
    status = REVEALING if status == FORMING and seating.is_hiding else status
    timed = status == RUNNING and (table.charter.terms.clock is not None or seating.has_bots)
    if table.charter.terms.gone_after_ms:
        presence = followed(presence, entry, table.seating, seating)
    if status == REVEALING:
        waiting = _waited_to_reveal(waiting, entry, seating)
    elif not presence.newest:  # who is connected or not moves no clock
        waiting = _waited(table, waiting, entry, seating, state if timed else None)
    return Table(
        table.charter,
        table.head.after(table.charter.table_id, data),
        seating,
        state,
        status,
        standings,
        entry.time_ms,
        table.deals + dealt,
        waiting,
        ran_out,
        presence,
        table.commands,
    )


def _waited_to_reveal(waiting: Waiting, entry: Entry, seating: Seating) -> Waiting:
    """Return what the clocks show while contributions are hidden: nobody has more time by leaving and coming back."""
    hiding = seating.to_reveal
    return waited(waiting, hiding, waiting.since.keys() & hiding, entry.time_ms)


def _waited(table: Table, waiting: Waiting, entry: Entry, seating: Seating, state: Any | None) -> Waiting:
    """Return what the clocks show after an entry; there is no state where nothing is timed."""
    if state is None and not waiting.since:
        return waiting
    clock, game = table.charter.terms.clock, table.charter.game
    if clock:
        waiting = _paid(table, waiting, clock, entry, seating)
    to_act = () if state is None else game.to_act(state)
    kept = [other for other in to_act if other in waiting.since]
    if clock and isinstance(entry.command, COMING_AND_GOING):  # which gives nobody more time
        return waited(waiting, to_act, kept, entry.time_ms)
    taken_over = {event.seat for event in entry.events if isinstance(event, entry_pb2.SeatLeft)}
    kept = [other for other in kept if other not in (entry.seat, *taken_over)]
    if game.races:  # people wait for anybody, and bots for something new that they might do
        kept = [bot for bot in kept if seating.plays_by_bot(bot) and _as_before(game, table.state, state, bot)]
    return waited(waiting, to_act, kept, entry.time_ms)


def _paid(table: Table, waiting: Waiting, clock: Clock, entry: Entry, seating: Seating) -> Waiting:
    """Take their time from people who were waited for and have given a command, or for whom a bot stands in now."""
    gave = entry.seat if isinstance(entry.command, table.charter.game.commands) else CHANCE
    for seat in waiting.since if waiting.left else ():
        if not table.seating.plays_by_bot(seat) and (seat == gave or seating.plays_by_bot(seat)):
            waiting = paid(waiting, seat, entry.time_ms, clock.increment_ms if seat == gave else 0)
    return waiting


def _as_before(game: AnyGame, before: Any, after: Any, seat: int) -> bool:
    """Whether a seat may do what it could do before, and nothing else."""
    return before is after or tuple(game.legal(before, seat)) == tuple(game.legal(after, seat))


def with_commands(table: Table, commands: dict[bytes, int]) -> Table:
    """Return the same table with other command ids; `dataclasses.replace` takes five times as long."""
    return Table(
        table.charter,
        table.head,
        table.seating,
        table.state,
        table.status,
        table.standings,
        table.updated_ms,
        table.deals,
        table.waiting,
        table.ran_out,
        table.presence,
        commands,
    )
