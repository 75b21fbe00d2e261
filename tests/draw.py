"""A draw for tests: the same for the same seed, for ever and in every version of Python."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class SeededDraw:
    """The chance of one deal, hashed from a seed. The bias of the remainder does not matter here."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def shuffled(self, items: Sequence[Item]) -> tuple[Item, ...]:
        keys = [hashlib.sha256(f"{self._seed}/shuffle/{place}".encode()).digest() for place in range(len(items))]
        return tuple(items[place] for place in sorted(range(len(items)), key=keys.__getitem__))

    def below(self, limit: int, label: str) -> int:
        return int.from_bytes(hashlib.sha256(f"{self._seed}/{label}".encode()).digest()) % limit
