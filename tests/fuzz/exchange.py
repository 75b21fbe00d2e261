"""Exchange: what was sent, and what came back, whatever the protocol."""

from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import Message
from google.rpc import status_pb2

from tests.fuzz.contract import Rpc

GRPC, DIRECT, REST, WEB = "grpc", "direct", "rest", "web"  # direct: at the service itself, not through the front door
Header = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent."""

    kind: str
    protocol: str
    path: str
    content: bytes = b""
    verb: str = "POST"
    headers: tuple[Header, ...] = ()
    rpc: Rpc | None = None  # what the answer is read as
    table: Any = None  # the one it is about, if the harness knows the truth of it
    seat: int | None = None  # whose token of that table it carries
    frames: int = 1  # of a stream, before it is abandoned


@dataclass(slots=True)
class Answer:
    """What came back."""

    code: str  # to count by: `rest 200`, `grpc NOT_FOUND`
    http: int | None = None
    grpc: int | None = None
    status: status_pb2.Status | None = None  # of an error
    messages: list[Message] = field(default_factory=list)
    text: str = ""  # whatever was not read as a message
    faults: list[str] = field(default_factory=list)  # found while it was read
