"""Tournament: one steady bot among random ones, every deal played once from every seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from time import perf_counter_ns
from typing import Any

from service.bots import BOTS
from service.bots.brain import Choose, Sight, Strength
from service.kit.game import AnyGame, Standing
from tests.tournament.board import Board, play
from tests.tournament.interval import Interval, interval


@dataclass(frozen=True)
class Result:
    """How the steady bot did. What it owes to its seat or to the cards is the same for the others."""

    game: str
    seats: int
    games: int
    wins: Interval  # shared ones in part
    ahead: Interval  # of the others' mean score
    microseconds: float  # a decision

    @property
    def fair(self) -> float:
        """The share of wins of one who plays like the others."""
        return 1 / self.seats


class Timed:
    """A brain with a watch."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.nanoseconds = self.decisions = 0

    def __call__(self, sight: Sight, dice: Random) -> Any:
        before = perf_counter_ns()
        chosen = self.choose(sight, dice)
        self.nanoseconds += perf_counter_ns() - before
        self.decisions += 1
        return chosen


def tournament(game: AnyGame, options: Any, seats: int, deals: int) -> Result:
    """Play every deal from every seat. One deal's games are one sample: they are not independent."""
    steady, rest = Timed(BOTS[game.name][Strength.STEADY]), BOTS[game.name][Strength.RANDOM]
    wins, ahead = [], []
    for deal in range(deals):
        outcomes = []
        for own in range(1, seats + 1):
            brains = [steady if seat == own else rest for seat in range(1, seats + 1)]
            standings = play(Board(game, options, seats), brains, f"{game.name} {deal}")
            outcomes.append((_won(standings, own), _ahead(standings, own)))
        wins.append(fmean(won for won, _ in outcomes))
        ahead.append(fmean(by for _, by in outcomes))
    thought = steady.nanoseconds / steady.decisions / 1000
    return Result(game.name, seats, deals * seats, interval(wins), interval(ahead), thought)


def _won(standings: Sequence[Standing], seat: int) -> float:
    first = [standing.seat for standing in standings if standing.rank == 1]
    return (seat in first) / len(first)


def _ahead(standings: Sequence[Standing], seat: int) -> float:
    scores = {standing.seat: standing.score for standing in standings}
    return scores.pop(seat) - fmean(scores.values())
