"""A standing, with shared places."""

from collections.abc import Sequence
from typing import Any

from service.kit.game import Standing


def ranked(scores: Sequence[int], merits: Sequence[Any]) -> tuple[Standing, ...]:
    """Rank the seats by merit, the greatest first; equal merits share a place. Scores are only shown."""
    places = (
        Standing(seat, 1 + sum(other > merit for other in merits), score)
        for seat, (score, merit) in enumerate(zip(scores, merits, strict=True), start=1)
    )
    return tuple(sorted(places, key=lambda standing: standing.rank))
