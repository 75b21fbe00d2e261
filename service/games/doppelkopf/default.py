"""Default: what the table does for a seat whose time has run out."""

from service.games.doppelkopf.commands import Announce, Command, Name, PlayCard
from service.games.doppelkopf.contract import Contract
from service.games.doppelkopf.decide import legal
from service.games.doppelkopf.state import State


def default(state: State, seat: int) -> Command | None:
    """Be healthy, name a marriage rather than a solo, play the lowest card, and announce nothing."""
    commands = [command for command in legal(state, seat) if not isinstance(command, Announce)]
    plays = [command for command in commands if isinstance(command, PlayCard)]
    if plays:
        strength = state.bidding.order.strength
        return min(plays, key=lambda play: (strength[play.card], str(play.card)))
    return next(iter([*filter(_is_marriage, commands), *commands]), None)


def _is_marriage(command: Command) -> bool:
    return isinstance(command, Name) and command.contract is Contract.MARRIAGE
