"""Board: a game as it is played by brains. Each seat is shown its own sight and nothing else."""

from collections.abc import Sequence
from random import Random
from typing import Any

from service.bots.brain import Choose, Sight
from service.draw import SeededDraw
from service.kit.game import CHANCE, AnyGame, Standing
from service.kit.options import settled
from tests.games.story import take

COMMANDS_MAX = 50_000  # in a game; more are a brain that gets nowhere


class Board:
    """A game with all that each seat has seen since the dealer last dealt or shuffled."""

    def __init__(self, game: AnyGame, options: Any, seats: int) -> None:
        self.game = game
        self.options = settled(options)
        self.seats = range(1, seats + 1)
        self.state = game.start(options, seats)
        self._happened: dict[int, list[Any]] = {seat: [] for seat in self.seats}

    def take(self, seat: int, command: Any) -> None:
        step = take(self.game, self.state, seat, command)
        self.state = step.after
        for viewer, seen in self._happened.items():
            if seat == CHANCE:
                seen.clear()
            seen += [shown for event in step.events if (shown := self.game.see(event, viewer)) is not None]

    def sight(self, seat: int) -> Sight:
        view, legal = self.game.project(self.state, seat), tuple(self.game.legal(self.state, seat))
        return Sight(seat, self.options, view, legal, self._happened[seat])


def play(board: Board, brains: Sequence[Choose], seed: str) -> tuple[Standing, ...]:
    """Play a game to its end, the first brain in seat 1. The seed alone decides every deal, whatever the brains do.

    Where several seats are waited for, all act once in random order, and then again: nobody is faster than another.
    """
    game, deals, order = board.game, 0, Random(f"{seed} order")
    dice = {seat: Random(f"{seed} seat {seat}") for seat in board.seats}
    for _ in range(COMMANDS_MAX):
        if (deal := game.chance(board.state, SeededDraw(f"{seed} deal {deals}".encode()))) is not None:
            board.take(CHANCE, deal)
            deals += 1
            continue
        if not (waiting := game.to_act(board.state)):
            return game.standings(board.state)
        for seat in order.sample(waiting, len(waiting)):
            if (sight := board.sight(seat)).legal:
                board.take(seat, brains[seat - 1](sight, dice[seat]))
    raise AssertionError(f"{seed}: {COMMANDS_MAX} commands did not end the game")
