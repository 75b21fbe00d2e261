"""Profiles: sets of defaults for what is played in which rounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from service.games.romme10.contracts import CLASSIC10, SHANGHAI10, Contract

ALL_ROUNDS, FIVE_ROUNDS = tuple(range(1, 11)), tuple(range(1, 6))


class Profile(Enum):
    """Which contracts are played, and how many of them."""

    SHANGHAI10 = "with long runs, ten rounds"
    CLASSIC10 = "with sets of 3 and runs of 4 only, ten rounds"
    SHANGHAI10_SHORT = "with long runs, the first five rounds"
    CLASSIC10_SHORT = "with sets of 3 and runs of 4 only, the first five rounds"


@dataclass(frozen=True, slots=True)
class Board:
    """The contracts, numbered from 1, and the numbers of those that are played, in order."""

    contracts: tuple[Contract, ...]
    rounds: tuple[int, ...]


PROFILES: Mapping[Enum, Board] = MappingProxyType(
    {
        Profile.SHANGHAI10: Board(SHANGHAI10, ALL_ROUNDS),
        Profile.CLASSIC10: Board(CLASSIC10, ALL_ROUNDS),
        Profile.SHANGHAI10_SHORT: Board(SHANGHAI10, FIVE_ROUNDS),
        Profile.CLASSIC10_SHORT: Board(CLASSIC10, FIVE_ROUNDS),
    }
)
