"""Door: what playing needs of the public API, whether it speaks gRPC or REST."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from stammtisch.table.v1.service_pb2 import GameInfo

BOTS_THINK_SECONDS = 0.05  # nobody has to follow


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table to be played at."""

    seats: int
    bots: int  # the service's own, who have the last of the seats
    options: Mapping[str, Any]  # in their JSON spelling

    def new_seats(self) -> list[dict[str, str]]:
        """Return the seats as JSON spells them."""
        kinds = ["SEAT_KIND_PERSON"] * (self.seats - self.bots) + ["SEAT_KIND_BOT"] * self.bots
        return [{"name": f"Player {number}", "kind": kind} for number, kind in enumerate(kinds, 1)]


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a final standing."""

    seat: int
    rank: int
    score: int


@dataclass(frozen=True, slots=True)
class Sight:
    """What a player needs to know of a table at one version."""

    version: int
    ended: bool
    legal: Sequence[Any]  # of a seat that the table waits for; empty for others, and for one that cannot do anything
    places: Sequence[Place]


class CannotPlay(Exception):
    """There is nobody to play with, nothing to play, or no end to it: the sentence says what."""


class Beaten(Exception):
    """The command was refused; at which version, unless the table had ended."""

    def __init__(self, sentence: str, version: int | None) -> None:
        super().__init__(sentence)
        self.version = version


class PlayedSeat(Protocol):
    """One seat."""

    def sights(self) -> AsyncGenerator[Sight, None]:
        """Return the table as it is, and then whenever something has happened."""

    def kind(self, command: Any) -> str:
        """Return of which kind a command is, as it was listed in a sight."""

    async def act(self, command: Any) -> Sight:
        """Give a command as it was listed in a sight, or raise Beaten."""


class PlayedTable(Protocol):
    """One table with all its seats."""

    @property
    def table_id(self) -> str:
        """Its id."""

    @property
    def seats(self) -> Sequence[PlayedSeat]:
        """The seats that are to be played, in order."""

    async def close(self) -> None:
        """End the table before its game does."""


class Door(Protocol):
    """A way into the API."""

    async def games(self) -> Sequence[GameInfo]:
        """Return the games that can be played."""

    async def create(self, game: GameInfo, wanted: Wanted) -> PlayedTable:
        """Create a table."""
