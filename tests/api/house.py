"""A server on a unix socket with real stubs, and what tests say to it again and again."""

import random
import uuid
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from stammtisch.double_tricks.v1 import double_tricks_pb2, service_pb2, service_pb2_grpc
from stammtisch.table.v1 import service_pb2 as table_service_pb2
from stammtisch.table.v1 import service_pb2_grpc as table_service_pb2_grpc
from stammtisch.table.v1 import table_pb2

from service.api.attendance import Attendance
from service.api.guests import Guests
from service.api.limits import ApiLimits
from service.api.server import Server
from service.api.tokens import Tokens
from service.table import Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import replica

Metadata = tuple[tuple[str, str], ...]
TOKEN_KEYS = {"t1": b"1" * 32}
CREATOR_KEY, AUDITOR_KEY = "creator-key-0123456789", "auditor-key-0123456789"
SHORT = double_tricks_pb2.Options(hand_sizes=[1, 2], sets=1)
NAMES = ("Ada Lovelace", "Grace Hopper")
PRESENCE = ("grace_seconds", "lease_seconds", "now_ms")
PLENTY = {"commands_a_second": 1e6, "command_burst": 10**6}


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


def new_id() -> str:
    return str(uuid.uuid4())


@dataclass(frozen=True)
class Created:
    """A table and its tokens, as metadata."""

    table_id: str
    admin: Metadata
    seats: Mapping[int, Metadata]


@dataclass(frozen=True)
class House:
    """A server and how to call it."""

    log: FaultyLog
    guests: Guests
    server: Server
    raw: Any  # the channel
    table: Any  # the stubs
    game: Any

    async def create(self, metadata: Metadata = (), **fields: Any) -> Created:
        """Create a short table for two, unless told otherwise."""
        seats = [table_pb2.NewSeat(name=name) for name in NAMES]
        request = service_pb2.CreateTableRequest(**{"command_id": new_id(), "seats": seats, "options": SHORT, **fields})
        answer = await self.game.CreateTable(request, metadata=metadata)
        seats_metadata = {each.seat: bearer(each.token) for each in answer.seat_tokens}
        return Created(answer.table_id, bearer(answer.admin_token), seats_metadata)

    async def view(self, created: Created, seat: int | None = 1, **fields: Any) -> service_pb2.GetViewResponse:
        metadata = created.seats[seat] if seat else ()
        request = service_pb2.GetViewRequest(table_id=created.table_id, **fields)
        answer: service_pb2.GetViewResponse = await self.game.GetView(request, metadata=metadata)
        return answer

    async def move(self, created: Created, chance: random.Random | None = None) -> Any:
        """Do a legal command of the seat whose turn it is."""
        (seat,) = (await self.view(created)).table.seats_to_act
        legal = (await self.view(created, seat)).legal
        return await self.act(created, seat, chance.choice(legal) if chance else legal[0])

    async def act(self, created: Created, seat: int, command: double_tricks_pb2.Command, **fields: Any) -> Any:
        request = acting(created, command, **fields)
        call = self.game.Bid if command.HasField("bid") else self.game.PlayCard
        return await call(request, metadata=created.seats[seat])

    async def play(self, created: Created) -> Any:
        """Play to the end."""
        while True:
            answer = await self.move(created)
            if answer.table.status != table_pb2.STATUS_RUNNING:
                return answer

    def watch(self, created: Created, seat: int | None = 1, **fields: Any) -> Any:
        request = service_pb2.WatchViewRequest(table_id=created.table_id, **fields)
        return self.game.WatchView(request, metadata=created.seats[seat] if seat else ())

    def watch_log(self, created: Created, after: int = 0) -> Any:
        request = table_service_pb2.WatchLogRequest(table_id=created.table_id, after=after)
        return self.table.WatchLog(request, metadata=created.seats[1])

    async def entries(self, created: Created, **fields: Any) -> table_service_pb2.GetLogResponse:
        request = table_service_pb2.GetLogRequest(table_id=created.table_id, **fields)
        answer: table_service_pb2.GetLogResponse = await self.table.GetLog(request, metadata=created.seats[1])
        return answer

    async def close(self, created: Created) -> table_service_pb2.CloseTableResponse:
        request = table_service_pb2.CloseTableRequest(table_id=created.table_id, command_id=new_id())
        answer: table_service_pb2.CloseTableResponse = await self.table.CloseTable(request, metadata=created.admin)
        return answer


def acting(created: Created, command: double_tricks_pb2.Command, **fields: Any) -> Any:
    """Return the request that gives a command."""
    kind = command.WhichOneof("command")
    request: Any = service_pb2.BidRequest if kind == "bid" else service_pb2.PlayCardRequest
    return request(
        **{"table_id": created.table_id, "command_id": new_id(), "command": getattr(command, kind or ""), **fields}
    )


@asynccontextmanager
async def house(
    path: Path, *, log: FaultyLog | None = None, tables: Tables | None = None, reflect: bool = False, **settings: Any
) -> AsyncIterator[House]:
    """Open a server; settings are fields of ApiLimits, what Attendance takes, and `anybody_creates`."""
    log = log or FaultyLog()
    tables = tables or replica(log)
    presence = {name: settings.pop(name) for name in PRESENCE if name in settings}
    anybody = settings.pop("anybody_creates", True)
    tokens = settings.pop("tokens", None) or Tokens(TOKEN_KEYS, "t1", {"shop": CREATOR_KEY}, {"auditor": AUDITOR_KEY})
    limits = ApiLimits(**{**PLENTY, **settings})
    guests = Guests(tables, Attendance(tables, log, **presence), tokens, limits, anybody_creates=anybody)
    server = Server(guests, reflect=reflect)
    await server.start(f"unix:{path}")
    async with grpc.aio.insecure_channel(f"unix:{path}") as channel:
        try:
            game = service_pb2_grpc.DoubleTricksServiceStub(channel)
            table = table_service_pb2_grpc.TableServiceStub(channel)
            yield House(log, guests, server, channel, table, game)
        finally:
            await server.stop(0)


async def rest(stream: Any) -> list[Any]:
    """Return all that a stream still brings."""
    messages = []
    while (message := await stream.read()) != grpc.aio.EOF:
        messages.append(message)
    return messages


@dataclass(frozen=True)
class Failed:
    """What a call failed with."""

    code: grpc.StatusCode
    sentence: str
    info: error_details_pb2.ErrorInfo
    others: tuple[Message, ...]

    @property
    def kind(self) -> tuple[str, str]:
        return self.code.name, self.info.reason

    def detail(self, kind: type[Any]) -> Any:
        (found,) = [other for other in self.others if isinstance(other, kind)]
        return found


DETAILS = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.BadRequest,
    error_details_pb2.RetryInfo,
    double_tricks_pb2.Refusal,
)


async def failed(call: Awaitable[Any]) -> Failed:
    """Return what a call fails with: a code, a sentence and exactly one ErrorInfo."""
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call
    return failure(raised.value)


async def stream_failed(call: Any) -> Failed:
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        async for _ in call:
            pass
    return failure(raised.value)


def failure(error: grpc.aio.AioRpcError) -> Failed:
    packed = [value for key, value in error.trailing_metadata() or () if key == "grpc-status-details-bin"]
    assert packed, f"{error.code()} without details: {error.details()}"
    status = status_pb2.Status.FromString(packed[0])
    assert (status.code, status.message) == (error.code().value[0], error.details())
    details = []
    for packed_detail in status.details:
        (kind,) = [kind for kind in DETAILS if packed_detail.Is(kind.DESCRIPTOR)]
        detail = kind()
        packed_detail.Unpack(detail)
        details.append(detail)
    (info,) = [detail for detail in details if isinstance(detail, error_details_pb2.ErrorInfo)]
    assert info.domain in {"stammtisch", "double_tricks.stammtisch"}
    assert status.message
    return Failed(error.code(), status.message, info, tuple(other for other in details if other is not info))
