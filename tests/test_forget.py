"""Tables that leave the store: in memory, in Valkey, in Redis 7."""

import pytest

from service.log import GENESIS, Committed, Ended, Forked, Log, Page
from service.redis_log import UnfitStore
from tests.open_logs import opened
from tests.stores import Store
from tests.tables import appending, armed, new_id

NOW = 1_700_000_000_000


async def test_an_ended_table_is_forgotten_with_its_names_and_its_due_time(logs: tuple[Log, Log]) -> None:
    log, other = logs
    append = appending(new_id(), GENESIS, b"first", b"last", ends=True, names={1: "Ann"})
    await log.append(armed(append, 1, NOW))
    assert await other.forget(append.table_id)
    assert await log.read(append.table_id, 0, 10) == Page(0, (), GENESIS)
    assert await log.names(append.table_id) == {}
    assert append.table_id not in (await log.sweep(NOW, 0, 1_000, NOW)).late


async def test_a_table_that_has_not_ended_is_not_forgotten(log: Log) -> None:
    append = appending(new_id(), GENESIS, b"first", names={1: "Ann"})
    await log.append(armed(append, 1, NOW))
    assert not await log.forget(append.table_id)
    assert await log.read(append.table_id, 0, 10) == Page(0, (b"first",), append.head)
    assert await log.names(append.table_id) == {1: "Ann"}
    assert append.table_id in (await log.sweep(NOW, 0, 1_000, NOW)).late
    assert await log.append(appending(append.table_id, append.head, b"second")) == Committed()


async def test_a_forgotten_table_never_comes_again_as_its_root_is_known(log: Log) -> None:
    append = appending(new_id(), GENESIS, b"first", ends=True)
    await log.append(append)
    assert await log.forget(append.table_id)
    assert await log.append(append) == Ended()
    assert await log.append(appending(append.table_id, append.head, b"late")) == Forked(GENESIS)
    assert await log.read(append.table_id, 0, 10) == Page(0, (), GENESIS)


async def test_forgetting_again_or_what_never_was_does_nothing(log: Log) -> None:
    ended, never = appending(new_id(), GENESIS, b"first", ends=True), appending(new_id(), GENESIS, b"first")
    await log.append(ended)
    assert [await log.forget(ended.table_id) for _ in range(2)] == [True, True]
    assert not await log.forget(never.table_id)
    assert await log.append(never) == Committed()


async def test_of_a_forgotten_table_the_store_keeps_that_it_has_ended(valkey: Store) -> None:
    async with opened(valkey.url, janitor_url=valkey.url) as log:
        append = appending(new_id(), GENESIS, b"first", ends=True, names={1: "Ann"})
        await log.append(append)
        await log.forget(append.table_id)
    with valkey.client() as client:
        left = {key: client.hgetall(key) for key in client.keys(f"*{append.table_id}*")}
    assert list(left.values()) == [{b"status": b"ended"}]


async def test_a_log_without_a_janitor_forgets_nothing(valkey: Store) -> None:
    async with opened(valkey.url) as log:
        with pytest.raises(UnfitStore, match="without a user who may forget"):
            await log.forget(new_id())
