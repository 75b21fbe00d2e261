"""The tables that people find: in memory, in Valkey, in Redis 7."""

import secrets
from dataclasses import replace

import pytest

from service.log import GENESIS, Append, Behind, Committed, Log
from tests.tables import appending, new_id

NOW = 1_700_000_000_000


@pytest.fixture
def game() -> str:
    """Return a game that no other test lists tables of."""
    return f"game_{secrets.token_hex(8)}"


def listing(append: Append, game: str, now_ms: int, *, listed: bool = True) -> Append:
    return replace(append, lobby=game, listed=listed, now_ms=now_ms)


async def opened_table(log: Log, game: str, now_ms: int, shard: str | None = None) -> Append:
    """List a new table, and return its first append."""
    append = listing(appending(new_id(shard), GENESIS, b"first"), game, now_ms)
    assert await log.append(append) == Committed()
    return append


async def ids(log: Log, game: str) -> list[str]:
    return [table_id for _, table_id in await log.lobby(game, None, 100)]


async def test_a_lobby_has_the_listed_tables_of_one_game_the_oldest_first(log: Log, game: str) -> None:
    tables = [await opened_table(log, game, NOW - number) for number in range(5)]
    await opened_table(log, f"{game}_too", NOW)
    await log.append(appending(new_id(), GENESIS, b"first"))
    assert await log.lobby(game, None, 100) == [(NOW - n, tables[n].table_id) for n in (4, 3, 2, 1, 0)]


async def test_a_table_keeps_its_place_until_it_is_listed_no_longer(log: Log, game: str) -> None:
    table, other = await opened_table(log, game, NOW), await opened_table(log, game, NOW + 1)
    second = listing(appending(table.table_id, table.head, b"second"), game, NOW + 2)
    third = appending(table.table_id, second.head, b"third")  # says nothing of the lobby
    for append in (second, third):
        assert await log.append(append) == Committed()
        assert await ids(log, game) == [table.table_id, other.table_id]
    fourth = appending(table.table_id, third.head, b"fourth")
    assert await log.append(listing(fourth, game, NOW + 3, listed=False)) == Committed()
    assert await ids(log, game) == [other.table_id]


async def test_an_append_that_is_not_written_changes_no_lobby(log: Log, game: str) -> None:
    table = await opened_table(log, game, NOW)
    late = appending(table.table_id, GENESIS, b"late")
    assert isinstance(await log.append(listing(late, game, NOW, listed=False)), Behind)
    assert await ids(log, game) == [table.table_id]


@pytest.mark.parametrize("size", [1, 2, 7, 100])
async def test_pages_bring_each_table_once_though_others_come_and_go(log: Log, game: str, size: int) -> None:
    # Some were listed in the same millisecond, and some of these lie in the same shard.
    tables = [await opened_table(log, game, NOW + number // 4, "5a" if number % 2 else None) for number in range(12)]
    expected = sorted((table.now_ms, table.table_id) for table in tables)
    found: list[tuple[int, str]] = []
    while page := await log.lobby(game, found[-1] if found else None, size):
        assert len(page) <= size
        found += page
        gone = next(table for table in tables if table.table_id == page[-1][1])
        second = appending(gone.table_id, gone.head, b"second")
        await log.append(listing(second, game, NOW, listed=False))
    assert found == expected
