"""Doppelkopf: a sound player, that knows the parties as far as its seat does."""

from random import Random

from service.bots.brain import Sight
from service.bots.doppelkopf.playing import play
from service.bots.doppelkopf.talking import announce, name, reserve
from service.games.doppelkopf.commands import Command, PlayCard
from service.games.doppelkopf.state import Phase


def steady(sight: Sight, dice: Random) -> Command:
    """Speak when the hand is clearly strong, and play for the eyes of the trick."""
    if sight.view.phase is Phase.RESERVE:
        return reserve(sight)
    if sight.view.phase is Phase.NAME:
        return name(sight)
    plays = [command for command in sight.legal if isinstance(command, PlayCard)]
    return announce(sight, must=not plays) or play(sight, plays, dice)
