"""Presence: since when all people of a table have been gone, and how often it was noted who is connected."""

from typing import NamedTuple

from stammtisch.table.v1 import entry_pb2

from service.entry import Entry
from service.seating import Seating
from service.waiting import put_back

PROCESS_BYTES = 8  # of what a process is known by
NOTES_MAX = 1_000  # of a table: more of them say more about networks than about people


class Presence(NamedTuple):
    """What a log says of it. Times are milliseconds."""

    gone_since: int  # when somebody was last there, if now nobody is
    notes: int = 0
    newest: int = 0  # of the notes, as many as nothing else has followed


def followed(presence: Presence, entry: Entry, before: Seating, after: Seating) -> Presence:
    """Return the presence after an entry, and the seats before and after it."""
    command, gone_since = entry.command, presence.gone_since
    noted = isinstance(command, entry_pb2.NotePresence)
    if isinstance(command, entry_pb2.StartTable) or before.anybody_connected or _is_by_a_person(entry, before, after):
        gone_since = entry.time_ms
    elif isinstance(command, entry_pb2.PauseClocks):
        gone_since = put_back(gone_since, command.from_ms, command.to_ms)
    return Presence(gone_since, presence.notes + noted, presence.newest + 1 if noted else 0)


def _is_by_a_person(entry: Entry, before: Seating, after: Seating) -> bool:
    """Whether a person gave a command; who leaves or comes back is one, before or after."""
    seat = entry.seat
    return bool(seat and entry.command_id) and not (before.plays_by_bot(seat) and after.plays_by_bot(seat))
