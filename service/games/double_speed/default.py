"""Default: what the table does for a seat whose time has run out."""

from service.games.double_speed.commands import Command, Draw
from service.games.double_speed.decide import legal
from service.games.double_speed.state import State


def default(state: State, seat: int) -> Command | None:
    """Draw, as a deadlock waits for that; or else play a card that fits; or else say that nobody can go on."""
    commands = legal(state, seat)
    draws = [command for command in commands if isinstance(command, Draw)]
    return next(iter([*draws, *commands]), None)
