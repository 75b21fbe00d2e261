"""What somebody might do to a log who can write it anew: every hash and the manifest fit again."""

from collections.abc import Callable
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2

from service.audit import exported
from service.audit.exported import Exported
from service.audit.trouble import Differs
from service.audit.verify import verify
from service.draft import Draft, tick_id
from service.fold import CLOSED, Table, advance, begin
from service.seal import MasterKeys, Seal

ADMINS_ID = b"an admin's own i"

Change = Callable[[entry_pb2.Entry], None]


def forged(log: Exported, change: Change) -> bytes:
    """Return the file of a log that was changed and chained again."""
    return exported.write(Exported(log.table_id, tuple(changed(data, change) for data in log.entries)))


def changed(data: bytes, change: Change) -> bytes:
    message = entry_pb2.Entry.FromString(data)
    change(message)
    return message.SerializeToString(deterministic=True)


def rewritten(log: Exported, entries: list[bytes]) -> bytes:
    """Return the file of other entries, chained again."""
    return exported.write(Exported(log.table_id, tuple(entries)))


def root(log: Exported) -> bytes:
    ended = exported.ending(exported.parsed(log))
    assert ended is not None
    return ended.root


def seal(log: Exported) -> Seal:
    """Return the seal of somebody who knows the root."""
    return Seal(root(log), log.table_id)


def differs(data: bytes, match: str) -> None:
    with pytest.raises(Differs, match=match):
        verify(data)


def at(version: int, change: Callable[[entry_pb2.Entry], Any]) -> Change:
    """Return a change of one entry."""
    return lambda message: change(message) if message.version == version else None


def numbered(data: bytes, version: int) -> bytes:
    return changed(data, lambda message: setattr(message, "version", version))


def without(log: Exported, *versions: int) -> bytes:
    """Return the log without some versions, numbered anew."""
    kept = (data for version, data in enumerate(log.entries, 1) if version not in versions)
    return rewritten(log, [numbered(data, version) for version, data in enumerate(kept, 1)])


def gone_on(log: Exported, keys: MasterKeys, after_ms: int, add: Callable[[Draft], Any], version: int = 0) -> bytes:
    """Return the file of a log that went on with this some time after a version or its last, and was closed then."""
    entries = log.entries[: version or None]
    draft = Draft(folded(log.table_id, entries, keys), 0)
    draft.now_ms += after_ms
    add(draft)
    if not draft.table.has_ended:
        draft.add_end(CLOSED, command_id=ADMINS_ID)
    return rewritten(log, [*entries, *draft.entries])


def folded(table_id: str, entries: tuple[bytes, ...], keys: MasterKeys) -> Table:
    table = begin(table_id, entries[0], keys).table
    for data in entries[1:]:
        table = advance(table, data).table
    return table


def next_id(draft: Draft) -> bytes:
    """Return the id under which the table would do what comes next."""
    return tick_id(draft.table.charter, draft.table.head.version + 1)
