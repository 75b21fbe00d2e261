"""Objections: why a table does not do what it is asked for."""

from service.fold import Table
from service.kit.game import Refused


class CannotNow(Exception):
    """On the newest version there is, the table does not do that."""


class TableEnded(CannotNow):
    """The table has ended: nothing can be done at it any more."""


class NotEnded(Exception):
    """The table has not ended, and that is for ended tables."""


class NotStarted(CannotNow):
    """Seats are open or contributions hidden, so the game has not begun; or seats are open, so nobody may reveal."""


class ContributionDiffers(CannotNow):
    """The seat has committed itself to another contribution."""


class SeatNotOpen(CannotNow):
    """Somebody sits there, or there is no such seat."""


class NothingToDo(CannotNow):
    """What is asked for has been done, or does not belong here."""


class SeatAway(CannotNow):
    """A bot plays this seat until its player returns."""


class TokenOutdated(CannotNow):
    """The seat was opened by this token before its player left it."""


class OutOfTime(CannotNow):
    """The seat's time has run out."""


class TableFull(CannotNow):
    """The table's log is as long as a log may be."""


class Stale(CannotNow):
    """The table is not at the version that the caller expected."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class VersionUnknown(Exception):
    """The table has no such version."""

    def __init__(self, newest: int) -> None:
        super().__init__(newest)
        self.newest = newest


class RulesRefuse(CannotNow):
    """The rules of the game refuse the command."""

    def __init__(self, refused: Refused, table: Table) -> None:
        super().__init__(str(refused))
        self.reason = refused.reason
        self.table = table


class WrongGame(Exception):
    """The table plays another game than the caller thinks."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.game = game


class CommandIdReused(Exception):
    """The command id was used for something else."""


class TooManyConflicts(Exception):
    """Others kept writing first."""
