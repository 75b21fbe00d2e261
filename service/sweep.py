"""Sweep: what a look at all tables finds late, and the outages during which nobody looked."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ALIVE_MS = 2_000  # between two signs of life in a shard where something is due
OUTAGE_MS = 5_000  # without a sign of life: nobody looked, so nothing could happen by itself
OUTAGES_MAX = 100  # remembered of each shard; the newest are kept


@dataclass(frozen=True, slots=True)
class Outage:
    """A time during which no process looked at a shard: its tables' clocks stood still."""

    began_ms: int
    ended_ms: int


@dataclass(frozen=True, slots=True)
class Sweep:
    """What was found in all shards that answered."""

    late: tuple[str, ...]  # tables that have been due for some time, the longest first
    outages: Mapping[str, tuple[Outage, ...]]  # by shard, oldest first; only of shards that had any
    silent: frozenset[str] = field(default=frozenset())  # shards whose outages up to now are not known
