"""Who may do what: every kind of caller at every call."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from stammtisch.double_tricks.v1 import double_tricks_pb2, service_pb2
from stammtisch.table.v1 import service_pb2 as table_service_pb2

from tests.api.house import (
    AUDITOR_KEY,
    CREATOR_KEY,
    Created,
    House,
    Metadata,
    acting,
    bearer,
    failed,
    house,
    new_id,
)

OK, REFUSED = ("OK", ""), ("FAILED_PRECONDITION", "NOT_YOUR_TURN")
MISSING, INVALID = ("UNAUTHENTICATED", "TOKEN_MISSING"), ("UNAUTHENTICATED", "TOKEN_INVALID")
DENIED, HIDDEN = ("PERMISSION_DENIED", "NOT_YOUR_ROLE"), ("NOT_FOUND", "TABLE_NOT_FOUND")
ELSEWHERE = "00.aaaaaaaaaaaaaaaaaa"


async def callers(home: House, created: Created) -> dict[str, Metadata]:
    (turn,) = (await home.view(created)).table.seats_to_act
    other = await home.create(bearer(CREATOR_KEY))
    return {
        "nobody": (),
        "seat": created.seats[turn],
        "other seat": created.seats[3 - turn],
        "seat elsewhere": other.seats[1],
        "admin": created.admin,
        "admin elsewhere": other.admin,
        "creator": bearer(CREATOR_KEY),
        "auditor": bearer(AUDITOR_KEY),
        "garbage": bearer("garbage"),
    }


Calls = dict[str, Callable[[Metadata], Awaitable[Any]]]


async def calls(home: House, created: Created) -> Calls:
    """Return every call; none changes what the next may do."""
    (turn,) = (await home.view(created)).table.seats_to_act
    command = (await home.view(created, turn)).legal[0]
    here: dict[str, Any] = {"table_id": created.table_id}
    closing = table_service_pb2.CloseTableRequest(**here, command_id=new_id(), expected_version=99)
    creating = service_pb2.CreateTableRequest(command_id=new_id(), seats=[{}, {}])  # type: ignore[list-item]
    bid, play = acting(created, command), service_pb2.PlayCardRequest(**here, command_id=new_id())
    play.command.card, play.command.motif = "CA/H2", "CA"

    async def first(stream: Any) -> Any:
        frame = await stream.read()
        stream.cancel()
        return frame

    return {
        "CreateTable": lambda who: home.game.CreateTable(creating, metadata=who),
        "Bid": lambda who: home.game.Bid(bid, metadata=who),
        "PlayCard": lambda who: home.game.PlayCard(play, metadata=who),
        "GetView": lambda who: home.game.GetView(service_pb2.GetViewRequest(**here), metadata=who),
        "WatchView": lambda who: first(home.game.WatchView(service_pb2.WatchViewRequest(**here), metadata=who)),
        "WatchEvents": lambda who: first(home.game.WatchEvents(service_pb2.WatchViewRequest(**here), metadata=who)),
        "ListGames": lambda who: home.table.ListGames(table_service_pb2.ListGamesRequest(), metadata=who),
        "GetTable": lambda who: home.table.GetTable(table_service_pb2.GetTableRequest(**here), metadata=who),
        "CloseTable": lambda who: home.table.CloseTable(closing, metadata=who),
        "GetLog": lambda who: home.table.GetLog(table_service_pb2.GetLogRequest(**here), metadata=who),
        "WatchLog": lambda who: first(home.table.WatchLog(table_service_pb2.WatchLogRequest(**here), metadata=who)),
    }


SEEING = ("GetView", "WatchView", "WatchEvents", "GetTable", "GetLog", "WatchLog")
NO_BIDS_LEFT = ("FAILED_PRECONDITION", "BIDDING_NOT_OVER")
STALE = ("ABORTED", "VERSION_STALE")

EXPECTED: dict[str, dict[str, tuple[str, str]]] = {
    "nobody": {"CreateTable": MISSING, "Bid": MISSING, "PlayCard": MISSING, "CloseTable": MISSING, "see": HIDDEN},
    "seat": {"CreateTable": DENIED, "Bid": OK, "PlayCard": NO_BIDS_LEFT, "CloseTable": DENIED, "see": OK},
    "other seat": {"CreateTable": DENIED, "Bid": REFUSED, "PlayCard": NO_BIDS_LEFT, "CloseTable": DENIED, "see": OK},
    "seat elsewhere": {
        "CreateTable": DENIED,
        "Bid": DENIED,
        "PlayCard": DENIED,
        "CloseTable": DENIED,
        "see": DENIED,
    },
    "admin": {"CreateTable": DENIED, "Bid": DENIED, "PlayCard": DENIED, "CloseTable": STALE, "see": OK},
    "admin elsewhere": {
        "CreateTable": DENIED,
        "Bid": DENIED,
        "PlayCard": DENIED,
        "CloseTable": DENIED,
        "see": DENIED,
    },
    "creator": {"CreateTable": OK, "Bid": DENIED, "PlayCard": DENIED, "CloseTable": DENIED, "see": HIDDEN},
    "auditor": {"CreateTable": DENIED, "Bid": DENIED, "PlayCard": DENIED, "CloseTable": DENIED, "see": OK},
    "garbage": {"CreateTable": INVALID, "Bid": INVALID, "PlayCard": INVALID, "CloseTable": INVALID, "see": INVALID},
}


@pytest.mark.parametrize("who", EXPECTED)
async def test_each_caller_may_do_what_the_table_of_roles_says(socket: Path, who: str) -> None:
    async with house(socket, anybody_creates=False) as home:
        created = await home.create(bearer(CREATOR_KEY))
        metadata = (await callers(home, created))[who]
        listing = INVALID if who == "garbage" else OK
        expected = EXPECTED[who] | dict.fromkeys(SEEING, EXPECTED[who]["see"]) | {"ListGames": listing}
        for name, call in (await calls(home, created)).items():
            if expected[name] == OK:
                assert await call(metadata) is not None, name
            else:
                assert (await failed(call(metadata))).kind == expected[name], name


async def test_anybody_who_knows_the_id_sees_what_everybody_sees_where_spectators_are_allowed(home: House) -> None:
    created = await home.create(spectators=True)
    for metadata in ((), bearer(CREATOR_KEY), bearer(AUDITOR_KEY), created.admin):
        view = await home.game.GetView(service_pb2.GetViewRequest(table_id=created.table_id), metadata=metadata)
        assert not view.view.hand
        assert not view.legal
    other = await home.create()
    request = service_pb2.GetViewRequest(table_id=created.table_id)
    assert (await failed(home.game.GetView(request, metadata=other.seats[1]))).kind == DENIED


@pytest.mark.parametrize("who", ["nobody", "creator", "seat elsewhere", "admin elsewhere"])
async def test_a_hidden_table_and_a_missing_one_cannot_be_told_apart(socket: Path, who: str) -> None:
    async with house(socket, anybody_creates=False) as home:
        created = await home.create(bearer(CREATOR_KEY))
        metadata = (await callers(home, created))[who]
        hidden = await calls(home, created)
        for call in hidden:
            if call in {"CreateTable", "ListGames"}:
                continue
            there = await failed(hidden[call](metadata))
            gone = await failed(_elsewhere(home, call)(metadata))
            assert (there.kind, there.sentence, there.info.metadata) == (gone.kind, gone.sentence, gone.info.metadata)


def _elsewhere(home: House, name: str) -> Callable[[Metadata], Awaitable[Any]]:
    """Return a call for a table that is not there."""
    here: dict[str, Any] = {"table_id": ELSEWHERE}
    bid = service_pb2.BidRequest(**here, command_id=new_id(), command=double_tricks_pb2.Bid(tricks=0))
    requests: dict[str, tuple[Any, Any]] = {
        "Bid": (home.game.Bid, bid),
        "PlayCard": (home.game.PlayCard, service_pb2.PlayCardRequest(**here, command_id=new_id())),
        "GetView": (home.game.GetView, service_pb2.GetViewRequest(**here)),
        "WatchView": (home.game.WatchView, service_pb2.WatchViewRequest(**here)),
        "WatchEvents": (home.game.WatchEvents, service_pb2.WatchViewRequest(**here)),
        "GetTable": (home.table.GetTable, table_service_pb2.GetTableRequest(**here)),
        "CloseTable": (home.table.CloseTable, table_service_pb2.CloseTableRequest(**here, command_id=new_id())),
        "GetLog": (home.table.GetLog, table_service_pb2.GetLogRequest(**here)),
        "WatchLog": (home.table.WatchLog, table_service_pb2.WatchLogRequest(**here)),
    }
    method, request = requests[name]

    async def call(metadata: Metadata) -> Any:
        answer = method(request, metadata=metadata)
        return await (answer.read() if hasattr(answer, "read") else answer)

    return call
