"""The bots: a brain for each game and strength. When they are asked is not decided here."""

from collections.abc import Mapping

from service.bots import doppelkopf, double_speed, double_tricks, romme10
from service.bots.at_random import at_random
from service.bots.brain import Choose, Strength

_STEADY: Mapping[str, Choose] = {
    "double_tricks": double_tricks.steady,
    "doppelkopf": doppelkopf.steady,
    "double_speed": double_speed.steady,
    "romme10": romme10.steady,
}

BOTS: Mapping[str, Mapping[Strength, Choose]] = {
    game: {Strength.RANDOM: at_random, Strength.STEADY: steady} for game, steady in _STEADY.items()
}
