"""Two people want the last seat, through two service processes on one store: one sits down, the other is told."""

import asyncio
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

import grpc
from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.double_tricks.v1.service_pb2_grpc import DoubleTricksServiceStub
from stammtisch.table.v1 import service_pb2, table_pb2
from stammtisch.table.v1.service_pb2_grpc import TableServiceStub

from tests.torture.caller import authorization, reason_of
from tests.torture.complaints import complaints
from tests.torture.fleet import sailing

TABLES = 1_000
AT_A_TIME = 20
KEY = bytes(range(32))
SEATS = (table_pb2.NewSeat(name="host"), table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN))


def new_id() -> str:
    return str(uuid.uuid4())


async def join(service: Any, created: Any, name: str) -> Any:
    """Return the answer, or the reason why there is none."""
    request = service_pb2.JoinTableRequest(
        table_id=created.table_id, command_id=new_id(), invite_code=created.invite_code, name=name
    )
    try:
        return await TableServiceStub(service.channel).JoinTable(request)
    except grpc.aio.AioRpcError as error:
        return reason_of(error)


async def test_two_want_the_last_seat_a_thousand_times_and_one_of_them_gets_it(tmp_path: Path) -> None:
    outcomes = Counter[str]()
    limit = asyncio.Semaphore(AT_A_TIME)

    async def race(services: Any) -> None:
        async with limit:
            first, second = services
            game = DoubleTricksServiceStub(first.channel)
            created = await game.CreateTable(game_pb2.CreateTableRequest(command_id=new_id(), seats=SEATS))
            one, other = await asyncio.gather(join(first, created, "a"), join(second, created, "b"))
            joined, reason = (one, other) if isinstance(other, str) else (other, one)
            assert reason == "SEAT_NOT_OPEN"
            view = await game.GetView(
                game_pb2.GetViewRequest(table_id=created.table_id), metadata=authorization(joined.token)
            )
            assert (view.seat, view.table.status, len(view.view.hand)) == (2, table_pb2.STATUS_RUNNING, 1)
            outcomes[view.table.seats[1].name] += 1

    async with sailing(2, tmp_path, KEY) as fleet, asyncio.TaskGroup() as races:
        for number in range(TABLES):
            races.create_task(race(fleet.services if number % 2 else fleet.services[::-1]))
    assert complaints(tmp_path) == []
    assert outcomes.total() == TABLES
    assert outcomes.keys() == {"a", "b"}
