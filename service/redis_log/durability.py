"""Durability: what a node does with what it has acknowledged."""

from collections.abc import Mapping
from dataclasses import dataclass

from redis.exceptions import ResponseError

from service.redis_log.node import Node

UNKNOWN = "unknown"  # a managed store may not tell
WISHED: Mapping[str, str] = {
    "appendonly": "yes",
    "appendfsync": "always",  # everysec loses what was acknowledged in the last second before a power cut
    "no-appendfsync-on-rewrite": "no",
    "maxmemory-policy": "noeviction",  # any other throws logs away when memory is short
}


@dataclass(frozen=True, slots=True)
class Durability:
    """The settings of one node that decide whether an acknowledged entry survives."""

    appendonly: str = UNKNOWN
    appendfsync: str = UNKNOWN
    no_appendfsync_on_rewrite: str = UNKNOWN
    maxmemory_policy: str = UNKNOWN

    @property
    def weaknesses(self) -> tuple[str, ...]:
        """Return a sentence for every setting that is not known to be as wished."""
        found = {name: getattr(self, name.replace("-", "_")) for name in WISHED}
        return tuple(
            f"{name} is {value}, it should be {WISHED[name]}" for name, value in found.items() if value != WISHED[name]
        )


async def durability(node: Node) -> Durability:
    """Ask a node for its settings."""
    try:
        found = await node.reads.call("CONFIG", "GET", *WISHED)
    except ResponseError:
        return Durability()
    pairs = dict(zip(found[::2], found[1::2], strict=True))
    return Durability(*(pairs.get(name.encode(), UNKNOWN.encode()).decode() for name in WISHED))
