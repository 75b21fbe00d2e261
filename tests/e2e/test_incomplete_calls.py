"""Calls that end before their message is whole: they are answered, never left waiting."""

import struct
from collections.abc import Iterator

import grpc
import httpx
import pytest

from tests.house.program import OPEN, SERVICE, running
from tests.house.upstream import METHODS
from tests.stores import free_port

OURS = [path for path in METHODS if path.startswith("/stammtisch.")]
NOTHING, HALF = b"", struct.pack(">BI", 0, 60) + b"\x0a\x15"


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The front door and the gRPC service of a running house."""
    listen, service = (f"127.0.0.1:{free_port()}" for _ in range(2))
    data = tmp_path_factory.mktemp("incomplete") / "data"
    with running(module=SERVICE, data=data, listen=listen, grpc_listen=service) as program:
        program.says(OPEN)
        yield listen, service


@pytest.mark.parametrize("path", OURS)
def test_a_call_without_a_message_is_refused_at_once(addresses: tuple[str, str], path: str) -> None:
    for address in addresses:
        with grpc.insecure_channel(address) as channel, pytest.raises(grpc.RpcError) as raised:
            list(channel.stream_stream(path)(iter(()), timeout=10))
        assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert "No whole message came" in str(raised.value.details())


@pytest.mark.parametrize("path", OURS)
@pytest.mark.parametrize("content", [NOTHING, HALF])
def test_half_a_message_is_refused_at_once(addresses: tuple[str, str], path: str, content: bytes) -> None:
    kind = {"content-type": "application/grpc-web+proto"}
    answer = httpx.post(f"http://{addresses[0]}{path}", content=content, headers=kind, timeout=10)
    assert (answer.status_code, answer.headers["grpc-status"]) == (200, "3")
