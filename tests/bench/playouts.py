"""Random playouts of every room: decide, evolve and legal, without log or wire."""

import random
import time
from collections.abc import Callable
from typing import Any

from service.draw import SeededDraw
from service.games import GAMES
from service.kit.game import CHANCE, AnyGame
from tests.bench.figures import Figure, side_by_side

COMMANDS = 20_000
CALLS = 1_000_000
SEATS = 4


async def playouts() -> list[Figure]:
    """Return commands a second of every room beside calls a second of an empty function."""
    rooms = [(f"{game.name}: random playout, {SEATS} seats", "commands/s", _playing(game)) for game in GAMES.values()]
    return await side_by_side([("an empty Python function", "calls/s", _empty_calls), *rooms])


async def _empty_calls() -> float:
    def nothing() -> None:
        pass

    began = time.perf_counter()
    for _ in range(CALLS):
        nothing()
    return CALLS / (time.perf_counter() - began)


def _playing(game: AnyGame) -> Any:
    async def measure() -> float:
        commands, seconds, seed = 0, 0.0, 0
        while commands < COMMANDS:
            seed += 1
            count, spent = _play(game, random.Random(seed), seed)
            commands, seconds = commands + count, seconds + spent
        return commands / seconds

    return measure


def _play(game: AnyGame, chooser: random.Random, seed: int) -> tuple[int, float]:
    """Play one game; return the commands of its seats and the time they took, the dealer's left out."""
    decide, evolve, legal, to_act = game.decide, game.evolve, game.legal, game.to_act
    choose: Callable[[Any], Any] = chooser.choice
    state, commands, seconds = game.start(game.options(), SEATS), 0, 0.0
    while True:
        deal = game.chance(state, SeededDraw(seed.to_bytes(16, "big") + commands.to_bytes(16, "big")))
        if deal is not None:
            for event in decide(state, CHANCE, deal):
                state = evolve(state, event)
        if game.standings(state):
            return commands, seconds
        began = time.perf_counter()
        while seats := to_act(state):
            seat = seats[0] if len(seats) == 1 else choose(seats)
            if some := tuple(legal(state, seat)):
                for event in decide(state, seat, choose(some)):
                    state = evolve(state, event)
                commands += 1
        seconds += time.perf_counter() - began
