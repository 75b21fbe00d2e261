"""All want a rematch at once, through two service processes on one store: they come to one table."""

import asyncio
from pathlib import Path
from typing import Any

from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.double_tricks.v1.service_pb2_grpc import DoubleTricksServiceStub
from stammtisch.table.v1 import service_pb2, table_pb2
from stammtisch.table.v1.service_pb2_grpc import TableServiceStub

from tests.e2e.test_last_seat import KEY, new_id
from tests.torture.caller import authorization
from tests.torture.complaints import complaints
from tests.torture.fleet import sailing

TABLES = 50
AT_A_TIME = 10
NAMES = ("Ada", "Bo", "Cleo", "Dee")


async def again(service: Any, table_id: str, token: str) -> Any:
    request = service_pb2.RematchRequest(table_id=table_id, command_id=new_id())
    return await TableServiceStub(service.channel).Rematch(request, metadata=authorization(token))


async def race(services: Any) -> None:
    first, second = services
    seats = [table_pb2.NewSeat(name=name) for name in NAMES]
    asking = game_pb2.CreateTableRequest(command_id=new_id(), seats=seats)
    created = await DoubleTricksServiceStub(first.channel).CreateTable(asking)
    closing = service_pb2.CloseTableRequest(table_id=created.table_id, command_id=new_id())
    await TableServiceStub(first.channel).CloseTable(closing, metadata=authorization(created.admin_token))
    tokens = [each.token for each in created.seat_tokens]
    calls = [again(service, created.table_id, token) for token in tokens for service in (first, second)]
    *answers, admins = await asyncio.gather(*calls, again(second, created.table_id, created.admin_token))
    assert {answer.table_id for answer in answers} == {admins.table_id}
    assert sum(not answer.duplicate for answer in answers) == len(NAMES)
    await _all_sit_there([answer for answer in answers if not answer.duplicate], second)


async def _all_sit_there(answers: Any, service: Any) -> None:
    game = DoubleTricksServiceStub(service.channel)
    for answer in answers:
        asking = game_pb2.GetViewRequest(table_id=answer.table_id)
        view = await game.GetView(asking, metadata=authorization(answer.token))
        assert (view.seat, view.table.status) == (answer.seat, table_pb2.STATUS_RUNNING)
        assert tuple(seat.name for seat in view.table.seats) == NAMES


async def test_four_want_a_rematch_through_two_processes_and_come_to_one_table(tmp_path: Path) -> None:
    limit = asyncio.Semaphore(AT_A_TIME)

    async def limited(services: Any) -> None:
        async with limit:
            await race(services)

    async with sailing(2, tmp_path, KEY) as fleet, asyncio.TaskGroup() as races:
        for number in range(TABLES):
            races.create_task(limited(fleet.services if number % 2 else fleet.services[::-1]))
    assert complaints(tmp_path) == []
