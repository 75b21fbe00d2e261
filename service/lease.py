"""Lease: a process's word that somebody is connected through it at a table. A process that dies renews none."""

from typing import NamedTuple

LAPSED_MAX = 100  # leases of a shard that one look finds


class Lease(NamedTuple):
    """What one process says of one table."""

    table_id: str
    process: bytes
