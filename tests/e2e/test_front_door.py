"""The front door: every protocol on one port, through real Envoy, before a real gRPC service."""

import base64
import json
import re
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import httpx
import pytest
from google.api import annotations_pb2
from google.protobuf.descriptor import MethodDescriptor
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from stammtisch.double_tricks.v1 import double_tricks_pb2, service_pb2
from stammtisch.table.v1 import service_pb2 as table_service_pb2
from stammtisch.table.v1 import service_pb2_grpc as table_service_pb2_grpc

from service.config import Config, read
from service.house.binary import binary
from service.house.envoy import FILES, OPTIONS, rendered
from tests.house.program import OPEN, free_port, running
from tests.house.upstream import FRAMES, HOLD, LARGE, METHODS, VERSION

DOUBLE = "/v1/double-tricks/tables"
WEB = "application/grpc-web+proto"
CODES = {400: 3, 404: 5, 413: 8}
BID = "/stammtisch.double_tricks.v1.DoubleTricksService/Bid"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("door") / "data"


@pytest.fixture(scope="module")
def door(data: Path) -> Iterator[str]:
    """The address of a running house."""
    listen = f"127.0.0.1:{free_port()}"
    with running(data=data, listen=listen, requests_burst=100000) as program:
        program.says(OPEN)
        yield listen


@pytest.fixture(scope="module")
def web(door: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://{door}", timeout=10) as client:
        yield client


@pytest.fixture(scope="module")
def channel(door: str) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(door) as channel:
        yield channel


@contextmanager
def envoy(tmp_path: Path, **settings: str) -> Iterator[httpx.Client]:
    """Envoy alone, with its own settings."""
    listen = f"127.0.0.1:{free_port()}"
    config = configured(tmp_path, listen=listen, **settings)
    path = tmp_path / "envoy.yaml"
    path.write_text(rendered(config, str(FILES)))
    log = (tmp_path / "envoy.log").open("wb")
    with (
        log,
        subprocess.Popen((binary("envoy", "_bin/envoy"), *OPTIONS, "-c", path), stdout=log, stderr=log) as process,
    ):
        retrying = httpx.HTTPTransport(retries=10)  # with growing pauses, until Envoy listens
        try:
            with httpx.Client(base_url=f"http://{listen}", transport=retrying, timeout=10) as client:
                yield client
        finally:
            process.terminate()


def configured(tmp_path: Path, **settings: str) -> Config:
    return read({f"STAMMTISCH_{name.upper()}": value for name, value in ({"data": str(tmp_path)} | settings).items()})


def rest(method: MethodDescriptor) -> tuple[str, str, str]:
    """Return verb, path template and body of a method's REST binding."""
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    return verb.upper(), getattr(rule, verb), rule.body


REST = [path for path, method in METHODS.items()]


def test_envoy_accepts_the_configuration_for_one_socket_for_addresses_and_for_names(tmp_path: Path) -> None:
    for number, upstreams in enumerate(("", "127.0.0.1:1234,[::1]:1234", "service.cards.svc:50051")):
        path = tmp_path / f"{number}.yaml"
        path.write_text(
            rendered(configured(tmp_path, grpc_upstreams=upstreams, cors_origins="https://a.example"), str(FILES))
        )
        subprocess.run(
            (binary("envoy", "_bin/envoy"), "--mode", "validate", "-c", path), check=True, capture_output=True
        )


def test_what_streams_is_named_so_that_the_front_door_gives_it_no_time_limit() -> None:
    for path, method in METHODS.items():
        assert method.server_streaming == bool(re.fullmatch(r"/stammtisch\.[^/]+/Watch[A-Za-z]*", path))


def test_health_page_and_description_are_there(web: httpx.Client) -> None:
    assert web.get("/readyz").status_code == 200
    assert web.get("/livez").text == "ok\n"
    page = web.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "/openapi.json" in page.text
    assert not re.search(r'(src|href)="(https?:)?//', page.text)
    description = web.get("/openapi.json")
    assert description.headers["content-type"] == "application/json"
    assert description.json() == json.loads((FILES / "openapi.json").read_text())


@pytest.mark.parametrize("path", REST)
def test_every_rpc_is_reached_over_rest(web: httpx.Client, path: str) -> None:
    method = METHODS[path]
    verb, template, body = rest(method)
    where = re.sub(r"\{table_id\}", "7f.abc", template)
    content = None if not body else "{}"
    answer = web.request(verb, where, content=content, headers={"authorization": "Bearer secret"})
    assert answer.status_code == 200, answer.text
    asked = json.loads(answer.headers["x-request"])
    assert asked.get("table_id") == ("7f.abc" if "{table_id}" in template else None)
    assert answer.headers["x-authorization"] == "Bearer secret"


def test_a_command_is_the_body_and_all_else_stands_in_the_query(web: httpx.Client) -> None:
    answer = web.post(f"{DOUBLE}/7f.abc:bid?command_id=c1&expected_version=0", json={"tricks": 2})
    assert json.loads(answer.headers["x-request"]) == {
        "table_id": "7f.abc",
        "command_id": "c1",
        "expected_version": 0,
        "command": {"tricks": 2},
    }
    assert answer.headers["content-type"] == "application/json"


def test_a_page_of_a_log_may_be_large(web: httpx.Client) -> None:
    answer = web.get(f"/v1/tables/{LARGE}/log")
    assert answer.status_code == 200
    assert len(answer.content) > 1 << 20


def test_a_wait_stands_in_the_query(web: httpx.Client) -> None:
    answer = web.get(f"{DOUBLE}/7f.abc?min_version=3&wait=5s")
    assert json.loads(answer.headers["x-request"]) == {"table_id": "7f.abc", "min_version": 3, "wait": "5s"}


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("INVALID_ARGUMENT", 400),
        ("FAILED_PRECONDITION", 400),
        ("ABORTED", 409),
        ("ALREADY_EXISTS", 409),
        ("UNAUTHENTICATED", 401),
        ("PERMISSION_DENIED", 403),
        ("NOT_FOUND", 404),
        ("RESOURCE_EXHAUSTED", 429),
        ("UNAVAILABLE", 503),
        ("INTERNAL", 500),
    ],
)
@pytest.mark.parametrize("verb", ["", ":watch", ":events"])
def test_an_error_keeps_its_code_and_details(web: httpx.Client, code: str, status: int, verb: str) -> None:
    answer = web.get(f"{DOUBLE}/{code}{verb}")
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "code": getattr(grpc.StatusCode, code).value[0],
        "message": "As you wish.",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "TABLE_ENDED",
                "domain": "stammtisch",
                "metadata": {"version": "7"},
            }
        ],
    }


@pytest.mark.parametrize(
    ("verb", "path", "content", "status", "reason"),
    [
        ("GET", "/nowhere", "", 404, "PATH_UNKNOWN"),
        ("GET", "/v1/nowhere", "", 404, "PATH_UNKNOWN"),
        ("GET", "/v1/double-tricks/tables/7f.abc:fly", "", 404, "PATH_UNKNOWN"),
        ("DELETE", "/v1/games", "", 404, "PATH_UNKNOWN"),
        ("GET", "/stammtisch.table.v1.TableService/ListGames", "", 404, "PATH_UNKNOWN"),
        ("POST", f"{DOUBLE}", "{", 400, "INVALID_FIELD"),
        ("POST", f"{DOUBLE}", '{"spectators": "perhaps"}', 400, "INVALID_FIELD"),
        ("POST", f"{DOUBLE}/7f.abc:bid?speed=3", "{}", 400, "INVALID_FIELD"),
        ("GET", f"{DOUBLE}/7f.abc?min_version=many", "", 400, "INVALID_FIELD"),
        ("GET", f"{DOUBLE}/a%2Fb", "", 400, "INVALID_FIELD"),
        ("POST", f"{DOUBLE}", '{"commandId": "' + "a" * 65536 + '"}', 413, "TOO_LARGE"),
    ],
)
def test_what_the_front_door_refuses_itself_is_a_status_in_json(
    web: httpx.Client, verb: str, path: str, content: str, status: int, reason: str
) -> None:
    answer = web.request(verb, path, content=content)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json"), answer.text
    assert answer.json()["code"] == CODES[status]
    assert answer.json()["message"]
    (info,) = answer.json()["details"]
    assert (info["reason"], info["domain"]) == (reason, "stammtisch")


def test_a_watch_is_one_line_of_json_a_frame(web: httpx.Client) -> None:
    with web.stream("GET", f"{DOUBLE}/7f.abc:watch?from_version=3") as answer:
        frames = [json.loads(line) for line in answer.iter_lines()]
    assert json.loads(answer.headers["x-request"]) == {"table_id": "7f.abc", "from_version": 3}
    assert [frame["version"] for frame in frames] == [VERSION] * FRAMES
    assert answer.headers["content-type"] == "application/json"


def test_a_frame_is_delivered_while_the_stream_stays_open(web: httpx.Client) -> None:
    with web.stream("GET", f"{DOUBLE}/{HOLD}:watch") as answer:
        lines = answer.iter_lines()
        assert all(json.loads(next(lines)) for _ in range(FRAMES))


def test_events_have_ids_and_go_on_after_the_last_one_seen(web: httpx.Client) -> None:
    with web.stream("GET", f"{DOUBLE}/7f.abc:events", headers={"last-event-id": "41"}) as answer:
        text = answer.read().decode()
    assert answer.headers["content-type"] == "text/event-stream"
    assert re.findall(r"^id: (\d+)$", text, re.MULTILINE) == ["42", "43", "44"]


def test_native_grpc_passes_with_its_metadata_streams_and_errors(channel: grpc.Channel) -> None:
    tables = table_service_pb2_grpc.TableServiceStub(channel)
    _, call = tables.GetTable.with_call(
        table_service_pb2.GetTableRequest(table_id="7f.abc"), metadata=(("authorization", "Bearer secret"),)
    )
    assert dict(call.initial_metadata())["x-authorization"] == "Bearer secret"
    frames = list(tables.WatchLog(table_service_pb2.WatchLogRequest(table_id="7f.abc")))
    assert len(frames) == FRAMES
    with pytest.raises(grpc.RpcError) as raised:
        tables.GetTable(table_service_pb2.GetTableRequest(table_id="ABORTED"))
    assert isinstance(raised.value, grpc.Call)
    status = rpc_status.from_call(raised.value)
    assert status
    assert status.code == grpc.StatusCode.ABORTED.value[0]
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.metadata["version"] == "7"


def test_native_grpc_gets_a_grpc_error_from_the_front_door_too(channel: grpc.Channel) -> None:
    for path in ("/stammtisch.table.v1.TableService/Fly", "/nowhere.Service/Fly"):
        with pytest.raises(grpc.RpcError) as raised:
            channel.unary_unary(path, bytes)(b"")
        assert raised.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_a_message_that_is_too_large_is_refused_over_grpc_too(channel: grpc.Channel) -> None:
    with pytest.raises(grpc.RpcError) as raised:
        channel.unary_unary(BID, bytes)(bytes(65537))
    assert raised.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


def web_call(web: httpx.Client, path: str, message: bytes, kind: str = WEB) -> httpx.Response:
    framed = struct.pack(">BI", 0, len(message)) + message
    content = base64.b64encode(framed) if "text" in kind else framed
    return web.post(path, content=content, headers={"content-type": kind, "accept": kind})


def web_frames(content: bytes) -> list[tuple[int, bytes]]:
    frames = []
    while content:
        kind, length = struct.unpack(">BI", content[:5])
        frames.append((kind, content[5 : 5 + length]))
        content = content[5 + length :]
    return frames


def test_grpc_web_answers_with_the_message_and_the_trailers(web: httpx.Client) -> None:
    bid = service_pb2.BidRequest(table_id="7f.abc", command=double_tricks_pb2.Bid(tricks=2))
    answer = web_call(web, BID, bid.SerializeToString())
    (kind, message), (last, trailers) = web_frames(answer.content)
    assert (answer.headers["content-type"], kind, last) == (WEB, 0, 128)
    assert service_pb2.BidResponse.FromString(message).version == VERSION
    assert b"grpc-status:0" in trailers


def test_grpc_web_in_text_answers_in_text(web: httpx.Client) -> None:
    answer = web_call(web, BID, b"", "application/grpc-web-text")
    parts = re.findall(rb"[^=]+=*", answer.content)  # each with padding of its own
    (kind, _), (last, _) = web_frames(b"".join(base64.b64decode(part, validate=True) for part in parts))
    assert (answer.headers["content-type"], kind, last) == ("application/grpc-web-text+proto", 0, 128)


def test_grpc_web_gets_its_errors_as_trailers_never_as_json(web: httpx.Client) -> None:
    aborted = service_pb2.BidRequest(table_id="ABORTED").SerializeToString()
    for path, status in ((BID, 10), ("/stammtisch.table.v1.TableService/Fly", 12)):
        answer = web_call(web, path, aborted)
        assert (answer.headers["content-type"], answer.headers["grpc-status"]) == (WEB, str(status))
    nowhere = web_call(web, "/nowhere.Service/Fly", aborted)
    assert (nowhere.headers["content-type"], nowhere.status_code, nowhere.content) == (WEB, 404, b"")


def test_a_page_of_this_machine_may_call_and_a_foreign_one_may_not(web: httpx.Client) -> None:
    for path in (f"{DOUBLE}", BID):
        ask = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type"}
        answer = web.options(path, headers=ask | {"origin": "http://localhost:3000"})
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == "http://localhost:3000"
        assert "authorization" in answer.headers["access-control-allow-headers"]
        foreign = web.options(path, headers=ask | {"origin": "https://evil.example"})
        assert "access-control-allow-origin" not in foreign.headers
    answer = web.get("/v1/games", headers={"origin": "http://127.0.0.1:5173"})
    assert answer.headers["access-control-allow-origin"] == "http://127.0.0.1:5173"


def test_http_2_without_tls_is_understood(door: str) -> None:
    curl = (
        "curl",
        "--silent",
        "--max-time",
        "10",
        "--http2-prior-knowledge",
        "--write-out",
        "%{http_version} %{http_code}",
    )
    done = subprocess.run((*curl, "--output", "/dev/null", f"http://{door}/v1/games"), check=True, capture_output=True)
    assert done.stdout == b"2 200"


def test_a_service_that_is_away_is_said_to_be_unavailable_in_every_protocol(tmp_path: Path) -> None:
    with envoy(tmp_path, grpc_upstreams=f"unix:{tmp_path}/nobody.sock") as web:
        for path in ("/readyz", "/v1/games", f"{DOUBLE}/7f.abc:watch"):
            answer = web.get(path)
            assert (answer.status_code, answer.json()["code"]) == (503, 14)
        assert web.get("/livez").status_code == 200
        assert web_call(web, BID, b"").headers["grpc-status"] == "14"
        with (
            grpc.insecure_channel(str(web.base_url.netloc, "ascii")) as channel,
            pytest.raises(grpc.RpcError) as raised,
        ):
            table_service_pb2_grpc.TableServiceStub(channel).ListGames(table_service_pb2.ListGamesRequest())
        assert raised.value.code() == grpc.StatusCode.UNAVAILABLE


@pytest.mark.usefixtures("door")
def test_a_replica_that_is_away_is_passed_over(tmp_path: Path, data: Path) -> None:
    service, nobody = data / "run" / "service.sock", tmp_path / "nobody.sock"
    with envoy(tmp_path, grpc_upstreams=f"unix:{nobody},unix:{service},unix:{nobody}") as web:
        assert {web.get("/v1/games").status_code for _ in range(20)} == {200}


def test_too_many_requests_from_one_address_are_refused_but_never_the_question_for_health(tmp_path: Path) -> None:
    with envoy(tmp_path, requests_per_second="1", requests_burst="2") as web:
        answers = [web.get("/livez") for _ in range(20)]
        assert answers[0].status_code == 200
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.json()["details"][0]["reason"] == "TOO_FAST"
        assert refused.headers["retry-after"]
        assert web.get("/readyz").status_code == 503
