"""Leases of processes through which people are connected: in memory, in Valkey, in Redis 7."""

import secrets
from collections.abc import AsyncIterator

import pytest

from service.lease import LAPSED_MAX, Lease
from service.log import Log, MemoryLog
from tests.open_logs import opened
from tests.stores import Store
from tests.tables import new_id

NOW = 1_700_000_000_000
AGAIN = NOW + 20_000


@pytest.fixture
async def log(store_apart: Store | None) -> AsyncIterator[Log]:
    if store_apart is None:
        yield MemoryLog()
        return
    with store_apart.client() as client:
        client.flushall()
    async with opened(store_apart.url, lease_batch=2) as log:
        yield log


def lease(shard: str | None = None) -> Lease:
    return Lease(new_id(shard), secrets.token_bytes(8))


async def test_a_lease_lapses_at_its_time_and_not_before(log: Log) -> None:
    first, second = lease(), lease()
    await log.renew([first], NOW)
    await log.renew([second], NOW + 1)
    assert await log.lapsed(NOW - 1, AGAIN) == []
    assert await log.lapsed(NOW, AGAIN) == [first]
    assert await log.lapsed(NOW + 1, AGAIN) == [second]


async def test_a_lease_renewed_runs_on(log: Log) -> None:
    mine = lease()
    await log.renew([mine], NOW)
    await log.renew([mine], NOW + 60_000)
    assert await log.lapsed(NOW + 59_999, AGAIN) == []


async def test_many_leases_are_renewed_at_once_in_any_shard(log: Log) -> None:
    leases = [lease(shard) for shard in ("00", "5a", "5a", "5a", "5a", "5a", "ff")]
    await log.renew(leases, NOW)
    assert sorted(await log.lapsed(NOW, AGAIN)) == sorted(leases)


async def test_one_is_told_of_a_lapsed_lease_and_another_only_if_the_first_does_not_see_to_it(log: Log) -> None:
    mine = lease()
    await log.renew([mine], NOW)
    assert await log.lapsed(NOW, AGAIN) == [mine]
    assert await log.lapsed(AGAIN - 1, AGAIN + 20_000) == []
    assert await log.lapsed(AGAIN, AGAIN + 20_000) == [mine]
    await log.release(mine, AGAIN + 20_000)
    assert await log.lapsed(AGAIN + 20_000, AGAIN + 40_000) == []


async def test_a_lease_renewed_after_it_lapsed_is_not_released(log: Log) -> None:
    mine = lease()
    await log.renew([mine], NOW)
    await log.lapsed(NOW, AGAIN)
    await log.renew([mine], NOW + 60_000)
    await log.release(mine, AGAIN)
    assert await log.lapsed(NOW + 60_000, AGAIN + 60_000) == [mine]


async def test_a_look_finds_a_limited_number_of_a_shard(log: Log) -> None:
    leases = [lease("5a") for _ in range(LAPSED_MAX + 1)]
    await log.renew(leases, NOW)
    first, second = await log.lapsed(NOW, AGAIN), await log.lapsed(NOW, AGAIN)
    assert (len(first), len(second)) == (LAPSED_MAX, 1)
    assert {*first, *second} == {*leases}


async def test_of_one_table_each_process_has_its_own(log: Log) -> None:
    mine = lease()
    other = Lease(mine.table_id, secrets.token_bytes(8))
    await log.renew([mine, other], NOW)
    await log.renew([other], NOW + 1)
    assert await log.lapsed(NOW, AGAIN) == [mine]
