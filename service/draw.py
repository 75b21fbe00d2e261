"""Chance without choice: every shuffle follows from the table's root and the seats' contributions."""

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

WORD = 2**32
WORDS_A_BLOCK = struct.Struct(">8I")
CONTRIBUTION_BYTES = 32
NO_CONTRIBUTION = bytes(CONTRIBUTION_BYTES)
COMMITMENT_BYTES = 32


def committed(contribution: bytes) -> bytes:
    """Return what a seat commits itself with to a contribution, which it does not give away."""
    return hashlib.sha256(b"stammtisch/contribution/1" + contribution).digest()


def deal_seed(root: bytes, table_id: str, deal: int, contributions: Sequence[bytes]) -> bytes:
    """Return the seed of a table's deal, counted from 0. A seat that contributed nothing counts as 32 zero bytes."""
    given = b"".join(contribution or NO_CONTRIBUTION for contribution in contributions)
    return hmac.digest(root, b"stammtisch/deal/1" + table_id.encode() + deal.to_bytes(4, "big") + given, "sha256")


class SeededDraw:
    """One deal's chance. Every label draws from a stream of its own, so no choice depends on another's length."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def shuffled(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Return the items in random order: Fisher-Yates, from the top."""
        shuffled, words = list(items), self._words("shuffle")
        for i in range(len(shuffled) - 1, 0, -1):
            j = _below(i + 1, words)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled)

    def below(self, limit: int, label: str) -> int:
        """Return a number from 0 to limit - 1."""
        return _below(limit, self._words(label))

    def _words(self, label: str) -> Iterator[int]:
        prefix, block = f"stammtisch/{label}/1".encode(), 0
        while True:
            yield from WORDS_A_BLOCK.unpack(hmac.digest(self._seed, prefix + block.to_bytes(8, "big"), "sha256"))
            block += 1


def _below(limit: int, words: Iterator[int]) -> int:
    if not 0 < limit <= WORD:
        raise ValueError(f"the limit is 1 to {WORD}, not {limit}")
    fair = WORD // limit * limit  # words from here up would favour small numbers
    return next(word for word in words if word < fair) % limit
