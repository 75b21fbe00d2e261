"""Contracts: which groups a round asks for."""

import re
from dataclasses import dataclass

GROUPS_MAX = 4
CARDS_MAX = 20  # such a contract can be met at any table, and is soon found in a hand, or known not to be there
_GROUPS = re.compile(r"S(?:[3-9]|1[0-4])|R(?:[4-9]|1[0-3])")


@dataclass(frozen=True, slots=True)
class Contract:
    """The groups of a contract, each with its fewest cards: `S3 R7` is a set of 3 and a run of 7."""

    notation: str
    sets: tuple[int, ...]  # the longest first
    runs: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> "Contract":
        """Read the notation, or raise ValueError."""
        words = text.split()
        if not 1 <= len(words) <= GROUPS_MAX or not all(map(_GROUPS.fullmatch, words)):
            raise ValueError(
                f"{text[:20]!r} is no contract: give 1 to {GROUPS_MAX} groups such as S3 R7, "
                "S3 to S14 for sets and R4 to R13 for runs"
            )
        sets, runs = (sorted((int(word[1:]) for word in words if word[0] == kind), reverse=True) for kind in "SR")
        contract = cls(" ".join(words), tuple(sets), tuple(runs))
        if contract.cards > CARDS_MAX:
            raise ValueError(f"{contract} needs {contract.cards} cards: ask for {CARDS_MAX} at most")
        return contract

    def __str__(self) -> str:
        return self.notation

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(self.sets) + len(self.runs)

    @property
    def cards(self) -> int:
        """The fewest cards that meet it."""
        return sum(self.sets) + sum(self.runs)


def _board(text: str) -> tuple[Contract, ...]:
    return tuple(map(Contract.parse, text.split(", ")))


SHANGHAI10 = _board(
    "S3 S3, R4 S3, R4 R4, S3 S3 S3, S3 R7, S3 S3 R5, R4 R4 R4, S3 R10, S3 S3 S3 R5, R5 R5 R5",
)
CLASSIC10 = _board(
    "S3 S3, R4 S3, R4 R4, S3 S3 S3, R4 S3 S3, R4 R4 S3, R4 R4 R4, R4 S3 S3 S3, R4 R4 S3 S3, R4 R4 R4 S3",
)
