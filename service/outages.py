"""Outages: when nobody could be served, as far as this process has heard."""

from collections.abc import Iterator, Mapping

from service.fold import Table
from service.shard import shard
from service.sweep import Outage, Sweep


class Outages:
    """The outages of each shard. Clocks that ran meanwhile have to be put back."""

    def __init__(self) -> None:
        self.known_ms = 0  # until when all outages are known
        self._by_shard: Mapping[str, tuple[Outage, ...]] = {}

    def learn(self, sweep: Sweep, now_ms: int) -> None:
        """Take over what a sweep has found."""
        self._by_shard = {**self._by_shard, **sweep.outages}
        self.known_ms = now_ms

    def missed(self, table: Table) -> Iterator[Outage]:
        """Return the outages in which the table's clocks ran, and which its log does not know of."""
        since = table.waiting.since
        if table.charter.terms.clock is None or not since:
            return
        for outage in self._by_shard.get(shard(table.charter.table_id), ()):
            if outage.ended_ms > max(table.waiting.paused_until, min(since.values())):
                yield outage
