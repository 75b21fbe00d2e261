"""Played: a game as its clients know it, found by name; and options that make a table of it short."""

import importlib
from dataclasses import dataclass
from typing import Any

from service.api.game_messages import GameMessages
from service.games import GAMES
from service.kit.game import AnyGame
from service.wire import WIRES
from tests.games.story import known_of

SEATS_MAX = 4


@dataclass(frozen=True, slots=True)
class Played:
    """One game."""

    name: str
    seats: tuple[int, ...]  # how many there may be at a table
    messages: Any  # its generated module
    service: Any  # the generated module of its service
    stub: Any  # the class of its service's stub
    options: Any  # of a short table, as a message
    refusals: frozenset[str]  # the reasons of its rules

    def request(self, method: str, **fields: Any) -> Any:
        """Return the request of a method."""
        return getattr(self.service, f"{method}Request")(**fields)


def _played(game: AnyGame) -> Played:
    package = f"stammtisch.{game.name}.v1"
    return Played(
        name=game.name,
        seats=tuple(seats for seats in game.seats if seats <= SEATS_MAX),
        messages=importlib.import_module(f"{package}.{game.name}_pb2"),
        service=importlib.import_module(f"{package}.service_pb2"),
        stub=getattr(importlib.import_module(f"{package}.service_pb2_grpc"), f"{GameMessages(game).service.name}Stub"),
        options=WIRES[game.name].encode(known_of(game).short),
        refusals=frozenset(reason.name for reason in game.reason),
    )


PLAYED = tuple(map(_played, GAMES.values()))
