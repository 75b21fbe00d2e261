"""At random: a choice in every game, by no rule at all."""

from random import Random
from typing import Any

from service.bots.brain import Sight


def at_random(sight: Sight, dice: Random) -> Any:
    """Choose among the kinds of command first, so that fifty ways to do one thing do not crowd out the others."""
    kinds = list(dict.fromkeys(map(type, sight.legal)))
    kind = dice.choice(kinds)
    return dice.choice([command for command in sight.legal if type(command) is kind])
