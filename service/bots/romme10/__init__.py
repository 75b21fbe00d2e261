"""ROMMÉ 10: a sound player, that counts what its hand lacks for the contract."""

from random import Random

from service.bots.brain import Sight
from service.bots.romme10.drawing import draw
from service.bots.romme10.melding import meld
from service.games.romme10.commands import Command
from service.games.romme10.state import Phase


def steady(sight: Sight, dice: Random) -> Command:
    """Draw what helps, lay down what it can, and discard what it needs least."""
    return meld(sight, dice) if sight.view.phase is Phase.MELD else draw(sight, dice)
