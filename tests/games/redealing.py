"""Dealing anew what is hidden, for the tests of every room that can."""

from random import Random
from typing import Any

from service.draw import SeededDraw
from service.kit.game import CHANCE, AnyGame
from tests.games.story import take


def draw(seed: int) -> SeededDraw:
    return SeededDraw(Random(seed).randbytes(32))


def redealt(game: AnyGame, state: Any, seed: int) -> Any:
    """Return the state once hidden cards have been dealt anew, of which there must be some."""
    command = game.redeal(state, draw(seed))
    assert command
    return take(game, state, CHANCE, command).after
