"""Figures: medians with spread, and the ratio to a baseline that was measured in the same rounds."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from statistics import median

ROUNDS = 5
Measure = Callable[[], Awaitable[float]]


@dataclass(frozen=True, slots=True)
class Figure:
    """What one thing measured, round by round."""

    name: str
    unit: str
    values: tuple[float, ...]
    baseline: "Figure | None" = None

    def line(self) -> str:
        """Return it as a line of the report."""
        spread = f"{_short(min(self.values))} … {_short(max(self.values))}"
        line = f"{self.name:<58} {_short(median(self.values)):>9} {self.unit:<12} {spread:<22}"
        if self.baseline is None:
            return line
        ratio = median(ours / theirs for ours, theirs in zip(self.values, self.baseline.values, strict=True))
        return f"{line} {ratio:>8.3g} x {self.baseline.name}"


async def side_by_side(measures: Sequence[tuple[str, str, Measure]], rounds: int = ROUNDS) -> list[Figure]:
    """Measure several things in turn, round after round; the first is the baseline of the others."""
    values: list[list[float]] = [[] for _ in measures]
    for _ in range(rounds):
        for (_, _, measure), measured in zip(measures, values, strict=True):
            measured.append(await measure())
    figures: list[Figure] = []
    for (name, unit, _), measured in zip(measures, values, strict=True):
        figures.append(Figure(name, unit, tuple(measured), figures[0] if figures else None))
    return figures


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
