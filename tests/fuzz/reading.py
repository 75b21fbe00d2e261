"""Reading: what an answer's bytes say, as messages and a status."""

import base64
import binascii
import re
import struct
from collections.abc import Iterator

import grpc
from google.api import httpbody_pb2
from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from tests.fuzz.contract import Rpc
from tests.fuzz.exchange import REST, Answer, Request

assert error_details_pb2.DESCRIPTOR  # JSON can only be read where the details' types are known
CODES = {code.value[0]: code.name for code in grpc.StatusCode}
TRAILERS = 128
OK = 200
ERRORS = 400


def read_http(request: Request, http: int, headers: dict[str, str], body: bytes, *, whole: bool) -> Answer:
    """Return what an HTTP answer says; not `whole` is a stream that was left."""
    if request.protocol == REST:
        answer = Answer(f"rest {http}", http=http)
        _read_rest(request, answer, headers, body, whole=whole)
    else:
        answer = Answer(f"web {http}", http=http)
        _read_web(request, answer, headers, body, whole=whole)
    return answer


def read_grpc(request: Request, frames: list[bytes], code: int, text: str, details: bytes) -> Answer:
    """Return what a gRPC call brought."""
    answer = Answer(f"{request.protocol} {CODES[code]}", grpc=code, text=text)
    answer.messages = [each for frame in frames for each in _message(request.rpc, frame, answer)]
    if details:
        answer.status = _status(details, answer)
    return answer


def _read_rest(request: Request, answer: Answer, headers: dict[str, str], body: bytes, *, whole: bool) -> None:
    kind = headers.get("content-type", "")
    if answer.http is not None and answer.http >= ERRORS:
        answer.text = body.decode(errors="replace")
        if request.verb == "HEAD":
            return
        if kind != "application/json" and not _claims_grpc(request):
            answer.faults.append(f"an error in {kind!r}: {body[:80]!r}")
        if kind != "application/json":
            return
        try:
            answer.status = json_format.Parse(answer.text, status_pb2.Status())
            answer.grpc = answer.status.code
        except json_format.ParseError as error:
            answer.faults.append(f"an error that is no google.rpc.Status: {error}: {body[:200]!r}")
    elif request.rpc is None or answer.http != OK or request.verb in ("HEAD", "OPTIONS"):
        answer.text = body.decode(errors="replace")
    else:
        answer.messages = list(_json_messages(request.rpc, body, answer, whole=whole))


def _claims_grpc(request: Request) -> bool:
    return any(name == "content-type" and value.startswith("application/grpc") for name, value in request.headers)


def _json_messages(rpc: Rpc, body: bytes, answer: Answer, *, whole: bool) -> Iterator[Message]:
    lines = re.split(rb"\n", body) if rpc.streams else [body]
    for line in lines if whole else lines[:-1]:
        text = line.removeprefix(b"data: ") if rpc.events else line
        if not text or (rpc.events and text is line):  # an event's id and name
            continue
        try:
            yield json_format.Parse(text, rpc.response())
        except (json_format.ParseError, UnicodeDecodeError) as error:
            answer.faults.append(f"not a {rpc.response.DESCRIPTOR.full_name}: {error}: {text[:200]!r}")


def _read_web(request: Request, answer: Answer, headers: dict[str, str], body: bytes, *, whole: bool) -> None:
    if "text" in headers.get("content-type", ""):
        body = _unpadded(body, answer)
    trailers = headers
    for flags, frame in _frames(body):
        if flags & TRAILERS:
            lines = frame.decode(errors="replace").split("\r\n")
            trailers = {
                name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
            }
        else:
            answer.messages += _message(request.rpc, frame, answer)
    if "grpc-status" not in trailers:
        if whole and answer.http == OK:
            answer.faults.append("gRPC-Web without a status")
        return
    answer.grpc = int(trailers["grpc-status"])
    answer.code = f"web {CODES[answer.grpc]}"
    answer.text = trailers.get("grpc-message", "")
    if details := trailers.get("grpc-status-details-bin"):
        answer.status = _status(base64.b64decode(details + "=" * (-len(details) % 4)), answer)


def _unpadded(body: bytes, answer: Answer) -> bytes:
    """Return what was in base64, in parts that each have padding of their own."""
    try:
        return b"".join(base64.b64decode(part, validate=True) for part in re.findall(rb"[^=]+=*", body))
    except binascii.Error:
        answer.faults.append(f"not base64: {body[:80]!r}")
        return b""


def _frames(body: bytes) -> Iterator[tuple[int, bytes]]:
    while len(body) >= 5:
        flags, length = struct.unpack(">BI", body[:5])
        if len(body) < 5 + length:
            return
        yield flags, body[5 : 5 + length]
        body = body[5 + length :]


def _message(rpc: Rpc | None, data: bytes, answer: Answer) -> list[Message]:
    if rpc is None:
        return []
    try:
        if not rpc.events:
            return [rpc.response.FromString(data)]
        text = _http_body(data)
        return list(_json_messages(rpc, text, answer, whole=True))
    except DecodeError as error:
        answer.faults.append(f"not a {rpc.response.DESCRIPTOR.full_name}: {error}")
        return []


def _http_body(data: bytes) -> bytes:
    content: bytes = httpbody_pb2.HttpBody.FromString(data).data
    return content


def _status(data: bytes, answer: Answer) -> status_pb2.Status | None:
    try:
        return status_pb2.Status.FromString(data)
    except DecodeError:
        answer.faults.append("grpc-status-details-bin is no google.rpc.Status")
        return None
