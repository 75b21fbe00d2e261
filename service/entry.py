"""Entry: one accepted command with its events, and how it stands in the log."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stammtisch.table.v1 import entry_pb2

from service.kit.game import AnyGame
from service.seal import Seal
from service.wire import Malformed, Wire

TABLE_ID = re.compile(r"[0-9a-f]{2}\.[a-z2-7]{18}")  # one length, so that hashes over it stand for one table

TableMessage = (
    entry_pb2.CreateTable
    | entry_pb2.TableCreated
    | entry_pb2.TakeSeat
    | entry_pb2.SeatTaken
    | entry_pb2.StartTable
    | entry_pb2.TableStarted
    | entry_pb2.LeaveSeat
    | entry_pb2.SeatLeft
    | entry_pb2.ReturnToSeat
    | entry_pb2.SeatResumed
    | entry_pb2.Reveal
    | entry_pb2.ContributionRevealed
    | entry_pb2.MissReveal
    | entry_pb2.ContributionMissed
    | entry_pb2.BotSeated
    | entry_pb2.RunOutClock
    | entry_pb2.ClockRanOut
    | entry_pb2.PauseClocks
    | entry_pb2.ClocksPaused
    | entry_pb2.NotePresence
    | entry_pb2.PresenceNoted
    | entry_pb2.SetPosition
    | entry_pb2.PositionSet
    | entry_pb2.EndTable
    | entry_pb2.TableEnded
)
MEMBERS: Mapping[type[TableMessage], str] = {
    entry_pb2.__dict__[field.camelcase_name[0].upper() + field.camelcase_name[1:]]: field.name
    for field in entry_pb2.TableFact.DESCRIPTOR.fields
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted command with everything that came of it."""

    version: int
    time_ms: int
    seat: int  # who gave the command; 0 for the table and its dealer
    command_id: bytes  # empty where no client gave the command
    command: Any  # the game's, or the table's
    events: tuple[Any, ...]


class EntryCodec:
    """Writes and reads the entries of one table, which is played by one game's rules."""

    def __init__(self, table_id: str, game: AnyGame, wire: Wire, seal: Seal) -> None:
        self._table_id = table_id
        self._game = game
        self._wire = wire
        self._seal = seal

    def write(self, entry: Entry) -> bytes:
        """Return the entry as it is stored and hashed."""
        version = entry.version
        return entry_pb2.Entry(
            table_id=self._table_id,
            version=version,
            time_ms=entry.time_ms,
            rules=self._game.rules,
            seat=entry.seat,
            command_id=entry.command_id,
            command=self._fact(version, 0, entry.command),
            events=[self._fact(version, place, event) for place, event in enumerate(entry.events, 1)],
        ).SerializeToString(deterministic=True)

    def read(self, data: bytes) -> Entry:
        """Return the entry that these bytes hold, with its seals opened."""
        message = entry_pb2.Entry.FromString(data)
        if message.rules != self._game.rules:
            raise Malformed("rules", f"{message.rules} is not {self._game.rules}")
        return Entry(
            version=message.version,
            time_ms=message.time_ms,
            seat=message.seat,
            command_id=message.command_id,
            command=self._open(message.version, 0, message.command),
            events=tuple(self._open(message.version, place, fact) for place, fact in enumerate(message.events, 1)),
        )

    def _fact(self, version: int, place: int, fact: Any) -> Any:
        """Return the fields of a `Fact`: built in place, it is not copied into its entry."""
        if type(fact) in MEMBERS:  # much faster than asking for each of them
            return {"table": table_fact(fact)}
        encoded = self._encode(place, fact)
        if not isinstance(fact, self._game.private):
            return {"game": encoded}
        nonce, box = self._seal.close(version, place, encoded)
        face = self._game.see(fact, None) if place else None  # a private command shows nobody anything
        shown = b"" if face is None else self._encode(place, face)
        return {"sealed": {"nonce": nonce, "box": box, "face": shown}}

    def _open(self, version: int, place: int, fact: entry_pb2.Fact) -> Any:
        match fact.WhichOneof("fact"):
            case "table":
                return getattr(fact.table, fact.table.WhichOneof("fact") or "")
            case "sealed":
                sealed = fact.sealed
                return self._decode(place, self._seal.open(version, place, sealed.nonce, sealed.box))
            case _:
                return self._decode(place, fact.game)

    def _encode(self, place: int, fact: Any) -> bytes:
        message = self._wire.encode_event(fact) if place else self._wire.encode_command(fact)
        return message.SerializeToString(deterministic=True)

    def _decode(self, place: int, data: bytes) -> Any:
        messages, wire = self._wire.messages, self._wire
        if place:
            return wire.decode_event(messages.Event.FromString(data))
        return wire.decode_command(messages.Command.FromString(data))


def table_fact(fact: TableMessage) -> entry_pb2.TableFact:
    """Wrap a table's command or event, in the member that has its type."""
    wrapped: dict[str, Any] = {MEMBERS[type(fact)]: fact}
    return entry_pb2.TableFact(**wrapped)
