"""The judge: holds what clients were told against what is in the log."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from stammtisch.table.v1 import entry_pb2

from service.audit.exported import Exported, write
from service.audit.trouble import Differs, Unusable
from service.audit.verify import verify
from service.seal import Seal, SealBroken
from tests.torture.story import Frame, Story, Told, Watched


class Kind(Enum):
    """What can be wrong."""

    LOST = "lost"  # acknowledged, but not in the log as it was told
    DOUBLED = "doubled"  # in the log more than once
    GAP = "gaps"  # a watcher did not get every version once and in order
    REFUSED = "refused"  # what should have been done was not
    LATE = "late"  # what was due was done much too late
    STALE = "stale"  # a view older than what had been acknowledged
    BROKEN = "broken"  # a log that does not verify
    STRAY = "stray"  # a table in the store that nobody was told of
    COMPLAINT = "complaints"  # an error in a service's log, or an exception that nobody caught


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong."""

    kind: Kind
    where: str  # a table, or a service's log
    sentence: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as it lies in the store."""

    entries: tuple[tuple[str, bytes], ...]  # stream ids and entries
    version: int
    hash: bytes


NOTHING = Stored((), 0, bytes(32))  # where there is no table


def judge(story: Story, stored: Stored) -> list[Finding]:
    """Return everything that is wrong with one table."""
    hashes = chain(story.table_id, [data for _, data in stored.entries])
    entries = [entry_pb2.Entry.FromString(data) for _, data in stored.entries]
    found = [
        *((Kind.LOST, sentence) for told in story.told for sentence in _lost(told, entries, hashes)),
        *((Kind.DOUBLED, sentence) for sentence in _doubled(entries)),
        *((Kind.DOUBLED, sentence) for sentence in _run_out_again(entries)),
        *((Kind.GAP, sentence) for watched in story.watched for sentence in _gaps(watched, hashes)),
        *((Kind.GAP, sentence) for sentence in _differences(story.watched)),
        *((Kind.REFUSED, sentence) for sentence in story.refused),
        *((Kind.STALE, sentence) for sentence in story.stale),
        *((Kind.BROKEN, sentence) for sentence in _broken(story.table_id, stored, hashes)),
    ]
    return [Finding(kind, story.table_id, sentence) for kind, sentence in found]


def chain(table_id: str, entries: list[bytes]) -> list[bytes]:
    """Return the hash of every version, computed as the documentation says, not as the service does."""
    hashes = [bytes(32)]
    for version, entry in enumerate(entries, 1):
        parts = (b"stammtisch/chain/1", table_id.encode(), hashes[-1], version.to_bytes(8, "big"), entry)
        hashes.append(hashlib.sha256(b"".join(parts)).digest())
    return hashes


def _lost(told: Told, entries: list[entry_pb2.Entry], hashes: list[bytes]) -> Iterator[str]:
    """Look for a command where its client was told that it is."""
    places = [entry.version for entry in entries if entry.command_id == told.command_id]
    if not places:
        yield f"the command acknowledged as version {told.version} is not in the log"
    elif told.version >= len(hashes) or hashes[told.version] != told.hash:
        yield f"version {told.version} is not what was acknowledged"
    elif _last(entries, places[0]) != told.version:
        yield f"the command acknowledged as version {told.version} is in the log as version {places[0]}"
    elif (entries[places[0] - 1].seat, _command(entries, places[0])) != (told.seat, told.command):
        yield f"version {places[0]} holds another command than the one acknowledged"


def _command(entries: list[entry_pb2.Entry], version: int) -> bytes:
    """Return a version's command, opened with the root that the table's end has revealed."""
    entry = entries[version - 1]
    if not entry.command.HasField("sealed"):
        return entry.command.game
    seal = Seal(entries[-1].events[0].table.table_ended.root, entry.table_id)
    try:
        return seal.open(version, 0, entry.command.sealed.nonce, entry.command.sealed.box)
    except SealBroken:  # the table has not ended, or its log is broken, which is found besides
        return b""


def _last(entries: list[entry_pb2.Entry], version: int) -> int:
    """Return the last version that a command brought about: what follows by itself carries no command id."""
    following = entries[version:]
    return version + next((n for n, entry in enumerate(following) if entry.command_id), len(following))


def _doubled(entries: list[entry_pb2.Entry]) -> Iterator[str]:
    counts = Counter(entry.command_id for entry in entries if entry.command_id)
    for command_id, count in counts.items():
        if count > 1:
            yield f"the command {command_id.hex()} is in the log {count} times"


def _run_out_again(entries: list[entry_pb2.Entry]) -> Iterator[str]:
    ran_out: set[int] = set()
    for entry in entries:
        ran_out.discard(entry.seat)
        if seat := entry.command.table.run_out_clock.seat:
            if seat in ran_out:
                yield f"the clock of seat {seat} ran out again in version {entry.version}, before anything came of it"
            ran_out.add(seat)


def _gaps(watched: Watched, hashes: list[bytes]) -> Iterator[str]:
    who = "a spectator" if watched.seat is None else f"a watcher of seat {watched.seat}"
    begun = watched.begun or Frame(0, hashes[0], b"")
    for before, frame in pairwise((begun, *watched.frames)):
        if not frame.step:
            yield f"{who} got a full view of version {frame.version} instead of what happened after {before.version}"
        elif frame.version != before.version + 1:
            yield f"{who} got version {frame.version} after version {before.version}"
    for frame in (begun, *watched.frames):
        if frame.version >= len(hashes) or hashes[frame.version] != frame.hash:
            yield f"{who} got a version {frame.version} that is not in the log"
    last = watched.frames[-1] if watched.frames else begun
    if not watched.complete or last.version != len(hashes) - 1:
        yield f"{who} got versions until {last.version} only, of {len(hashes) - 1}"


def _differences(watched: list[Watched]) -> Iterator[str]:
    """All watchers of a seat must have been shown the same, by whichever process."""
    shown: dict[tuple[int | None, int], bytes] = {}
    for one in watched:
        for frame in one.frames:
            if frame.step and shown.setdefault((one.seat, frame.version), frame.content) != frame.content:
                yield f"two watchers of seat {one.seat} were shown different things as version {frame.version}"


def _broken(table_id: str, stored: Stored, hashes: list[bytes]) -> Iterator[str]:
    entries = tuple(data for _, data in stored.entries)
    if [stream_id for stream_id, _ in stored.entries] != [f"{version}-0" for version in range(1, len(hashes))]:
        yield "the stream's ids are not 1-0, 2-0, 3-0 …"
    if (stored.version, stored.hash) != (len(hashes) - 1, hashes[-1]):
        yield "the head is not the hash of the entries"
    try:
        verified = verify(write(Exported(table_id, entries)))
    except (Differs, Unusable) as why:
        yield f"the log does not verify: {why}"
    else:
        if verified.status == "running":
            yield "the table has not ended"
