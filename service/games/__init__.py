"""The rooms: one line a game, and its import."""

from collections.abc import Mapping

from service.games import doppelkopf, double_speed, double_tricks, romme10
from service.kit.game import AnyGame

GAMES: Mapping[str, AnyGame] = {
    "double_tricks": double_tricks.GAME,
    "doppelkopf": doppelkopf.GAME,
    "double_speed": double_speed.GAME,
    "romme10": romme10.GAME,
}
