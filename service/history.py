"""What the log says: reading a table's entries to their end, and making sure that they hang together."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from service.fold import Step, Table, advance, begin
from service.log import GENESIS, Log, Page
from service.seal import MasterKeys

ENTRIES_A_READ = 1_000
ENTRIES_A_TURN = 50  # folded before the event loop does something else: a millisecond or two
READS_MAX = 1_000  # a log longer than so many reads is not one of ours


class NoSuchTable(Exception):
    """There is no such table."""


class LogDamaged(Exception):
    """The entries in the store do not make up the chain that their head says."""


async def missing(log: Log, table_id: str, after: int) -> Page:
    """Return all entries after a version."""
    entries: list[bytes] = []
    for _ in range(READS_MAX):
        page = await log.read(table_id, after + len(entries), ENTRIES_A_READ)
        entries += page.entries
        if after + len(entries) >= page.head.version:
            return Page(after, tuple(entries), page.head)
        if not page.entries:
            break
    raise LogDamaged(f"{table_id} has a head, but no entry after version {after + len(entries)}")


async def load(log: Log, table_id: str, keys: MasterKeys) -> Table:
    """Fold a table's whole log."""
    entries, names = await whole(log, table_id), await log.names(table_id)
    return (await last(table_id, entries, keys, names)).table


async def whole(log: Log, table_id: str) -> tuple[bytes, ...]:
    """Return all entries of a table, which make up its chain."""
    page = await missing(log, table_id, 0)
    if page.head == GENESIS:
        raise NoSuchTable(table_id)
    if GENESIS.after_all(table_id, page.entries) != page.head:
        raise LogDamaged(f"{table_id} is not the chain that its head says")
    return page.entries


async def last(table_id: str, entries: Sequence[bytes], keys: MasterKeys, names: Mapping[int, str]) -> Step:
    """Fold entries from the first one on, and return the last step."""
    newest: Step | None = None
    async for step in replay(table_id, entries, keys, names):
        newest = step
    assert newest is not None, "a log has a first entry"
    return newest


async def replay(
    table_id: str, entries: Sequence[bytes], keys: MasterKeys, names: Mapping[int, str]
) -> AsyncIterator[Step]:
    """Fold entries from the first one on, step by step, and let others have their turn in between."""
    step = begin(table_id, entries[0], keys, names)
    yield step
    for count, data in enumerate(entries[1:], 1):
        if count % ENTRIES_A_TURN == 0:
            await asyncio.sleep(0)
        step = advance(step.table, data)
        yield step


async def steps(log: Log, table_id: str, keys: MasterKeys) -> list[Step]:
    """Return everything that ever happened at a table."""
    entries, names = await whole(log, table_id), await log.names(table_id)
    return [step async for step in replay(table_id, entries, keys, names)]
