"""When tables are due, and the outages during which nobody looked: in memory, in Valkey, in Redis 7."""

import random
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from service.alarms import now_ms
from service.log import GENESIS, Behind, Committed, Ended, Forked, Head, Log, MemoryLog
from service.shard import shard
from service.sweep import ALIVE_MS, OUTAGE_MS, OUTAGES_MAX, Outage
from tests.open_logs import opened
from tests.stores import Store
from tests.tables import appending, armed, new_id

NOW = 2_000_000_000_000  # to come, as a store takes a time that is past for one that a call has waited for it since
MANY = 100


@pytest.fixture
async def log(store_apart: Store | None) -> AsyncIterator[Log]:
    if store_apart is None:
        yield MemoryLog()
        return
    with store_apart.client() as client:
        client.flushall()
    async with opened(store_apart.url) as log:
        yield log


async def arm(log: Log, due_ms: int | None, now_ms: int = NOW, table_id: str = "") -> str:
    """Append a new table's first entry, and return its id."""
    table_id = table_id or new_id()
    assert await log.append(armed(appending(table_id, GENESIS, b"first"), due_ms, now_ms)) == Committed()
    return table_id


async def late(log: Log, now_ms: int, late_ms: int = 0) -> tuple[str, ...]:
    return (await log.sweep(now_ms, late_ms, MANY, 0)).late


async def outages(log: Log, now_ms: int, since_ms: int = 0) -> dict[str, tuple[Outage, ...]]:
    return dict((await log.sweep(now_ms, 0, MANY, since_ms)).outages)


async def test_a_table_is_late_when_it_has_been_due_for_as_long_as_asked_and_the_longest_comes_first(log: Log) -> None:
    second, first = await arm(log, NOW + 200), await arm(log, NOW + 100)
    await arm(log, None)
    assert await late(log, NOW + 99) == ()
    assert await late(log, NOW + 100) == (first,)
    assert await late(log, NOW + 1_199, 1_000) == (first,)
    assert await late(log, NOW + 1_200, 1_000) == (first, second)


async def test_each_append_says_anew_when_its_table_is_due(log: Log) -> None:
    table_id = new_id()
    first = appending(table_id, GENESIS, b"first")
    second = appending(table_id, first.head, b"second")
    await log.append(armed(first, NOW + 100, NOW))
    await log.append(armed(second, NOW + 900, NOW))
    assert await late(log, NOW + 500) == ()
    assert await late(log, NOW + 900) == (table_id,)
    await log.append(armed(appending(table_id, second.head, b"third"), None, NOW))
    assert await late(log, NOW + 900) == ()


async def test_an_append_that_is_not_written_arms_and_disarms_nothing(log: Log) -> None:
    table_id, other = new_id(), new_id()
    first = appending(table_id, GENESIS, b"first", ends=True)
    lost = appending(table_id, GENESIS, b"other")
    await log.append(armed(first, NOW + 100, NOW))
    refused = [
        appending(table_id, GENESIS, b"behind"),
        appending(table_id, lost.head, b"forked"),
        appending(table_id, first.head, b"after the end"),
    ]
    outcomes = [type(await log.append(armed(append, None, NOW))) for append in refused]
    assert outcomes == [Behind, Forked, Ended]
    await log.append(armed(appending(other, lost.head, b"forked"), NOW, NOW))
    assert await late(log, NOW + 100) == (table_id,)


@pytest.mark.parametrize("ends", [False, True])
async def test_an_append_without_entries_puts_right_when_its_table_is_due(log: Log, ends: bool) -> None:
    table_id = new_id()
    first = appending(table_id, GENESIS, b"first", ends=ends)
    await log.append(armed(first, NOW, NOW))
    assert await log.append(armed(appending(table_id, first.head), NOW + 100, NOW)) == Committed()
    assert await late(log, NOW) == ()
    assert await late(log, NOW + 100) == (table_id,)
    assert await log.append(armed(appending(table_id, first.head), None, NOW)) == Committed()
    assert await late(log, NOW + 100) == ()
    assert (await log.read(table_id, 0, 2)).head == first.head


async def test_a_sweep_finds_a_limited_number_in_each_shard_and_first_those_that_wait_longest(log: Log) -> None:
    ids = {place: [await arm(log, NOW + due, table_id=new_id(place)) for due in range(5)] for place in ("0a", "ff")}
    found = (await log.sweep(NOW + 10, 0, 2, 0)).late
    assert sorted(found) == sorted(ids["0a"][:2] + ids["ff"][:2])


async def test_a_time_without_a_sign_of_life_is_an_outage(log: Log) -> None:
    place = shard(await arm(log, NOW + 10**6))
    silent_from = NOW + OUTAGE_MS  # not yet too long
    assert await outages(log, silent_from) == {}
    back = silent_from + OUTAGE_MS + 1
    assert await outages(log, back) == {place: (Outage(silent_from, back),)}
    again = back + 2 * OUTAGE_MS
    both = (Outage(silent_from, back), Outage(back, again))
    assert await outages(log, again) == {place: both}
    assert await outages(log, again + 1, since_ms=back) == {place: both[1:]}
    assert await outages(log, again + 2, since_ms=again) == {}


async def test_who_looks_often_leaves_a_sign_now_and_then_and_has_no_outage(log: Log) -> None:
    await arm(log, NOW + 10**6)
    for step in range(0, 4 * OUTAGE_MS, ALIVE_MS - 1):
        assert await outages(log, NOW + step) == {}


async def test_where_nothing_is_due_nobody_has_to_look(log: Log) -> None:
    place = new_id()[:2]
    table_id = await arm(log, None, table_id=new_id(place))
    await outages(log, NOW)
    armed_at = NOW + 100 * OUTAGE_MS
    first = await log.read(table_id, 0, 1)
    await log.append(armed(appending(table_id, first.head, b"second"), armed_at, armed_at))
    assert await outages(log, armed_at + OUTAGE_MS) == {}
    assert await outages(log, armed_at + 3 * OUTAGE_MS) == {
        place: (Outage(armed_at + OUTAGE_MS, armed_at + 3 * OUTAGE_MS),)
    }


async def test_a_second_table_in_a_shard_does_not_hide_an_outage(log: Log) -> None:
    place = shard(await arm(log, NOW + 10**6))
    back = NOW + 2 * OUTAGE_MS
    await arm(log, back + 10**6, back, table_id=new_id(place))
    assert await outages(log, back) == {place: (Outage(NOW, back),)}


async def test_a_clock_that_is_behind_the_others_takes_no_sign_back(log: Log) -> None:
    await arm(log, NOW + 10**6)
    await outages(log, NOW + ALIVE_MS)
    assert await outages(log, NOW - 10 * OUTAGE_MS) == {}
    assert await outages(log, NOW + ALIVE_MS + OUTAGE_MS) == {}


async def test_the_newest_outages_are_kept(log: Log) -> None:
    place = shard(await arm(log, NOW + 10**9))
    pause = OUTAGE_MS + 1
    looks = [NOW + number * pause for number in range(OUTAGES_MAX + 3)]
    found = [await outages(log, look) for look in looks[1:]]
    assert found[-1] == {place: tuple(Outage(*silence) for silence in pairwise(looks[2:]))}


async def test_a_sweep_that_waited_at_a_store_that_was_away_does_not_shorten_the_outage(
    log: Log, store_apart: Store | None
) -> None:
    if store_apart is None:
        pytest.skip("nothing waits in memory")
    now = now_ms()
    await arm(log, now, now - 3 * OUTAGE_MS)
    ((outage,),) = (await outages(log, now - OUTAGE_MS)).values()
    assert outage.began_ms == now - 3 * OUTAGE_MS
    assert outage.ended_ms >= now


@pytest.mark.parametrize("seed", range(3))
async def test_any_order_of_appends_and_sweeps_finds_what_it_does_in_memory(log: Log, seed: int) -> None:
    chance = random.Random(seed)
    memory, now = MemoryLog(), NOW
    heads: dict[str, Head] = {new_id(chance.choice(("00", "01", "02"))): GENESIS for _ in range(9)}
    for _ in range(100):
        now += chance.choice((0, 1, 500, ALIVE_MS, OUTAGE_MS + 1, -700))
        table_id = chance.choice(list(heads))
        entries = (b"entry",) * chance.choice((0, 1, 1, 2))
        due = chance.choice((None, now - 5, now + 50, now + 5_000))
        append = armed(appending(table_id, heads[table_id], *entries), due, now)
        assert await log.append(append) == await memory.append(append) == Committed()
        heads[table_id] = append.head
        sweep = (now, chance.choice((0, 100)), chance.choice((1, 2, MANY)), now - chance.choice((0, 10_000)))
        assert await log.sweep(*sweep) == await memory.sweep(*sweep)
