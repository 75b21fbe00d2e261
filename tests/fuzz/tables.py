"""Tables in play: their tokens, and the truth about them."""

from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from typing import Any

from google.protobuf.message import Message
from stammtisch.table.v1 import service_pb2, table_pb2

from service.draw import committed
from service.games import GAMES
from service.kit.game import AnyGame, BadOptions
from service.kit.options import options_of
from service.seal import MasterKeys
from service.wire import WIRES
from tests.fuzz.contract import BY_PATH, game_rpc
from tests.fuzz.exchange import DIRECT, Request
from tests.fuzz.truth import Truth
from tests.fuzz.values import identifier

REVEAL = BY_PATH["/stammtisch.table.v1.TableService/RevealContribution"]
GET_LOG = BY_PATH["/stammtisch.table.v1.TableService/GetLog"]
SEATS_MAX = 5


@dataclass(frozen=True, slots=True)
class Seating:
    """A table with the tokens that open it."""

    table_id: str
    game: str
    spectators: bool
    admin: str
    tokens: dict[int, str]
    truth: Truth
    contributions: dict[int, bytes]  # that are, or were, to be revealed

    def bearer(self, seat: int) -> tuple[str, str]:
        """Return the header of a seat."""
        return ("authorization", f"Bearer {self.tokens[seat]}")


def asks_for_table(random: Random) -> Request:
    """Return the request for a new table of any game, which can be played."""
    game = random.choice([*GAMES.values()])
    seats = random.choice([seat for seat in game.seats if seat <= SEATS_MAX])
    rpc = game_rpc(game.name, "CreateTable")
    message: Any = rpc.request(command_id=identifier(random), spectators=random.random() < 0.7)
    revealed = random.random() < 0.3
    for seat in range(1, seats + 1):
        contribution = _contribution(message.command_id, seat)
        given = {"commitment": committed(contribution)} if revealed else {"contribution": contribution}
        message.seats.add(name=f"P{seat}", **given)
    message.terms.contributions = (
        table_pb2.CONTRIBUTIONS_REVEALED if revealed else random.choice((0, table_pb2.CONTRIBUTIONS_GIVEN))
    )
    message.options.CopyFrom(WIRES[game.name].encode(_options(game, seats, random)))
    return Request("table", DIRECT, rpc.path, message.SerializeToString(), rpc=rpc)


def _contribution(command_id: str, seat: int) -> bytes:
    return sha256(f"{command_id}/{seat}".encode()).digest()


def _options(game: AnyGame, seats: int, random: Random) -> Any:
    """Return options that can be played, each its default or its least: the fewer cards, the sharper the judge."""
    options = game.options()
    for name, rule in options_of(game.options).items():
        if rule.least is None or rule.items is not None or random.random() < 0.3:
            continue
        changed = replace(options, **{name: rule.least})
        try:
            game.start(changed, seats)
        except BadOptions:
            continue
        options = changed
    return options


def seated(request: Request, created: Message, keys: MasterKeys) -> Seating:
    """Return the table that was asked for."""
    answer: Any = created
    assert request.rpc
    asked: Any = request.rpc.request.FromString(request.content)
    game = request.path.split(".")[1]
    tokens = {each.seat: each.token for each in answer.seat_tokens}
    contributions = {seat: _contribution(asked.command_id, seat) for seat in tokens}
    truth = Truth(answer.table_id, keys)
    return Seating(answer.table_id, game, asked.spectators, answer.admin_token, tokens, truth, contributions)


def asks_for_news(table: Seating) -> Request:
    """Return the request for what has been written since the truth was last read."""
    message = service_pb2.GetLogRequest(table_id=table.table_id, after=table.truth.version)
    return Request("news", DIRECT, GET_LOG.path, message.SerializeToString(), headers=(table.bearer(1),), rpc=GET_LOG)
