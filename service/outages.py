"""Outages: when nobody could be served, as far as this process has heard."""

from collections.abc import Iterator

from service.fold import Table
from service.shard import SHARDS, shard
from service.sweep import OUTAGE_MS, OUTAGES_MAX, Outage, Sweep

OVERLAP_MS = 60_000  # heard twice, as another process whose clock differs may have noted what came before


class Outages:
    """The outages of each shard. Clocks that ran meanwhile have to be put back."""

    def __init__(self) -> None:
        self._known_ms = dict.fromkeys(SHARDS, 0)
        self._by_shard: dict[str, tuple[Outage, ...]] = {}

    @property
    def unheard_ms(self) -> int:
        """Since when there may be outages that this process has not heard of."""
        return max(0, min(self._known_ms.values()) - OVERLAP_MS)

    def known_ms(self, table_id: str) -> int:
        """Return until when all outages are known that a table may have had."""
        return self._known_ms[shard(table_id)]

    def learn(self, sweep: Sweep, now_ms: int) -> None:
        """Take over what a sweep has found."""
        for name, heard in sweep.outages.items():
            known = {*self._by_shard.get(name, ()), *heard}
            self._by_shard[name] = tuple(sorted(known, key=lambda outage: outage.ended_ms)[-OUTAGES_MAX:])
        self._known_ms |= dict.fromkeys(set(SHARDS) - sweep.silent, now_ms)

    def doubt(self, table_id: str, waited_ms: int) -> None:
        """Know nothing of a shard any more if what was written there waited as long as an outage.

        A sweep that the store answered first found nothing to look after there, and so no outage.
        """
        if waited_ms > OUTAGE_MS:
            self._known_ms[shard(table_id)] = 0

    def missed(self, table: Table) -> Iterator[Outage]:
        """Return the outages in which the table's time ran, and which its log does not know of."""
        since = table.timed_since
        if since is None:
            return
        paused_until = table.waiting.paused_until
        for outage in self._by_shard.get(shard(table.charter.table_id), ()):
            if outage.ended_ms > max(paused_until, since):
                yield Outage(max(outage.began_ms, paused_until), outage.ended_ms)
                paused_until = outage.ended_ms
