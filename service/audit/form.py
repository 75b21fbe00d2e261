"""Form: what an entry must be like, as far as everybody can see without the table's root."""

from collections.abc import Mapping
from typing import Any

from google.protobuf.message import DecodeError, Message
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit.sealed import Sealed
from service.audit.trouble import Differs, Unusable
from service.draw import COMMITMENT_BYTES, CONTRIBUTION_BYTES, committed
from service.entry import TABLE_ID, Entry, TableMessage
from service.fork import POSITION_EVENTS_MAX
from service.games import GAMES
from service.kit.game import CHANCE, AnyGame, BadOptions
from service.presence import PROCESS_BYTES
from service.seal import BLOCK_BYTES, KEY_BYTES, NONCE_BYTES
from service.shard import shard
from service.terms import REVEAL_WITHIN_SECONDS, Clock, read
from service.wire import WIRES, Malformed

COMMAND_ID_BYTES = 16
STRENGTHS = (table_pb2.BOT_STRENGTH_RANDOM, table_pb2.BOT_STRENGTH_STEADY)
TIME_OUTS = table_pb2.TimeOut.values()[1:]
CONTRIBUTIONS = table_pb2.Contributions.values()[1:]
UNREVEALED = table_pb2.Unrevealed.values()[1:]
TAG_BYTES = 16  # of a box, after the encrypted fact
TIME_MAX_MS = 253_402_300_800_000  # the year 10000
HASH_BYTES = 32
CARDS = (table_pb2.CARDS_KEPT, table_pb2.CARDS_REDEALT)
SECOND = 2  # the version in which a fork's position is set
FOUNDING = (entry_pb2.CreateTable, entry_pb2.TableCreated)
SHAPES: Mapping[type[Any], tuple[tuple[type[Any], ...], ...]] = {  # of the table's own commands: what may come of them
    entry_pb2.TakeSeat: ((entry_pb2.SeatTaken,),),
    entry_pb2.LeaveSeat: ((entry_pb2.SeatLeft,),),
    entry_pb2.ReturnToSeat: ((entry_pb2.SeatResumed,),),
    entry_pb2.StartTable: ((entry_pb2.TableStarted,), (entry_pb2.BotSeated,)),
    entry_pb2.Reveal: ((entry_pb2.ContributionRevealed,),),
    entry_pb2.MissReveal: ((entry_pb2.ContributionMissed,),),
    entry_pb2.RunOutClock: ((entry_pb2.ClockRanOut,), (entry_pb2.ClockRanOut, entry_pb2.SeatLeft)),
    entry_pb2.PauseClocks: ((entry_pb2.ClocksPaused,),),
    entry_pb2.NotePresence: ((entry_pb2.PresenceNoted,),),
    entry_pb2.EndTable: ((entry_pb2.TableEnded,),),
}
OF_SEATS = (entry_pb2.TakeSeat, entry_pb2.LeaveSeat, entry_pb2.ReturnToSeat, entry_pb2.Reveal)
BY_ITSELF = (entry_pb2.RunOutClock, entry_pb2.PauseClocks, entry_pb2.MissReveal, entry_pb2.NotePresence)


class Reader:
    """Reads the entries of one table in order, and raises Differs at the first that is not in form."""

    def __init__(self, table_id: str, first: entry_pb2.Entry) -> None:
        """Take the first entry, which says what is played."""
        created = first.events[0].table.table_created if first.events else entry_pb2.TableCreated()
        self.created = created
        self.game = _game(created.game, first.rules)
        self._wire = WIRES[self.game.name]
        self._table_id = table_id
        self._version = 0
        self._time_ms = 0
        self._command_ids: dict[bytes, int] = {}
        self._commitments = dict(enumerate(created.commitments, 1))
        self._ended = False
        self._ran_out = 0  # the seat whose time ran out in the entry before

    def read(self, message: entry_pb2.Entry, data: bytes) -> Entry:
        """Return the next entry; what is sealed stays so."""
        self._version += 1
        self._envelope(message, data)
        entry = Entry(
            version=message.version,
            time_ms=message.time_ms,
            seat=message.seat,
            command_id=message.command_id,
            command=self._fact(0, message.command),
            events=tuple(self._fact(place, fact) for place, fact in enumerate(message.events, 1)),
        )
        self._kind(entry)
        self._sender(entry)
        return entry

    def _envelope(self, message: entry_pb2.Entry, data: bytes) -> None:
        known = entry_pb2.Entry.FromString(data)
        known.DiscardUnknownFields()
        if known.SerializeToString(deterministic=True) != data:
            raise self._differs("its bytes are not the canonical encoding of an Entry")
        if self._ended:
            raise self._differs("it follows the table's end")
        if message.table_id != self._table_id:
            raise self._differs("it belongs to another table")
        if message.version != self._version:
            raise self._differs(f"it says that it is version {message.version}")
        if message.rules != self.game.rules:
            raise self._differs("it was decided by other rules than the first entry")
        if not self._time_ms <= message.time_ms < TIME_MAX_MS:
            raise self._differs("its time runs back, or is out of all bounds")
        self._time_ms = message.time_ms

    def _kind(self, entry: Entry) -> None:
        """Check that the table's own facts stand where they may."""
        command, events = type(entry.command), tuple(map(type, entry.events))
        if entry.version == 1:
            if (command, *events) != FOUNDING:
                raise self._differs("it is not the table's creation")
            self._founding()
            return
        if not any(issubclass(kind, TableMessage) for kind in (command, *events)):
            return
        if command is entry_pb2.SetPosition:
            self._position(entry.version, events)
            return
        if tuple(dict.fromkeys(events)) not in SHAPES.get(command, ()):
            raise self._differs("it has facts of the table that do not belong there")
        self._ended = command is entry_pb2.EndTable
        self._facts(entry)

    def _facts(self, entry: Entry) -> None:
        for event in entry.events:
            if isinstance(event, entry_pb2.SeatTaken):
                self._sits_down(event.seat, event.contribution, event.commitment)
                self._again(event)
            elif isinstance(event, entry_pb2.ContributionRevealed):
                self._reveals(event)
            elif isinstance(event, entry_pb2.BotSeated):
                self._strength(event.bot)
            elif isinstance(event, entry_pb2.PresenceNoted):
                self._presence(entry.seat, entry.command, event)

    def _founding(self) -> None:
        created = self.created
        if not created.key_id or not created.key_id.isprintable():
            raise self._differs("it does not name the key that the table was created under")
        if len(created.commitment) != KEY_BYTES:
            raise self._differs("it does not commit to a root")
        if len(created.contributions) not in self.game.seats:
            raise self._differs("the game is not for so many seats")
        self._open_seats()
        self._bots()
        self._rematch()
        self._fork()
        self._terms()
        self._people()
        self._options()

    def _people(self) -> None:
        contributions, reveals = self.created.contributions, self._is_revealing()
        if len(self.created.commitments) != (len(contributions) if reveals else 0):
            raise self._differs("it has commitments for another number of seats")
        bots = {seated.seat for seated in self.created.bots}
        for seat, contribution in enumerate(contributions, 1):
            commitment = self._commitments.get(seat, b"")
            if seat not in bots and seat not in self.created.open_seats:
                self._sits_down(seat, contribution, commitment)
            elif commitment:
                raise self._differs(f"nobody sits on seat {seat}, but it has committed itself to a contribution")

    def _sits_down(self, seat: int, contribution: bytes, commitment: bytes) -> None:
        """Check that somebody contributes in the way of the terms."""
        self._commitments[seat] = commitment
        if len(contribution) not in ((0,) if self._is_revealing() else (0, CONTRIBUTION_BYTES)):
            raise self._differs("a seat's contribution has a wrong length")
        if len(commitment) != (COMMITMENT_BYTES if self._is_revealing() else 0):
            raise self._differs("a seat's commitment has a wrong length")

    def _reveals(self, event: entry_pb2.ContributionRevealed) -> None:
        if len(event.contribution) != CONTRIBUTION_BYTES:
            raise self._differs("a seat's contribution has a wrong length")
        if self._commitments.get(event.seat) != committed(event.contribution):
            raise self._differs(f"seat {event.seat} had committed itself to another contribution")

    def _is_revealing(self) -> bool:
        return self.created.terms.contributions == table_pb2.CONTRIBUTIONS_REVEALED

    def _open_seats(self) -> None:
        given, seats = self.created.contributions, list(self.created.open_seats)
        if seats != sorted(seats) or not {*seats} <= {*range(1, len(given) + 1)} or len({*seats}) < len(seats):
            raise self._differs("its open seats are none of the table's, or not in order")
        if any(given[seat - 1] for seat in seats):
            raise self._differs("nobody sits on an open seat, but it has a contribution")

    def _bots(self) -> None:
        seats = [seated.seat for seated in self.created.bots]
        people = {*range(1, len(self.created.contributions) + 1)} - {*self.created.open_seats}
        if seats != sorted({*seats}) or not {*seats} <= people:
            raise self._differs("its bots sit on none of the table's seats, or are not in order")
        for seated in self.created.bots:
            self._strength(seated.bot)
            if self.created.contributions[seated.seat - 1]:
                raise self._differs("a bot sits there, but it has a contribution")

    def _rematch(self) -> None:
        """Check that a rematch can be one: nobody was put there, and it lies beside the table before."""
        before, seats = self.created.rematch_of, len(self.created.contributions)
        if not before:
            return
        if TABLE_ID.fullmatch(before) is None or before == self._table_id or shard(before) != shard(self._table_id):
            raise self._differs("it is the rematch of a table that it cannot be the rematch of")
        if len(self.created.open_seats) + len(self.created.bots) < seats:
            raise self._differs("it is a rematch, but somebody sits there without having come")

    def _fork(self) -> None:
        origin = self.created.forked_from
        if not self.created.HasField("forked_from"):
            return
        if TABLE_ID.fullmatch(origin.table_id) is None or origin.table_id == self._table_id or self.created.rematch_of:
            raise self._differs("it is the fork of a table that it cannot be the fork of")
        if origin.version < 1 or len(origin.head_hash) != HASH_BYTES or origin.cards not in CARDS:
            raise self._differs("it does not say from where the fork goes on")

    def _position(self, version: int, events: tuple[type[Any], ...]) -> None:
        if version != SECOND or not self.created.HasField("forked_from"):
            raise self._differs("it sets a position where there is none to be set")
        first, *others = events or (None,)
        if first is not entry_pb2.PositionSet or any(issubclass(kind, TableMessage) for kind in others):
            raise self._differs("it has facts of the table that do not belong there")
        if len(others) > POSITION_EVENTS_MAX:
            raise self._differs(f"its position has more than {POSITION_EVENTS_MAX} events")

    def _again(self, taken: entry_pb2.SeatTaken) -> None:
        if taken.again and not self.created.rematch_of:
            raise self._differs("somebody had the seat before, but the table is no rematch")

    def _strength(self, bot: table_pb2.BotStrength.ValueType) -> None:
        if bot not in STRENGTHS:
            raise self._differs("it has a bot that nobody knows")

    def _presence(self, sender: int, note: entry_pb2.NotePresence, noted: entry_pb2.PresenceNoted) -> None:
        if not self.created.terms.HasField("gone_after"):
            raise self._differs("it notes who is connected, which the terms do not ask for")
        if sender != CHANCE:
            raise self._differs("it notes who is connected, which only the table itself does")
        if note.seat not in range(1, len(self.created.contributions) + 1) or len(note.process) != PROCESS_BYTES:
            raise self._differs("it notes a connection that no seat can have")
        if (note.seat, note.process, note.connected) != (noted.seat, noted.process, noted.connected):
            raise self._differs("it notes something else about a connection than it was to note")

    def _terms(self) -> None:
        terms = read(self.created.terms)
        if self.created.HasField("terms") and terms.stand_in not in STRENGTHS:
            raise self._differs("its terms name a bot that nobody knows")
        if terms.thinking_ms < 0 or (terms.clock and not _runs(terms.clock, races=self.game.races)):
            raise self._differs("its terms give times that no table can have")
        self._revealing()

    def _revealing(self) -> None:
        terms = self.created.terms
        if terms.contributions and terms.contributions not in CONTRIBUTIONS:
            raise self._differs("people contribute in a way that nobody knows")
        if self._is_revealing() and terms.unrevealed not in UNREVEALED:
            raise self._differs("it does not say what happens when nothing is revealed")
        if self._is_revealing() and terms.reveal_within.ToSeconds() not in REVEAL_WITHIN_SECONDS:
            raise self._differs("it leaves too little or too much time to reveal")

    def _options(self) -> None:
        try:
            options = self._wire.decode(self._wire.messages.Options.FromString(self.created.options))
            self.game.start(options, len(self.created.contributions))
        except (DecodeError, Malformed, BadOptions) as error:
            raise self._differs(f"its options cannot be played: {error}") from None
        if _encoded(self._wire.encode(options)) != self.created.options:
            raise self._differs("the bytes of its options are not the canonical encoding")

    def _sender(self, entry: Entry) -> None:
        seat, command_id = entry.seat, entry.command_id
        if seat not in range(len(self.created.contributions) + 1):
            raise self._differs(f"there is no seat {seat}")
        if isinstance(entry.command, TableMessage) and bool(seat) != isinstance(entry.command, OF_SEATS):
            raise self._differs(f"seat {seat} cannot give such a command")
        wanted = self._lengths(entry)
        if len(command_id) not in wanted:
            raise self._differs(f"its command id has {len(command_id)} bytes instead of {wanted[0]}")
        if command_id and self._command_ids.setdefault(command_id, entry.version) != entry.version:
            raise self._differs(f"it has the command id of version {self._command_ids[command_id]}")
        self._ran_out = entry.command.seat if tuple(map(type, entry.events)) == (entry_pb2.ClockRanOut,) else 0

    def _lengths(self, entry: Entry) -> tuple[int, ...]:
        """Return how long the command id may be."""
        if isinstance(entry.command, BY_ITSELF):
            return (COMMAND_ID_BYTES,)
        if isinstance(entry.command, entry_pb2.EndTable):  # what a game or a forfeit calls for has none
            return (0, COMMAND_ID_BYTES)
        if isinstance(entry.command, entry_pb2.StartTable):  # an admin's has, who gives seats to bots; the dealer's not
            return (COMMAND_ID_BYTES,) if isinstance(entry.events[0], entry_pb2.BotSeated) else (0,)
        if entry.seat in (CHANCE, self._ran_out):
            return (0,)
        return (COMMAND_ID_BYTES,)

    def _fact(self, place: int, fact: entry_pb2.Fact) -> Any:
        match fact.WhichOneof("fact"):
            case "table":
                return self._table_fact(place, fact.table)
            case "game":
                return self._open(place, fact.game)
            case "sealed":
                return self._sealed(place, fact.sealed)
            case _:
                raise self._differs(f"its {_name(place)} is missing")

    def _table_fact(self, place: int, fact: entry_pb2.TableFact) -> Any:
        member = fact.WhichOneof("fact")
        if member is None:
            raise self._differs(f"its {_name(place)} is missing")
        return getattr(fact, member)

    def _open(self, place: int, data: bytes) -> Any:
        fact = self._decode(place, data)
        if isinstance(fact, self.game.private):
            raise self._differs(f"its {_name(place)} is private, but not sealed")
        return fact

    def _sealed(self, place: int, sealed: entry_pb2.Sealed) -> Sealed:
        blocks, rest = divmod(len(sealed.box) - TAG_BYTES, BLOCK_BYTES)
        if len(sealed.nonce) != NONCE_BYTES or blocks < 1 or rest:
            raise self._differs(f"its {_name(place)} is not sealed as facts are")
        if place == 0 and sealed.face:
            raise self._differs("its command is private, but has a public face")
        return Sealed(self._decode(place, sealed.face) if sealed.face else None)

    def _decode(self, place: int, data: bytes) -> Any:
        wire = self._wire
        try:
            if place:
                fact = wire.decode_event(wire.messages.Event.FromString(data))
                again = wire.encode_event(fact)
            else:
                fact = wire.decode_command(wire.messages.Command.FromString(data))
                again = wire.encode_command(fact)
        except (DecodeError, Malformed) as error:
            raise self._differs(f"its {_name(place)} cannot be read: {error}") from None
        if _encoded(again) != data:
            raise self._differs(f"the bytes of its {_name(place)} are not the canonical encoding")
        return fact

    def _differs(self, sentence: str) -> Differs:
        return Differs(self._version, sentence)


def _game(name: str, rules: str) -> AnyGame:
    game = GAMES.get(name)
    if game is None or game.rules != rules:
        known = ", ".join(known.rules for known in GAMES.values())
        raise Unusable(f"the table is played by {rules!a}; this program knows {known}: use one that knows it")
    return game


def _runs(clock: Clock, *, races: bool) -> bool:
    """Whether a table can have such a clock: for each command, or for all of a seat where nobody races."""
    if clock.time_out not in TIME_OUTS:
        return False
    if clock.per_command_ms:
        return clock.per_command_ms > 0 and not clock.per_game_ms and not clock.increment_ms
    return not races and clock.per_game_ms > 0 and clock.increment_ms >= 0


def _encoded(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def _name(place: int) -> str:
    return f"event {place}" if place else "command"
