"""Contribution: a player's own chance in every shuffle."""

import hashlib
import secrets
from dataclasses import dataclass, field

CONTRIBUTION_BYTES = 32


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a player adds to every shuffle: commit to it when sitting down, reveal it when all have committed.

    Without bytes of one's own it is random, as it must be. Keep it until then, and take a new one for every table.
    """

    content: bytes = field(default_factory=lambda: secrets.token_bytes(CONTRIBUTION_BYTES), repr=False)

    @property
    def commitment(self) -> bytes:
        """What may be told before: the contribution cannot be found from it, nor be exchanged for another."""
        return hashlib.sha256(b"stammtisch/contribution/1" + self.content).digest()
