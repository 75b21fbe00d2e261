"""Exported: a table's log as one file of JSON lines, of which no byte could be another."""

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit.trouble import Differs, Unusable
from service.entry import TABLE_ID
from service.log import GENESIS, Head

FORMAT = "stammtisch-log/1"
FILE_BYTES_MAX = 64 << 20
STATUSES = {
    table_pb2.STATUS_RUNNING: "running",
    table_pb2.STATUS_FINISHED: "finished",
    table_pb2.STATUS_CLOSED: "closed",
    table_pb2.STATUS_ABANDONED: "abandoned",
    table_pb2.STATUS_FORFEITED: "forfeited",
    table_pb2.STATUS_EXPIRED: "expired",
}


@dataclass(frozen=True, slots=True)
class Exported:
    """A table's entries as they are stored."""

    table_id: str
    entries: tuple[bytes, ...]

    def heads(self) -> Iterator[Head]:
        """Return the head after each entry."""
        head = GENESIS
        for entry in self.entries:
            head = head.after(self.table_id, entry)
            yield head


def write(exported: Exported) -> bytes:
    """Return the one file that these entries make."""
    lines = _entry_lines(exported)
    return b"".join(line + b"\n" for line in (_canonical(_manifest(exported, lines)), *lines))


def read(data: bytes) -> Exported:
    """Return the entries of a file, or raise Differs where any byte is not as `write` would write it."""
    if len(data) > FILE_BYTES_MAX:
        raise Unusable(f"the file is larger than {FILE_BYTES_MAX} bytes, which no exported log is")
    first, *lines = data.split(b"\n")
    manifest = _read_manifest(first)
    if not lines or lines.pop() != b"":
        raise Differs("the last line", "it does not end: the file was cut, or something was added")
    entries = tuple(_read_entry(version, line) for version, line in enumerate(lines, 1))
    exported = Exported(manifest["table_id"], entries)
    _check_lines(lines, _entry_lines(exported))
    _check_manifest(manifest, _manifest(exported, lines))
    return exported


def parsed(exported: Exported) -> list[entry_pb2.Entry]:
    """Return the entries as messages."""
    messages = []
    for version, data in enumerate(exported.entries, 1):
        try:
            messages.append(entry_pb2.Entry.FromString(data))
        except DecodeError:
            raise Differs(version, "its bytes are no Entry message") from None
    return messages


def ending(messages: Sequence[entry_pb2.Entry]) -> entry_pb2.TableEnded | None:
    """Return the table's last event, which reveals its root; None while the table is running."""
    facts = [event.table for event in messages[-1].events] if messages else []
    return next((fact.table_ended for fact in facts if fact.HasField("table_ended")), None)


def status(messages: Sequence[entry_pb2.Entry]) -> str:
    """Return what has become of the table."""
    ended = ending(messages)
    return STATUSES.get(ended.status if ended else table_pb2.STATUS_RUNNING, "unknown")


def sealed_facts(message: entry_pb2.Entry) -> int:
    """Return how many facts of an entry are sealed."""
    return sum(fact.HasField("sealed") for fact in (message.command, *message.events))


def _canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _entry_lines(exported: Exported) -> list[bytes]:
    pairs = zip(exported.heads(), exported.entries, strict=True)
    return [
        _canonical({"version": head.version, "hash": head.hash.hex(), "entry": base64.b64encode(entry).decode()})
        for head, entry in pairs
    ]


def _manifest(exported: Exported, lines: Sequence[bytes]) -> dict[str, Any]:
    messages, head = parsed(exported), [GENESIS, *exported.heads()][-1]
    created = messages[0].events[0].table.table_created if messages and messages[0].events else None
    if created is None:
        raise Differs("the log", "it does not begin with the table's creation")
    sealed = 0 if ending(messages) else sum(map(sealed_facts, messages))
    return _with_digest(
        {
            "format": FORMAT,
            "table_id": exported.table_id,
            "entries": len(lines),
            "game": created.game,
            "rules": messages[0].rules,
            "status": status(messages),
            "sealed": sealed,
            "commitment": created.commitment.hex(),
            "entries_sha256": hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest(),
            "head_version": head.version,
            "head_hash": head.hash.hex(),
        }
    )


def _with_digest(manifest: dict[str, Any]) -> dict[str, Any]:
    bare = {name: value for name, value in manifest.items() if name != "digest"}
    return bare | {"digest": hashlib.sha256(_canonical(bare)).hexdigest()}


def _read_manifest(line: bytes) -> dict[str, Any]:
    manifest = _object(line)
    if manifest is None or manifest.get("format") != FORMAT:
        raise Unusable(f"the first line is no manifest of a {FORMAT} file; `export` writes such files")
    if _canonical(_with_digest(manifest)) != line:
        raise Differs("the manifest", "its digest is not that of the rest of it: it was changed")
    table_id = manifest.get("table_id")
    if not isinstance(table_id, str) or TABLE_ID.fullmatch(table_id) is None:
        raise Differs("the manifest", "its table_id is not one of a table")
    return manifest


def _read_entry(version: int, line: bytes) -> bytes:
    found = _object(line)
    try:
        return base64.b64decode((found or {})["entry"], validate=True)
    except (KeyError, TypeError, ValueError):
        raise Differs(version, "the line is no entry") from None


def _object(line: bytes) -> dict[str, Any] | None:
    """Return the line's JSON object; None if it holds none."""
    try:
        value = json.loads(line.decode())
        json.dumps(value)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _check_lines(lines: Sequence[bytes], right: Sequence[bytes]) -> None:
    for version, (line, should) in enumerate(zip(lines, right, strict=True), 1):
        if line != should:
            raise Differs(version, _difference(line, should))


def _difference(line: bytes, should: bytes) -> str:
    found, right = _object(line) or {}, _object(should) or {}
    if found.get("version") != right["version"]:
        return "the line says it is another version: entries are missing, doubled or in the wrong order"
    if found.get("hash") != right["hash"]:
        return "its hash does not continue the chain: this entry was changed, or the order of the entries"
    return "the line is not written as `export` writes it"


def _check_manifest(manifest: dict[str, Any], right: dict[str, Any]) -> None:
    for name in (*right, *manifest):
        if manifest.get(name) != right.get(name):
            raise Differs("the manifest", f"it says {manifest.get(name)!r} for {name}, the entries {right.get(name)!r}")
