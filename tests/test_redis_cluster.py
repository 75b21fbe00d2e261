"""The log in a cluster: the same program, told by nothing but the store that it is one."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.log import GENESIS, Committed, Gap, LogUnavailable, Page
from service.redis_log import keys
from service.shard import SHARDS
from tests.open_logs import PATIENCE, back, eventually, opened, pushed, soon, watching
from tests.stores import Store, cluster, replica
from tests.tables import appending, new_id


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Store]]:
    """Three nodes that own a third of the slots each."""
    with ExitStack() as stack:
        yield cluster(tmp_path_factory.mktemp("cluster"), stack)


def slot(table_id: str) -> int:
    return key_slot(keys.entries(table_id).encode())


async def test_tables_of_every_shard_are_appended_read_and_pushed(members: list[Store]) -> None:
    async with opened(members[0].url) as log, opened(members[1].url) as other:
        table_ids = [new_id(shard) for shard in SHARDS]
        async with watching(other, *table_ids) as inboxes:
            appends = [appending(table_id, GENESIS, b"first", b"second") for table_id in table_ids]
            assert await asyncio.gather(*(log.append(append) for append in appends)) == [Committed()] * 256
            for append in appends:
                assert await soon(inboxes[append.table_id]) == pushed(append)
                assert await other.read(append.table_id, 0, 10) == Page(0, append.entries, append.head)
        assert len(await log.durability()) == 3
    for member in members:
        with member.client() as client:
            assert client.dbsize() > 100


async def test_a_table_is_followed_when_its_slot_moves(members: list[Store]) -> None:
    table_id = next(table_id for table_id in map(new_id, SHARDS) if slot(table_id) < 5000)
    async with opened(members[2].url, resubscribe_longest=0.1) as log, watching(log, table_id) as inboxes:
        first = appending(table_id, GENESIS, b"first")
        await log.append(first)
        assert await soon(inboxes[table_id]) == pushed(first)
        move(slot(table_id), members[0], members[1])
        assert await soon(inboxes[table_id]) == Gap()
        second = appending(table_id, first.head, b"second")
        assert await log.append(second) == Committed()
        assert await soon(inboxes[table_id]) == pushed(second)
        assert await log.read(table_id, 0, 2) == Page(0, (b"first", b"second"), second.head)


async def test_an_append_follows_a_slot_that_has_moved_unnoticed(members: list[Store]) -> None:
    table_id = next(table_id for table_id in map(new_id, SHARDS) if 6000 < slot(table_id) < 10000)
    async with opened(members[0].url) as log:
        first = appending(table_id, GENESIS, b"first")
        await log.append(first)
        move(slot(table_id), members[1], members[2])
        await eventually(lambda: owns(members[2], slot(table_id)))
        second = appending(table_id, first.head, b"second")
        assert await log.append(second) == Committed()
        async with watching(log, table_id) as inboxes:
            third = appending(table_id, second.head, b"third")
            assert await log.append(third) == Committed()
            assert await soon(inboxes[table_id]) == pushed(third)


async def test_a_replica_that_takes_over_is_found(tmp_path: Path) -> None:
    with ExitStack() as stack:
        members = cluster(tmp_path, stack)
        follower = replica(members, tmp_path / "replica", stack)
        table_id = next(table_id for table_id in map(new_id, SHARDS) if slot(table_id) < 5000)
        async with opened(members[1].url, resubscribe_longest=0.1) as log, watching(log, table_id) as inboxes:
            first = appending(table_id, GENESIS, b"first")
            await log.append(first)
            assert await soon(inboxes[table_id]) == pushed(first)
            with follower.client() as client:
                await eventually(lambda: client.dbsize() > 1)
                members[0].kill()
                client.execute_command("CLUSTER", "FAILOVER", "TAKEOVER")
            second = appending(table_id, first.head, b"second")
            assert await back(log, second) == Committed()
            while await soon(inboxes[table_id]) != Gap():
                pass  # the second's push may come before
            third = appending(table_id, second.head, b"third")
            assert await log.append(third) == Committed()
            while await soon(inboxes[table_id]) != pushed(third):
                pass


async def test_a_cluster_can_be_reached_as_long_as_one_node_can(tmp_path: Path) -> None:
    with ExitStack() as stack:
        members = cluster(tmp_path, stack)
        async with opened(members[0].url) as log:
            for member in members:
                assert await log.reachable()
                member.kill()
            assert not await log.reachable()


async def test_a_node_that_does_not_answer_keeps_no_other_from_being_swept_or_listed(tmp_path: Path) -> None:
    with ExitStack() as stack:
        members = cluster(tmp_path, stack)
        for member in members:
            with member.client() as client:
                client.config_set("cluster-require-full-coverage", "no")
        away = {shard for shard in SHARDS if owns(members[0], slot(new_id(shard)))}
        async with opened(members[1].url, answer_timeout=1.0) as log:
            appends = [
                replace(appending(new_id(shard), GENESIS, b"first"), due_ms=1, now_ms=1, lobby="game", listed=True)
                for shard in SHARDS
            ]
            assert await asyncio.gather(*(log.append(append) for append in appends)) == [Committed()] * 256
            os.kill(members[0].pid, signal.SIGSTOP)
            found = await log.sweep(1, 0, 10, 0)
            assert away <= found.silent
            assert {table_id[:2] for table_id in found.late} == set(SHARDS) - found.silent
            assert {table_id[:2] for _, table_id in await log.lobby("game", None, 300)} == set(SHARDS) - away
            os.kill(members[0].pid, signal.SIGCONT)
            async with asyncio.timeout(PATIENCE):
                while (found := await log.sweep(1, 0, 10, 0)).silent:
                    pass
            assert {table_id[:2] for table_id in found.late} == set(SHARDS)
            assert len(await log.lobby("game", None, 300)) == 256


async def test_a_store_that_is_away_cannot_be_swept_or_listed(own_store: Store) -> None:
    async with opened(own_store.url) as log:
        own_store.kill()
        with pytest.raises(LogUnavailable):
            await log.sweep(1, 0, 10, 0)
        with pytest.raises(LogUnavailable):
            await log.lobby("game", None, 10)


def move(slot: int, source: Store, target: Store) -> None:
    """Begin to move a slot in one step, as Valkey 9 does."""
    with source.client() as old, target.client() as new:
        identity = new.execute_command("CLUSTER", "MYID").decode()
        old.execute_command("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", identity)


def owns(member: Store, slot: int) -> bool:
    """Tell whether a node knows that it owns a slot."""
    with member.client() as client:
        ranges = client.execute_command("CLUSTER", "SLOTS")
    return any(first <= slot <= last and owner[1] == member.port for first, last, owner, *_ in ranges)
