"""Keys of the store. Everything of a table lies in its shard's slot, so that one function call can touch it."""

import re

FORMAT = "stammtisch:format"
_SHARD = re.compile("[0-9a-f]{2}")


def shard(table_id: str) -> str:
    """Return the virtual shard a table id begins with; ids that name none lie together in the first."""
    found = _SHARD.match(table_id)
    return found[0] if found else "00"


def canary(shard: str) -> str:
    """Return an id in a shard that is never given to a table: it has no dot."""
    return f"{shard}canary"


def entries(table_id: str) -> str:
    """Return the key of the stream of entries."""
    return _key(table_id, "e")


def head(table_id: str) -> str:
    """Return the key of version, hash and status of the newest entry."""
    return _key(table_id, "m")


def names(table_id: str) -> str:
    """Return the key of the names at the seats: beside the log, so that they can be erased."""
    return _key(table_id, "n")


def channel(table_id: str) -> str:
    """Return the sharded channel that carries what is appended."""
    return _key(table_id, "w")


def table_id(channel: str) -> str:
    """Return the table whose pushes a channel carries."""
    return channel[len("t:{00}:") : -len(":w")]


def _key(table_id: str, kind: str) -> str:
    return f"t:{{{shard(table_id)}}}:{table_id}:{kind}"
