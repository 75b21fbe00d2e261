"""The contract as the descriptors say it: every RPC, its REST path, and every reason an error may give."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from stammtisch.table.v1 import service_pb2, table_pb2

from service.api.game_messages import GameMessages
from service.games import GAMES

DOMAIN = "stammtisch"
HTTP_BODY = "google.api.HttpBody"


@dataclass(frozen=True, slots=True)
class Rpc:
    """One RPC, and where it is found over REST."""

    name: str
    path: str
    request: type[Message]
    response: type[Message]  # of a stream: its frames
    streams: bool
    events: bool  # whether its stream is one of server-sent events, whose data are `response`
    verb: str
    template: str
    body: str  # the field that is the body of the REST request: `*` for all, empty for none

    def takes(self, field: str) -> bool:
        """Whether the request has a field of that name."""
        return field in self.request.DESCRIPTOR.fields_by_name

    def rest(self, message: Any) -> tuple[str, str]:
        """Return path with query, and body, that say over REST what a message says."""
        target = re.sub(r"\{(\w+)\}", lambda field: quote(getattr(message, field[1]), safe=""), self.template)
        in_path = set(re.findall(r"\{(\w+)\}", self.template))
        fields = json_format.MessageToDict(message, preserving_proto_field_name=True)
        left = {name: value for name, value in fields.items() if name not in in_path}
        if self.body == "*":
            return target, json_text(message)
        body = json_text(getattr(message, self.body)) if self.body and message.HasField(self.body) else ""
        query = [(name, value) for name, value in left.items() if name != self.body]
        return target + ("?" + urlencode(query, doseq=True) if query else ""), body


def json_text(message: Message) -> str:
    """Return a message as JSON."""
    return str(json_format.MessageToJson(message, indent=None))


def _service(service: ServiceDescriptor) -> list[Rpc]:
    return [_rpc(service, method) for method in service.methods]


def _rpc(service: ServiceDescriptor, method: MethodDescriptor) -> Rpc:
    rule: Any = method.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    events = method.output_type.full_name == HTTP_BODY
    framed = _frames_of(service, method) if events else method
    return Rpc(
        name=f"{service.name}.{method.name}",
        path=f"/{service.full_name}/{method.name}",
        request=GetMessageClass(method.input_type),
        response=GetMessageClass(framed.output_type),
        streams=method.server_streaming,
        events=events,
        verb=verb.upper(),
        template=getattr(rule, verb),
        body=rule.body,
    )


def _frames_of(service: ServiceDescriptor, events: MethodDescriptor) -> MethodDescriptor:
    """Return the RPC that streams as messages what another streams as events: it is asked in the same words."""
    return next(method for method in service.methods if method.input_type is events.input_type and method is not events)


TABLE_RPCS = _service(service_pb2.DESCRIPTOR.services_by_name["TableService"])
GAME_RPCS = {name: _service(GameMessages(game).service) for name, game in GAMES.items()}
RPCS = [*TABLE_RPCS, *(rpc for rpcs in GAME_RPCS.values() for rpc in rpcs)]
BY_PATH = {rpc.path: rpc for rpc in RPCS}

REASONS = {
    DOMAIN: {name.removeprefix("ERROR_REASON_") for name in table_pb2.ErrorReason.DESCRIPTOR.values_by_name}
    - {"UNSPECIFIED"},
    **{f"{name}.{DOMAIN}": {member.name for member in game.reason} for name, game in GAMES.items()},
}
"""The documented reasons of each domain that an ErrorInfo may name."""


def game_rpc(game: str, name: str) -> Rpc:
    """Return one RPC of a game's service."""
    return next(rpc for rpc in GAME_RPCS[game] if rpc.path.endswith(f"/{name}"))


def command_rpc(game: str, command: Message) -> Rpc:
    """Return the RPC that gives a command."""
    return game_rpc(game, command.DESCRIPTOR.name)
