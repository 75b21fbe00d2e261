"""Brain: what a bot sees, and the function that chooses by it. There is nothing else that it could choose by."""

from collections.abc import Callable, Sequence
from enum import Enum
from random import Random
from typing import Any, NamedTuple


class Strength(Enum):
    """How well a bot plays."""

    RANDOM = "any way it may"
    STEADY = "soundly"


class Sight(NamedTuple):
    """All that a bot may know when it chooses."""

    seat: int
    options: Any  # with what a profile decides filled in
    view: Any
    legal: Sequence[Any]
    happened: Sequence[Any]
    """The events since the dealer last dealt or shuffled, that entry's included, as this seat may see them. Older ones
    may come before, and not all of them."""


Choose = Callable[[Sight, Random], Any]
"""Chooses one of what is legal, of which there must be something. Equal sights and equal dice make equal choices."""
