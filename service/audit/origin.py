"""Origin: whether a fork begins where the table before was."""

from collections.abc import Iterator, Sequence
from typing import Any

from stammtisch.table.v1 import table_pb2

from service.audit.sealed import Sealed
from service.audit.trouble import Differs, Unusable
from service.entry import TableMessage
from service.kit.game import AnyGame


class Origin:
    """The log of a table that has ended, of which every entry has been checked."""

    def __init__(self, table_id: str, game: AnyGame, hashes: Sequence[bytes], events: Sequence[Sequence[Any]]) -> None:
        """Take the hash and the events of each version."""
        self._table_id = table_id
        self._game = game
        self._hashes = hashes
        self._events = events

    def check(self, says: table_pb2.ForkedFrom, position: Sequence[Any]) -> None:
        """Raise Differs unless a fork says rightly where it begins, and its position is the one of there."""
        if says.table_id != self._table_id:
            raise Unusable(f"--origin: the fork goes on from table {says.table_id}: give the file of that one")
        if not 1 <= says.version <= len(self._hashes) or self._hashes[says.version - 1] != says.head_hash:
            raise Differs(1, "the table that it goes on from has no such version with this hash")
        right = [*self._until(says.version)]
        if len(right) != len(position) or not all(map(self._alike, position, right)):
            raise Differs(2, "its position is not the one that the table before had come to")

    def _until(self, version: int) -> Iterator[Any]:
        for events in self._events[:version]:
            yield from (event for event in events if not isinstance(event, TableMessage))

    def _alike(self, found: Any, right: Any) -> bool:
        """Compare events, or all that is to be seen of them while the fork is running."""
        return bool(found.face == self._game.see(right, None) if isinstance(found, Sealed) else found == right)
