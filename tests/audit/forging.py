"""What somebody might do to a log who can write it anew: every hash and the manifest fit again."""

from collections.abc import Callable

from stammtisch.table.v1 import entry_pb2

from service.audit import exported
from service.audit.exported import Exported
from service.seal import Seal

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
