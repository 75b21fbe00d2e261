"""The lobby: whoever lists a table lets anybody find it, look at it and sit down, until its game begins."""

import asyncio
from typing import Any

import pytest
from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.table.v1 import service_pb2, table_pb2

from service.log import GENESIS
from tests.api.house import SHORT, Created, House, bearer, failed, house, new_id
from tests.open_logs import eventually
from tests.tables import appending
from tests.test_lobby import listing

OPEN = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
ADA = table_pb2.NewSeat(name="Ada Lovelace")
LISTED = table_pb2.Terms(listed=True)


async def opened(home: House, *, terms: table_pb2.Terms = LISTED, **fields: Any) -> Any:
    """Return the answer to the creation of a table with an open seat."""
    return await home.game.CreateTable(
        game_pb2.CreateTableRequest(
            **{"command_id": new_id(), "seats": (ADA, OPEN), "options": SHORT, "terms": terms, **fields}
        )
    )


async def page(home: House, **fields: Any) -> Any:
    return await home.table.ListTables(service_pb2.ListTablesRequest(**{"game": "double_tricks", **fields}))


async def ids(home: House) -> list[str]:
    return [each.table.table_id for each in (await page(home)).tables]


async def join(home: House, table_id: str, **fields: Any) -> Any:
    known = {"table_id": table_id, "command_id": new_id()}
    return await home.table.JoinTable(service_pb2.JoinTableRequest(**{**known, **fields}))


def as_nobody(created: Any) -> Created:
    return Created(created.table_id, (), {})


async def test_listed_tables_are_found_the_oldest_first_and_others_are_not(home: House) -> None:
    tables = [(await opened(home)).table_id for _ in range(3)]
    await opened(home, terms=table_pb2.Terms())
    found = (await page(home)).tables
    assert sorted(each.table.table_id for each in found) == sorted(tables)
    created = [each.table.created.ToMilliseconds() for each in found]
    assert created == sorted(created)
    assert found[0].version == 1
    assert found[0].table.terms.listed
    assert (await page(home, game="romme10")).tables == []


async def test_a_table_leaves_the_lobby_when_its_game_begins_or_it_is_closed(home: House) -> None:
    begins, closed = await opened(home), await opened(home)
    await join(home, begins.table_id)
    assert await ids(home) == [closed.table_id]
    await home.close(Created(closed.table_id, bearer(closed.admin_token), {}))
    assert await ids(home) == []


async def test_a_listed_table_is_joined_without_a_code_once_for_each_command_id(home: House) -> None:
    created = await opened(home)
    command_id = new_id()
    first = await join(home, created.table_id, command_id=command_id, name="Grace")
    again = await join(home, created.table_id, command_id=command_id, name="Grace")
    assert (first.seat, first.table.status) == (2, table_pb2.STATUS_RUNNING)
    assert (again.seat, again.token, again.duplicate) == (2, first.token, True)
    late = await failed(join(home, created.table_id))
    assert late.kind == ("FAILED_PRECONDITION", "SEAT_NOT_OPEN")


async def test_a_listed_table_is_seen_by_everybody_until_its_game_begins(home: House) -> None:
    created = await opened(home)
    request = service_pb2.GetTableRequest(table_id=created.table_id)
    assert (await home.table.GetTable(request)).table.status == table_pb2.STATUS_FORMING
    assert (await home.view(as_nobody(created), None)).options == (
        await home.view(Created(created.table_id, (), {1: bearer(created.seat_tokens[0].token)}))
    ).options
    await join(home, created.table_id)
    for call in (home.table.GetTable(request), home.view(as_nobody(created), None)):
        assert (await failed(call)).kind == ("NOT_FOUND", "TABLE_NOT_FOUND")


async def test_who_only_found_a_table_in_the_lobby_cannot_stay_for_its_game(home: House) -> None:
    created = await opened(home)
    nobody = as_nobody(created)
    waiting = asyncio.create_task(failed(home.view(nobody, None, min_version=4)))
    await eventually(lambda: home.log.inboxes(created.table_id) == 1)
    log = home.table.GetLog(service_pb2.GetLogRequest(table_id=created.table_id))
    for call in (home.watch(nobody, None).read(), log):
        assert (await failed(call)).kind == ("NOT_FOUND", "TABLE_NOT_FOUND")
    await join(home, created.table_id)
    assert (await waiting).kind == ("NOT_FOUND", "TABLE_NOT_FOUND")


async def test_pages_follow_one_another_to_the_last(home: House) -> None:
    expected = {(await opened(home)).table_id for _ in range(7)}
    found: list[str] = []
    token, sizes = "", []
    while True:
        answer = await page(home, page_size=3, page_token=token)
        found += [each.table.table_id for each in answer.tables]
        sizes.append(len(answer.tables))
        if not (token := answer.next_page_token):
            break
    assert sizes == [3, 3, 1]
    assert set(found) == expected


async def test_what_is_gone_or_cannot_be_read_keeps_no_other_table_out_of_the_lobby(home: House) -> None:
    unreadable, gone = f"00.{'a' * 18}", f"ff.{'b' * 18}"
    await home.log.append(listing(appending(unreadable, GENESIS, b"no entry"), "double_tricks", 1))
    await home.log.append(listing(appending(gone, GENESIS), "double_tricks", 2))
    created = await opened(home)
    first = await page(home, page_size=2)
    assert (list(first.tables), bool(first.next_page_token)) == ([], True)
    second = await page(home, page_size=2, page_token=first.next_page_token)
    assert [each.table.table_id for each in second.tables] == [created.table_id]
    assert second.next_page_token == ""


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"game": ""}, "game"),
        ({"game": "poker"}, "game"),
        ({"page_size": -1}, "page_size"),
        ({"page_size": 51}, "page_size"),
        *(({"page_token": token}, "page_token") for token in ("?", "é", "AAAA", "MQ==", "x" * 101, "MSAyLjM=")),
    ],
)
async def test_what_no_page_can_have_is_refused_by_name(home: House, fields: Any, path: str) -> None:
    refused = await failed(page(home, **fields))
    assert refused.kind == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert refused.sentence.startswith(f"{path}: ")


async def test_looking_for_tables_counts_against_the_callers_limits(tmp_path: Any) -> None:
    async with house(tmp_path / "s", commands_a_second=0.001, command_burst=1) as home:
        await page(home)
        assert (await failed(page(home))).kind == ("RESOURCE_EXHAUSTED", "TOO_FAST")
