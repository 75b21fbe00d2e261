"""Keys of the store. Everything of a table lies in its shard's slot, so that one function call can touch it."""

from service.shard import shard

FORMAT = "stammtisch:format"


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


def due(shard: str) -> str:
    """Return the key of the tables that are to do something by themselves, by when."""
    return f"t:{{{shard}}}:due"


def alive(shard: str) -> str:
    """Return the key of the sign of life of those who look after a shard."""
    return f"t:{{{shard}}}:alive"


def outages(shard: str) -> str:
    """Return the key of the times during which nobody looked after a shard, by their ends."""
    return f"t:{{{shard}}}:outages"


def lobby(shard: str, game: str) -> str:
    """Return the key of the tables that people find, by the time at which they were listed."""
    return f"t:{{{shard}}}:lobby:{game}"


def present(shard: str) -> str:
    """Return the key of the leases of those through whom people are connected, by when they lapse."""
    return f"t:{{{shard}}}:present"


def channel(table_id: str) -> str:
    """Return the sharded channel that carries what is appended."""
    return _key(table_id, "w")


def table_id(channel: str) -> str:
    """Return the table whose pushes a channel carries."""
    return channel[len("t:{00}:") : -len(":w")]


def _key(table_id: str, kind: str) -> str:
    return f"t:{{{shard(table_id)}}}:{table_id}:{kind}"
