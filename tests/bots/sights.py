"""Sights: what a seat sees at a point of a game that a test speaks of."""

from random import Random
from typing import Any

from service.bots import BOTS
from service.bots.brain import Sight, Strength
from service.kit.game import AnyGame
from service.kit.options import settled


def chosen(game: AnyGame, state: Any, seat: int, *happened: Any) -> Any:
    """Return what the steady bot does, with the same dice every time."""
    options, view = settled(state.setup.options), game.project(state, seat)
    sight = Sight(seat, options, view, tuple(game.legal(state, seat)), happened)
    return BOTS[game.name][Strength.STEADY](sight, Random(1))
