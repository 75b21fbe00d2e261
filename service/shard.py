"""Shard: tables that lie together in the store; and what they share, in memory."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator

from service.sweep import ALIVE_MS, OUTAGE_MS, OUTAGES_MAX, Outage

SHARDS = tuple(f"{number:02x}" for number in range(256))
_SHARD = re.compile("[0-9a-f]{2}")


def shard(table_id: str) -> str:
    """Return the virtual shard a table id begins with; ids that name none lie together in the first."""
    found = _SHARD.match(table_id)
    return found[0] if found else SHARDS[0]


class MemoryShard:
    """When its tables are due, which of them stand in a lobby, and whether anybody looks."""

    def __init__(self) -> None:
        self._due: dict[str, int] = {}
        self._lobbies: dict[str, dict[str, int]] = defaultdict(dict)
        self._alive: int | None = None
        self._outages: deque[Outage] = deque(maxlen=OUTAGES_MAX)

    def arm(self, table_id: str, due_ms: int | None, now_ms: int) -> None:
        """Note when a table is due, or that it never is."""
        if due_ms is None:
            self._due.pop(table_id, None)
            return
        if not self._due:
            self._alive = max(now_ms, self._alive or 0)
        self._due[table_id] = due_ms

    def enlist(self, table_id: str, lobby: str, now_ms: int, *, listed: bool) -> None:
        """Put a table into a lobby, where it keeps its place, or take it out."""
        if listed:
            self._lobbies[lobby].setdefault(table_id, now_ms)
        else:
            self._lobbies[lobby].pop(table_id, None)

    def live(self, now_ms: int) -> None:
        """Leave a sign of life where something is due; note an outage if the last one is too old."""
        if not self._due:
            return
        last = now_ms if self._alive is None else self._alive
        if now_ms - last > OUTAGE_MS:
            self._outages.append(Outage(last, now_ms))
        if self._alive is None or now_ms - last >= ALIVE_MS:
            self._alive = now_ms

    def late(self, until_ms: int, limit: int) -> list[tuple[int, str]]:
        """Return who was due until then, and when, the first before the others."""
        return sorted((due, table_id) for table_id, due in self._due.items() if due <= until_ms)[:limit]

    def outages(self, since_ms: int) -> tuple[Outage, ...]:
        """Return the outages that ended after a time."""
        return tuple(outage for outage in self._outages if outage.ended_ms > since_ms)

    def lobby(self, game: str) -> Iterator[tuple[int, str]]:
        """Yield since when which table stands in a lobby."""
        for table_id, since_ms in self._lobbies[game].items():
            yield since_ms, table_id
