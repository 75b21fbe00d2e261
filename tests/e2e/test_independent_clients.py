"""Independent clients: tools that know nothing of this project, against the running front door."""

import base64
import json
import re
import shutil
import struct
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from stammtisch.table.v1 import service_pb2

from tests.fuzz.house import opened

DOUBLE = "stammtisch.double_tricks.v1.DoubleTricksService"
TABLES = "stammtisch.table.v1.TableService"
REST = "/v1/double-tricks/tables"
ORIGIN = "http://localhost:5173"
SECONDS = "10"
BUF = Path(sys.executable).parent / "buf"

CURL = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
GRPCURL = pytest.mark.skipif(shutil.which("grpcurl") is None, reason="grpcurl is not installed")


@dataclass(frozen=True, slots=True)
class Created:
    """A table for two with its tokens."""

    table_id: str
    tokens: tuple[str, ...]


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running house."""
    with opened(tmp_path_factory.mktemp("clients"), wait_seconds=2, heartbeat_seconds=1, stream_seconds=60) as house:
        yield f"{house.host}:{house.door}"


@pytest.fixture
def table(door: str) -> Created:
    return created(json.loads(curl("--json", new_table(), f"http://{door}{REST}")))


def created(answer: Any) -> Created:
    return Created(answer["tableId"], tuple(each["token"] for each in answer["seatTokens"]))


def new_table() -> str:
    return json.dumps({"commandId": str(uuid.uuid4()), "seats": [{}, {}], "options": {"sets": 1, "firstDealer": 2}})


def ran(*command: str, content: bytes | None = None) -> str:
    done = subprocess.run(command, input=content, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def curl(*arguments: str) -> str:
    return ran("curl", "--silent", "--show-error", "--fail-with-body", "--max-time", SECONDS, *arguments)


def bearer(token: str) -> tuple[str, str]:
    return ("--header", f"authorization: Bearer {token}")


def buf(protocol: str, door: str, path: str, request: str, *arguments: str) -> Any:
    how = ("--protocol", protocol, "--reflect-protocol", "grpc-v1alpha", "--http2-prior-knowledge")
    return json.loads(ran(str(BUF), "curl", *how, *arguments, "--data", request, f"http://{door}/{path}"))


@contextmanager
def watching(*arguments: str) -> Iterator[Iterator[str]]:
    """The lines of a stream, until it is left."""
    curl = ("curl", "--silent", "--no-buffer", "--max-time", SECONDS, *arguments)
    with subprocess.Popen(curl, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield (line.rstrip("\n") for line in process.stdout)
        finally:
            process.kill()


def identity(line: str) -> str:
    """The id of an event."""
    return line.removeprefix("id: ")


def framed(message: bytes) -> bytes:
    return struct.pack(">BI", 0, len(message)) + message


def frames(content: bytes) -> list[tuple[int, bytes]]:
    found = []
    while content:
        kind, length = struct.unpack(">BI", content[:5])
        found.append((kind, content[5 : 5 + length]))
        content = content[5 + length :]
    return found


@pytest.mark.parametrize("protocol", ["grpc", "grpcweb"])
def test_buf_curl_finds_the_api_by_reflection_and_plays(door: str, protocol: str) -> None:
    table = created(buf(protocol, door, f"{DOUBLE}/CreateTable", new_table()))
    bid = json.dumps({"tableId": table.table_id, "commandId": str(uuid.uuid4()), "command": {"tricks": 1}})
    answer = buf(protocol, door, f"{DOUBLE}/Bid", bid, *bearer(table.tokens[0]))
    assert answer["happened"] == [{"bidMade": {"seat": 1, "tricks": 1}}]
    assert answer["table"]["seatsToAct"] == [2]


@GRPCURL
def test_grpcurl_finds_the_api_by_reflection(door: str) -> None:
    assert TABLES in ran("grpcurl", "-plaintext", door, "list").split()
    assert "double_tricks" in ran("grpcurl", "-plaintext", door, f"{TABLES}/ListGames")


@CURL
def test_curl_makes_a_grpc_call_by_hand(door: str, table: Created, tmp_path: Path) -> None:
    request, answer, headers = (tmp_path / name for name in ("request", "answer", "headers"))
    request.write_bytes(framed(service_pb2.GetTableRequest(table_id=table.table_id).SerializeToString()))
    files = ("--data-binary", f"@{request}", "--output", str(answer), "--dump-header", str(headers))
    spoken = ("--http2-prior-knowledge", "--header", "content-type: application/grpc", "--header", "te: trailers")
    curl(*spoken, *files, *bearer(table.tokens[0]), f"http://{door}/{TABLES}/GetTable")
    ((kind, message),) = frames(answer.read_bytes())
    assert kind == 0
    assert service_pb2.GetTableResponse.FromString(message).table.table_id == table.table_id
    assert re.search(r"^HTTP/2 200", headers.read_text())
    assert re.search(r"^grpc-status: 0", headers.read_text(), re.MULTILINE)


@CURL
def test_curl_plays_over_rest(door: str, table: Created) -> None:
    where = f"http://{door}{REST}/{table.table_id}"
    bid = json.loads(
        curl("--json", '{"tricks": 0}', *bearer(table.tokens[0]), f"{where}:bid?command_id={uuid.uuid4()}")
    )
    assert bid["happened"] == [{"bidMade": {"seat": 1, "tricks": 0}}]
    theirs = json.loads(curl(*bearer(table.tokens[1]), where))
    assert theirs["version"] == bid["version"]
    ((name, command),) = theirs["legal"][0].items()
    there = f"{where}:{name}?command_id={uuid.uuid4()}"
    as_it_stands = curl("--json", json.dumps(command), *bearer(table.tokens[1]), there)
    assert json.loads(as_it_stands)["version"] > bid["version"]


@CURL
def test_curl_watches_one_line_of_json_a_frame(door: str, table: Created) -> None:
    where = f"http://{door}{REST}/{table.table_id}"
    with watching(f"{where}:watch", *bearer(table.tokens[1])) as lines:
        assert "snapshot" in json.loads(next(lines))
        curl("--json", '{"tricks": 1}', *bearer(table.tokens[0]), f"{where}:bid?command_id={uuid.uuid4()}")
        step = next(frame for frame in map(json.loads, lines) if "heartbeat" not in frame)
    assert step["step"]["happened"] == [{"bidMade": {"seat": 1, "tricks": 1}}]


@CURL
def test_curl_goes_on_after_the_last_event_it_has_seen(door: str, table: Created) -> None:
    where = f"http://{door}{REST}/{table.table_id}"
    with watching(f"{where}:events", *bearer(table.tokens[1])) as lines:
        last = identity(next(line for line in lines if line.startswith("id: ")))
    for token in table.tokens:
        curl("--json", '{"tricks": 0}', *bearer(token), f"{where}:bid?command_id={uuid.uuid4()}")
    with watching(f"{where}:events", *bearer(table.tokens[1]), "--header", f"last-event-id: {last}") as lines:
        told = [next(line for line in lines if line.startswith(("id: ", "event: "))) for _ in range(4)]
    version = int(last.partition("-")[0])
    assert told[1::2] == ["event: step", "event: step"]
    assert [int(identity(line).partition("-")[0]) for line in told[::2]] == [version + 1, version + 2]


@CURL
def test_a_browser_asks_first_and_then_calls(door: str, table: Created, tmp_path: Path) -> None:
    where = f"http://{door}/{TABLES}/GetTable"
    ask = ("--request", "OPTIONS", "--header", f"origin: {ORIGIN}", "--header", "access-control-request-method: POST",
           "--header", "access-control-request-headers: authorization,content-type,x-grpc-web")  # fmt: skip
    allowed = curl(*ask, "--include", where).lower()
    assert f"access-control-allow-origin: {ORIGIN}" in allowed
    assert re.search(r"access-control-allow-headers: .*authorization.*x-grpc-web", allowed)
    message = framed(service_pb2.GetTableRequest(table_id=table.table_id).SerializeToString())
    own = bearer(table.tokens[0])
    for kind, sent in (("grpc-web+proto", message), ("grpc-web-text", base64.b64encode(message))):
        request, answer = tmp_path / "request", tmp_path / "answer"
        request.write_bytes(sent)
        spoken = ("--header", f"content-type: application/{kind}", "--header", f"accept: application/{kind}")
        files = ("--data-binary", f"@{request}", "--output", str(answer), "--dump-header", "-")
        headers = curl(*files, *spoken, "--header", f"origin: {ORIGIN}", "--header", "x-grpc-web: 1", *own, where)
        assert f"access-control-allow-origin: {ORIGIN}" in headers
        content = answer.read_bytes()
        if kind.endswith("text"):
            content = b"".join(base64.b64decode(part, validate=True) for part in re.findall(rb"[^=]+=*", content))
        (_, got), (last, trailers) = frames(content)
        assert service_pb2.GetTableResponse.FromString(got).table.table_id == table.table_id
        assert (last, b"grpc-status:0" in trailers) == (128, True)
