"""Races: four seats that act as fast as they can, through one service process and through two on one store."""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

from redis.asyncio import Redis
from stammtisch.double_speed.v1 import double_speed_pb2

from tests.bench.figures import ROUNDS, Figure
from tests.racing import Raced, raced
from tests.torture.fleet import Fleet, sailing

SEATS = range(1, 5)
PAIRS = tuple(combinations(SEATS, 2))  # who shares the first process, game by game: every two seats once
OPTIONS = double_speed_pb2.Options(starter=0)  # whoever starts has a card less, so that is by lot
PROCESSES = {1: "one process", 2: "two processes"}
REACTIONS = (0.0, 0.01)  # seconds on average; none, and one that is still faster than any hand


@dataclass(frozen=True, slots=True)
class Game:
    """One game, and which two seats played it through the first process."""

    raced: Raced
    first: tuple[int, ...]

    @property
    def plays(self) -> tuple[int, ...]:
        """The cards accepted of each seat."""
        return tuple(racer.plays for racer in self.raced.racers)

    @property
    def share(self) -> float:
        """The part that those on the first process have in the cards, in percent."""
        return sum(self.plays[seat - 1] for seat in self.first) / sum(self.plays) * 100

    def later(self) -> Iterator[float]:
        """How much later the seats on the other process than an actor's know of what it did, in milliseconds."""
        for seat, racer in enumerate(self.raced.racers, 1):
            others = [
                other
                for number, other in enumerate(self.raced.racers, 1)
                if (number in self.first) != (seat in self.first)
            ]
            for version in {accepted.version for accepted in racer.accepted} & set(racer.learned):
                for other in others:
                    if version in other.learned:
                        yield (other.learned[version] - racer.learned[version]) * 1000


@dataclass(frozen=True, slots=True)
class Heat:
    """A game for every pair, one after the other."""

    games: Sequence[Game]
    seconds: float
    in_vain: int  # appends that came second

    @property
    def plays(self) -> tuple[int, ...]:
        """The cards accepted of each seat."""
        return tuple(map(sum, zip(*(game.plays for game in self.games), strict=True)))

    @property
    def apart(self) -> float:
        """How far the seats are apart, in percent of what each had if all had as many."""
        return (max(self.plays) - min(self.plays)) / (sum(self.plays) / len(SEATS)) * 100

    @property
    def accepted(self) -> int:
        """All commands accepted."""
        return sum(len(racer.accepted) for game in self.games for racer in game.raced.racers)

    @property
    def beaten(self) -> int:
        """All commands refused."""
        return sum(len(racer.beaten) for game in self.games for racer in game.raced.racers)


async def races() -> list[Figure]:
    """Return how fast, how often in vain, and how evenly."""
    figures: list[Figure] = []
    async with AsyncExitStack() as stack:
        fleets = [
            await stack.enter_async_context(sailing(services, _directory(stack), os.urandom(32)))
            for services in PROCESSES
        ]
        for reaction in REACTIONS:
            heats: list[list[Heat]] = [[] for _ in fleets]
            for _ in range(ROUNDS):
                for fleet, run in zip(fleets, heats, strict=True):
                    run.append(await _heat(fleet, reaction))
            for fleet, run in zip(fleets, heats, strict=True):
                figures += _figures(f"{PROCESSES[len(fleet.services)]}, {reaction * 1000:.0f} ms", run)
    return figures


def _directory(stack: AsyncExitStack) -> Path:
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))


async def _heat(fleet: Fleet, reaction: float) -> Heat:
    first, last = fleet.services[0].target, fleet.services[-1].target
    async with Redis(unix_socket_path=str(fleet.socket)) as store:
        before, began, games = await _in_vain(store), time.perf_counter(), []
        for pair in PAIRS:
            targets = [first if seat in pair else last for seat in SEATS]
            games.append(Game(await raced(targets, OPTIONS, reaction), pair))
        return Heat(games, time.perf_counter() - began, await _in_vain(store) - before)


async def _in_vain(store: Redis) -> int:
    """Return how many appends wrote nothing: what is written is published once."""
    stats = await store.info("commandstats")
    return int(stats["cmdstat_fcall"]["calls"]) - int(stats["cmdstat_spublish"]["calls"])


def _figures(where: str, heats: Sequence[Heat]) -> list[Figure]:
    games = [game for heat in heats for game in heat.games]
    return [
        Figure(f"{where}: {name}", unit, tuple(values))
        for name, unit, values in (
            ("cards accepted", "cards/s", [sum(heat.plays) / heat.seconds for heat in heats]),
            ("conflicts for each command accepted", "appends", [heat.in_vain / heat.accepted for heat in heats]),
            ("refusals for each card accepted", "refusals", [heat.beaten / sum(heat.plays) for heat in heats]),
            ("requests sent again in a game", "requests", [float(len(game.raced.retries)) for game in games]),
            ("a pair's share of a game's cards", "%", [game.share for game in games]),
            (f"the seats apart, over {len(PAIRS)} games", "%", [heat.apart for heat in heats]),
            ("who is elsewhere knows it later by", "ms", [median(game.later()) for game in games]),
        )
    ]
