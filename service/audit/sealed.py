"""Sealed: a fact that cannot be read until the table ends."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sealed:
    """A fact of which only the public face is known, if it has one."""

    face: Any | None
