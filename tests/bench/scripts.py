"""Scripts: whole games decided beforehand, so that a measurement sends bytes and does nothing else.

The bench knows the master key, so it can play a table's game by itself before it sends the first command.
"""

import base64
import json
import random
import uuid
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf import json_format
from stammtisch.double_tricks.v1 import double_tricks_pb2, service_pb2, service_pb2_grpc
from stammtisch.table.v1.table_pb2 import NewSeat

from service.draw import SeededDraw, deal_seed
from service.games import GAMES
from service.games.double_tricks.options import Options
from service.kit.game import CHANCE
from service.seal import MasterKeys
from service.wire import WIRES

KEY = bytes(range(32))
KEYS = MasterKeys("bench", {"bench": KEY})
SETTING = f"bench:{base64.b64encode(KEY).decode()}"
SEATS = 4
WHOLE_GAME = Options()
GAME, WIRE = GAMES["double_tricks"], WIRES["double_tricks"]
SERVICE = "/stammtisch.double_tricks.v1.DoubleTricksService/"


@dataclass(frozen=True, slots=True)
class Line:
    """One command, ready to be sent."""

    method: str
    token: str
    request: bytes
    target: str  # the same over REST: path and query
    body: bytes


@dataclass(frozen=True, slots=True)
class Script:
    """One table, and all commands of its game."""

    table_id: str
    tokens: tuple[str, ...]
    lines: tuple[Line, ...]


async def scripted(
    channel: grpc.aio.Channel, options: Options = WHOLE_GAME, *, seats: int = SEATS, spectators: bool = False
) -> Script:
    """Create a table, and decide how its game will go."""
    stub = service_pb2_grpc.DoubleTricksServiceStub(channel)
    request = service_pb2.CreateTableRequest(
        command_id=str(uuid.uuid4()),
        seats=[NewSeat(name=f"player {seat}") for seat in range(1, seats + 1)],
        options=double_tricks_pb2.Options.FromString(WIRE.encode(options).SerializeToString()),
        spectators=spectators,
    )
    created = await stub.CreateTable(request)
    tokens = tuple(seat.token for seat in created.seat_tokens)
    return Script(created.table_id, tokens, tuple(_lines(created.table_id, tokens, options)))


def _lines(table_id: str, tokens: tuple[str, ...], options: Options) -> list[Line]:
    state, deals, lines = GAME.start(options, len(tokens)), 0, []
    root, contributions = KEYS.root(table_id, "bench"), (b"",) * len(tokens)
    while not GAME.standings(state):
        seat, command = CHANCE, GAME.chance(state, SeededDraw(deal_seed(root, table_id, deals, contributions)))
        if command is None:
            seat = GAME.to_act(state)[0]
            command = random.choice(tuple(GAME.legal(state, seat)))
            lines.append(_line(table_id, tokens[seat - 1], command))
        else:
            deals += 1
        for event in GAME.decide(state, seat, command):
            state = GAME.evolve(state, event)
    return lines


def _line(table_id: str, token: str, command: Any) -> Line:
    name, command_id, message = type(command).__name__, str(uuid.uuid4()), WIRE.encode(command)
    request = getattr(service_pb2, f"{name}Request")(table_id=table_id, command_id=command_id, command=message)
    verb = name[0].lower() + name[1:]
    body = json.dumps(json_format.MessageToDict(message, always_print_fields_with_no_presence=True)).encode()
    target = f"/v1/double-tricks/tables/{table_id}:{verb}?command_id={command_id}"
    return Line(f"{SERVICE}{name}", token, request.SerializeToString(), target, body)
