"""Headers that gRPC reads itself, and cannot read: callers share the front door's connection to the service."""

import uuid
from collections.abc import Iterator

import grpc
import httpx
import pytest
from stammtisch.table.v1 import service_pb2, service_pb2_grpc

from tests.house.program import OPEN, SERVICE, running
from tests.stores import free_port

CALLS = 5


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    listen = f"127.0.0.1:{free_port()}"
    with running(module=SERVICE, data=tmp_path_factory.mktemp("headers") / "data", listen=listen) as program:
        program.says(OPEN)
        yield listen


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("grpc-timeout", ""),
        ("grpc-timeout", "soon"),
        ("grpc-timeout", "999999999S"),
        ("grpc-encoding", "snappy"),
        ("grpc-previous-rpc-attempts", "many"),
        ("grpc-retry-pushback-ms", "soon"),
        ("grpc-status", "fine"),
        ("grpc-trace-bin", "!"),
        ("lb-cost-bin", "YQ"),
        ("x-bin", "!"),
    ],
)
def test_a_header_that_cannot_be_read_fails_neither_its_own_call_nor_those_of_others(
    door: str, name: str, value: str
) -> None:
    assert httpx.get(f"http://{door}/v1/games", headers={name: value}).status_code == 200
    with grpc.insecure_channel(door) as channel:
        tables = service_pb2_grpc.TableServiceStub(channel)
        for seconds in range(10, 10 + CALLS):
            assert tables.ListGames(service_pb2.ListGamesRequest(), timeout=seconds).games


def test_a_deadline_that_can_be_read_ends_a_stream_that_would_go_on(door: str) -> None:
    tables = f"http://{door}/v1/double-tricks/tables"
    created = httpx.post(tables, json={"commandId": str(uuid.uuid4()), "seats": [{}, {}]}).json()
    who = {"authorization": f"Bearer {created['seatTokens'][0]['token']}", "grpc-timeout": "100m"}
    assert httpx.get(f"{tables}/{created['tableId']}:watch", headers=who, timeout=10).text.count("snapshot") == 1
