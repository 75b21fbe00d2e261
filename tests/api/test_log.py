"""The log is handed out as it is stored, and anybody can recompute its chain."""

import hashlib
from pathlib import Path
from typing import Any

from stammtisch.double_tricks.v1 import double_tricks_pb2
from stammtisch.table.v1 import service_pb2 as table_service_pb2
from stammtisch.table.v1.table_pb2 import Closed

from tests.api.house import AUDITOR_KEY, House, bearer, house


def chain(table_id: str, entries: list[bytes]) -> list[bytes]:
    """Compute the hashes by the book, without the service's code."""
    head, hashes = bytes(32), []
    for version, entry in enumerate(entries, 1):
        link = b"stammtisch/chain/1" + table_id.encode() + head + version.to_bytes(8, "big") + entry
        head = hashlib.sha256(link).digest()
        hashes.append(head)
    return hashes


async def test_the_log_is_what_is_stored_with_its_chain(home: House) -> None:
    created = await home.create()
    end = await home.play(created)
    log = await home.entries(created)
    stored = home.log.entries(created.table_id)
    assert [entry.entry for entry in log.entries] == stored
    assert [entry.hash for entry in log.entries] == chain(created.table_id, stored)
    assert [entry.version for entry in log.entries] == list(range(1, end.version + 1))
    assert (log.version, log.head_hash) == (end.version, end.head_hash)


async def test_pages_join_without_gap_and_all_name_the_same_head(home: House) -> None:
    created = await home.create()
    end = await home.play(created)
    whole = await home.entries(created)
    for limit in (1, 3, end.version):
        joined: list[Any] = []
        while len(joined) < end.version:
            page = await home.entries(created, after=len(joined), limit=limit)
            assert 0 < len(page.entries) <= limit
            assert (page.version, page.head_hash) == (end.version, end.head_hash)
            joined += page.entries
        assert joined == list(whole.entries)
    for after in (end.version, 2**31 - 1):
        beyond = await home.entries(created, after=after)
        assert (list(beyond.entries), beyond.version) == ([], end.version)


async def test_a_page_has_at_most_500_entries(home: House) -> None:
    created = await home.create(options=double_tricks_pb2.Options(hand_sizes=[13] * 20))
    while (await home.move(created)).version <= 501:
        pass
    assert len((await home.entries(created)).entries) == 500
    assert len((await home.entries(created, after=500)).entries) > 0


async def test_an_auditor_reads_any_log(socket: Path) -> None:
    async with house(socket) as home:
        created = await home.create()
        request = table_service_pb2.GetLogRequest(table_id=created.table_id)
        log = await home.table.GetLog(request, metadata=bearer(AUDITOR_KEY))
        assert [entry.entry for entry in log.entries] == home.log.entries(created.table_id)


async def test_a_watched_log_brings_what_there_is_and_what_comes(home: House) -> None:
    created = await home.create()
    for after in (0, 1, 2):
        stream = home.watch_log(created, after)
        end = await home.move(created)
        frames = [await stream.read() for _ in range(end.version - after)]
        log = await home.entries(created, after=after)
        assert [frame.entry for frame in frames] == list(log.entries)
        stream.cancel()


async def test_a_watched_log_ends_with_its_table(home: House) -> None:
    created = await home.create()
    await home.play(created)
    *frames, last = [frame async for frame in home.watch_log(created)]
    assert [frame.entry for frame in frames] == list((await home.entries(created)).entries)
    assert last.closed.reason == Closed.REASON_TABLE_ENDED


async def test_a_watched_log_begins_anew_when_history_changed(home: House) -> None:
    created = await home.create()
    await home.move(created)
    await home.move(created)
    stream = home.watch_log(created, after=3)
    assert (await stream.read()).entry.version == 4
    home.log.truncate(created.table_id, 2)
    await home.move(created)
    reset = await stream.read()
    assert (reset.WhichOneof("frame"), reset.reset.after) == ("reset", 0)
    frames = [await stream.read() for _ in range(3)]
    assert [frame.entry for frame in frames] == list((await home.entries(created)).entries)


async def test_a_watched_log_asked_for_from_the_future_begins_anew(home: House) -> None:
    created = await home.create()
    stream = home.watch_log(created, after=99)
    assert (await stream.read()).WhichOneof("frame") == "reset"
    assert (await stream.read()).entry.version == 1


async def test_a_slow_watcher_of_the_log_gets_every_entry_all_the_same(socket: Path) -> None:
    async with house(socket, changes=1) as home:
        created = await home.create()
        stream = home.watch_log(created)
        end = await home.play(created)
        frames = [frame async for frame in stream]
        assert [frame.entry.version for frame in frames[:-1]] == list(range(1, end.version + 1))
        assert frames[-1].closed.reason == Closed.REASON_TABLE_ENDED


async def test_a_watched_log_is_kept_alive_by_heartbeats(socket: Path) -> None:
    async with house(socket, heartbeat_seconds=0.01) as home:
        stream = home.watch_log(await home.create(), after=2)
        assert (await stream.read()).WhichOneof("frame") == "heartbeat"
