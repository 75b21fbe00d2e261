"""A service process is killed: those who were connected through it are gone, and once all are, so is the table."""

import asyncio
import uuid
from pathlib import Path
from typing import Any

from google.protobuf.duration_pb2 import Duration
from stammtisch.double_tricks.v1 import service_pb2
from stammtisch.double_tricks.v1.service_pb2_grpc import DoubleTricksServiceStub
from stammtisch.table.v1 import service_pb2 as table_service_pb2
from stammtisch.table.v1 import table_pb2
from stammtisch.table.v1.service_pb2_grpc import TableServiceStub

from service.audit import exported
from service.audit.exported import Exported
from service.audit.verify import verify
from tests.torture.caller import authorization
from tests.torture.complaints import complaints
from tests.torture.fleet import Service, sailing

KEY = bytes(range(32))
SOON = {"STAMMTISCH_PRESENCE_LEASE_SECONDS": "2", "STAMMTISCH_PRESENCE_GRACE_SECONDS": "0.1"}
PATIENCE = 60.0  # seconds until the test gives up waiting


async def create(service: Service) -> Any:
    seats = [table_pb2.NewSeat(name=name) for name in ("Ada", "Bo")]
    terms = table_pb2.Terms(gone_after=Duration(seconds=10))
    request = service_pb2.CreateTableRequest(command_id=str(uuid.uuid4()), seats=seats, terms=terms)
    return await DoubleTricksServiceStub(service.channel).CreateTable(request)


def watch(service: Service, created: Any, token: str) -> Any:
    request = service_pb2.WatchViewRequest(table_id=created.table_id)
    game: Any = DoubleTricksServiceStub(service.channel)
    return game.WatchView(request, metadata=authorization(token))


async def tables(stream: Any) -> Any:
    """Yield the table as every frame shows it."""
    while True:
        frame = await stream.read()
        if (kind := frame.WhichOneof("frame")) in ("snapshot", "step", "reset"):
            yield getattr(frame, kind).table


async def shown(stream: Any, *expected: bool) -> None:
    async for table in tables(stream):
        if [seat.connected for seat in table.seats] == list(expected):
            return


async def test_a_killed_process_takes_nobody_s_presence_along_and_a_deserted_table_ends(tmp_path: Path) -> None:
    async with asyncio.timeout(PATIENCE), sailing(2, tmp_path, KEY, SOON) as fleet:
        dying, staying = fleet.services
        created = await create(staying)
        ada, bo = (each.token for each in created.seat_tokens)
        onlooker = watch(staying, created, created.admin_token)
        adas = watch(dying, created, ada)
        await shown(onlooker, True, False)
        bos = watch(staying, created, bo)
        await shown(onlooker, True, True)
        await dying.process.kill()
        await shown(onlooker, False, True)
        bos.cancel()
        await shown(onlooker, False, False)
        async for table in tables(onlooker):
            if table.status == table_pb2.STATUS_ABANDONED:
                break
        adas.cancel()
        assert await verified(staying, created, ada) == "abandoned"
    assert complaints(tmp_path) == []


async def verified(service: Service, created: Any, token: str) -> str:
    request = table_service_pb2.GetLogRequest(table_id=created.table_id)
    stub: Any = TableServiceStub(service.channel)
    log = await stub.GetLog(request, metadata=authorization(token))
    entries = tuple(each.entry for each in log.entries)
    return verify(exported.write(Exported(created.table_id, entries))).status
