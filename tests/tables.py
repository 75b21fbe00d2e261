"""Tables for tests of the log: ids nobody has used, and appends that continue a chain."""

import secrets
from dataclasses import replace

from service.log import Append, Head


def new_id(shard: str | None = None) -> str:
    """Return the id of a table that does not exist yet, in any shard unless told."""
    return f"{shard or secrets.token_hex(1)}.{secrets.token_hex(9)}"


def appending(
    table_id: str, seen: Head, *entries: bytes, ends: bool = False, names: dict[int, str] | None = None
) -> Append:
    """Return the append of entries decided on a head."""
    return Append(table_id, seen, entries, seen.after_all(table_id, entries), ends=ends, names=names)


def armed(append: Append, due_ms: int | None, now_ms: int) -> Append:
    """Return an append that says when its table is due."""
    return replace(append, due_ms=due_ms, now_ms=now_ms)
