"""What every log must do: in memory, in Valkey, in Redis 7."""

import asyncio
import random
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from service.log import (
    GENESIS,
    PAGE_BYTES,
    PAGE_ENTRIES,
    Behind,
    Committed,
    Ended,
    Forked,
    Head,
    Log,
    MemoryLog,
    Page,
)
from tests.open_logs import Inbox, soon
from tests.tables import appending, new_id


async def read_all(log: Log, table_id: str) -> tuple[bytes, ...]:
    """Return a table's entries, page after page."""
    entries: tuple[bytes, ...] = ()
    while True:
        page = await log.read(table_id, len(entries), PAGE_ENTRIES)
        entries += page.entries
        if len(entries) == page.head.version:
            return entries


async def test_an_append_on_the_newest_head_is_committed_and_read_by_all(logs: tuple[Log, Log]) -> None:
    one, two = logs
    table_id = new_id()
    first = appending(table_id, GENESIS, b"first")
    second = appending(table_id, first.head, b"second", b"third")
    assert await one.append(first) == Committed()
    assert await two.append(second) == Committed()
    assert await one.read(table_id, 0, 10) == Page(0, (b"first", b"second", b"third"), second.head)
    assert await one.read(table_id, 1, 1) == Page(1, (b"second",), second.head)


async def test_a_table_that_does_not_exist_has_no_entries_and_no_names(log: Log) -> None:
    for table_id in (new_id(), "", "no dot", "}{", "ff"):
        assert await log.read(table_id, 0, 10) == Page(0, (), GENESIS)
        assert await log.names(table_id) == {}


async def test_who_appends_is_told_how_many_watch(logs: tuple[Log, Log]) -> None:
    table_id, told = new_id(), []
    async with AsyncExitStack() as stack:
        append = appending(table_id, GENESIS, b"first")
        for log in logs:
            outcome = await logs[0].append(append)
            assert isinstance(outcome, Committed)
            told.append(outcome.told)
            await stack.enter_async_context(log.watch(table_id, lambda push: None))
            append = appending(table_id, append.head, b"another")
        outcome = await logs[1].append(append)
        assert isinstance(outcome, Committed)
        assert [*told, outcome.told] == [0, 1, 2]


async def test_of_many_appends_on_one_head_one_is_committed_and_the_others_get_what_they_missed(
    logs: tuple[Log, Log],
) -> None:
    table_id = new_id()
    racing = [appending(table_id, GENESIS, f"entry {number}".encode()) for number in range(20)]
    outcomes = await asyncio.gather(*(logs[number % 2].append(append) for number, append in enumerate(racing)))
    winners = [append for append, outcome in zip(racing, outcomes, strict=True) if outcome == Committed()]
    assert len(winners) == 1
    missed = Behind(Page(0, winners[0].entries, winners[0].head))
    assert [outcome for outcome in outcomes if outcome != Committed()] == [missed] * 19


async def test_entries_of_one_append_stand_together(logs: tuple[Log, Log]) -> None:
    table_id = new_id()

    async def add_groups(log: Log, name: int) -> None:
        seen = GENESIS
        for number in range(10):
            group = tuple(f"{name} {number} {part}".encode() for part in range(3))
            while isinstance(outcome := await log.append(append := appending(table_id, seen, *group)), Behind):
                seen = outcome.page.head
            assert outcome == Committed()
            seen = append.head

    await asyncio.gather(*(add_groups(logs[name % 2], name) for name in range(6)))
    entries = await read_all(logs[0], table_id)
    assert len(entries) == 6 * 10 * 3
    for first in range(0, len(entries), 3):
        group = [entry.rpartition(b" ") for entry in entries[first : first + 3]]
        assert [part for _, _, part in group] == [b"0", b"1", b"2"]
        assert len({name for name, _, _ in group}) == 1


async def test_a_head_ahead_of_the_log_is_a_fork(log: Log) -> None:
    table_id = new_id()
    first = appending(table_id, GENESIS, b"first")
    await log.append(first)
    lost = appending(table_id, first.head, b"lost in a failover")
    assert await log.append(appending(table_id, lost.head, b"next")) == Forked(first.head)
    assert await read_all(log, table_id) == (b"first",)


async def test_the_same_version_with_another_hash_is_a_fork(log: Log) -> None:
    table_id = new_id()
    first, other = appending(table_id, GENESIS, b"first"), appending(table_id, GENESIS, b"other")
    await log.append(first)
    assert await log.append(appending(table_id, other.head, b"next")) == Forked(first.head)
    assert await read_all(log, table_id) == (b"first",)


async def test_a_table_the_log_has_lost_is_a_fork(log: Log) -> None:
    table_id = new_id()
    lost = appending(table_id, GENESIS, b"lost")
    assert await log.append(appending(table_id, lost.head, b"next")) == Forked(GENESIS)


async def test_an_ended_table_takes_no_entry_but_first_tells_what_was_missed(log: Log) -> None:
    table_id = new_id()
    last = appending(table_id, GENESIS, b"first", b"last", ends=True)
    await log.append(last)
    assert await log.append(appending(table_id, GENESIS, b"late")) == Behind(Page(0, (b"first", b"last"), last.head))
    assert await log.append(appending(table_id, last.head, b"late")) == Ended()
    assert await read_all(log, table_id) == (b"first", b"last")


async def test_an_append_without_entries_asks_whether_the_head_is_the_newest(log: Log) -> None:
    table_id = new_id()
    inbox = Inbox()
    async with log.watch(table_id, inbox.put_nowait):
        assert await log.append(appending(table_id, GENESIS)) == Committed()
        first = appending(table_id, GENESIS, b"first")
        await log.append(first)
        assert await log.append(appending(table_id, GENESIS)) == Behind(Page(0, (b"first",), first.head))
        assert await log.append(appending(table_id, first.head)) == Committed()
        assert await soon(inbox) == Page(0, (b"first",), first.head)
    assert await log.read(table_id, 0, 10) == Page(0, (b"first",), first.head)


async def test_a_rematch_is_noted_beside_the_table_before_by_its_first_entry(logs: tuple[Log, Log]) -> None:
    one, two = logs
    first, second, lost = new_id("07"), new_id("07"), new_id("07")
    await one.append(appending(first, GENESIS, b"first", ends=True))
    assert await two.rematch(first) == ""
    await two.append(replace(appending(second, GENESIS, b"first"), rematch_of=first))
    assert [await log.rematch(first) for log in logs] == [second, second]
    assert (await one.read(first, 0, 1)).head.version == 1
    await one.append(replace(appending(new_id("07"), GENESIS, b"first"), rematch_of=lost))
    assert (await one.rematch(lost), (await one.read(lost, 0, 1)).head) == ("", GENESIS)


async def test_names_come_with_the_first_entry_and_not_with_a_refused_one(log: Log) -> None:
    table_id = new_id()
    first = appending(table_id, GENESIS, b"first", names={1: "Änne", 2: "Bo"})
    await log.append(first)
    assert await log.append(appending(table_id, GENESIS, b"late", names={1: "Eve"})) != Committed()
    await log.append(appending(table_id, first.head, b"second"))
    assert await log.names(table_id) == {1: "Änne", 2: "Bo"}


async def test_entries_are_kept_byte_for_byte(log: Log) -> None:
    table_id = new_id()
    entries = (b"", b"\x00", b"\r\n$-1\r\n", bytes(range(256)), b"x" * 100_000)
    inbox = Inbox()
    async with log.watch(table_id, inbox.put_nowait):
        append = appending(table_id, GENESIS, *entries)
        await log.append(append)
        assert await soon(inbox) == Page(0, entries, append.head)
    assert await read_all(log, table_id) == entries


async def test_a_big_backlog_comes_in_pages(log: Log) -> None:
    table_id = new_id()
    entries = tuple(str(number).encode() for number in range(2 * PAGE_ENTRIES + 1))
    await log.append(appending(table_id, GENESIS, *entries))
    behind = await log.append(appending(table_id, GENESIS, b"late"))
    assert isinstance(behind, Behind)
    assert behind.page.entries == entries[:PAGE_ENTRIES]
    assert (await log.read(table_id, 3, 10 * PAGE_ENTRIES)).entries == entries[3 : 3 + PAGE_ENTRIES]
    assert await read_all(log, table_id) == entries


async def test_a_page_holds_a_limited_number_of_bytes_but_one_entry_at_least(log: Log) -> None:
    table_id = new_id()
    half, huge = b"h" * (PAGE_BYTES // 2), b"H" * (PAGE_BYTES + 1)
    await log.append(appending(table_id, GENESIS, half, half, b"small", huge, b"small"))
    assert (await log.read(table_id, 0, 10)).entries == (half, half)
    assert (await log.read(table_id, 2, 10)).entries == (b"small",)
    assert (await log.read(table_id, 3, 10)).entries == (huge,)
    assert await read_all(log, table_id) == (half, half, b"small", huge, b"small")


async def test_pushes_reach_every_log_in_order(logs: tuple[Log, Log]) -> None:
    table_id = new_id()
    inboxes = [Inbox(), Inbox(), Inbox()]
    async with (
        logs[0].watch(table_id, inboxes[0].put_nowait),
        logs[1].watch(table_id, inboxes[1].put_nowait),
        logs[1].watch(table_id, inboxes[2].put_nowait),
    ):
        seen, pushed = GENESIS, []
        for number in range(50):
            append = appending(table_id, seen, b"a%d" % number, b"b%d" % number, ends=number == 49)
            assert await logs[number % 2].append(append) == Committed()
            pushed.append(Page(seen.version, append.entries, append.head))
            seen = append.head
        for inbox in inboxes:
            assert [await soon(inbox) for _ in pushed] == pushed


async def test_who_leaves_hears_no_more_and_who_stays_does(log: Log) -> None:
    table_id = new_id()
    stays, leaves = Inbox(), Inbox()
    first = appending(table_id, GENESIS, b"first")
    async with log.watch(table_id, stays.put_nowait):
        async with log.watch(table_id, leaves.put_nowait):
            pass
        await log.append(first)
        assert await soon(stays) == Page(0, (b"first",), first.head)
    async with log.watch(table_id, stays.put_nowait):  # again, after the last had left
        second = appending(table_id, first.head, b"second")
        await log.append(second)
        assert await soon(stays) == Page(1, (b"second",), second.head)
    assert leaves.empty()


@pytest.mark.parametrize("seed", range(5))
async def test_any_order_of_appends_ends_as_it_does_in_memory(logs: tuple[Log, Log], seed: int) -> None:
    chance = random.Random(seed)
    memory = MemoryLog()
    table_ids = [new_id() for _ in range(3)]
    known: dict[str, list[Head]] = {table_id: [GENESIS] for table_id in table_ids}
    for number in range(200):
        table_id = chance.choice(table_ids)
        entries = [b"%d %d" % (number, part) for part in range(chance.choice((0, 1, 1, 1, 2, 3)))]
        seen = chance.choice((*known[table_id][-3:], known[table_id][-1]))
        append = appending(table_id, seen, *entries, ends=number > 150 and chance.random() < 0.2)
        outcome = await memory.append(append)
        assert await logs[number % 2].append(append) == outcome
        if outcome == Committed() or chance.random() < 0.1:  # sometimes go on from a head that never was
            known[table_id].append(append.head)
        after = chance.randrange(5)
        assert await logs[0].read(table_id, after, 7) == await memory.read(table_id, after, 7)
