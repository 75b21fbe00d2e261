"""Interval: a mean, and how far from it the truth may be."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

WIDTH = 1.96  # standard errors either side hold the truth in 95 of 100 tournaments


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval."""

    mean: float
    either_side: float

    @property
    def least(self) -> float:
        return self.mean - self.either_side


def interval(samples: Sequence[float]) -> Interval:
    return Interval(fmean(samples), WIDTH * stdev(samples) / len(samples) ** 0.5)
