"""Default: what the table does for a seat whose time has run out."""

from service.games.double_tricks.commands import Command, PlayCard
from service.games.double_tricks.decide import legal
from service.games.double_tricks.state import State


def default(state: State, seat: int) -> Command | None:
    """Bid the least, which is listed first, and play the lowest motif."""
    commands = legal(state, seat)
    plays = [command for command in commands if isinstance(command, PlayCard)]
    return min(plays, key=_height) if plays else next(iter(commands), None)


def _height(play: PlayCard) -> tuple[int, str, str]:
    return play.motif.rank, str(play.motif), str(play.card)
