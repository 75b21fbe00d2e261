"""Growth: whether what a process holds grows with the number of requests it has answered."""

from dataclasses import dataclass, field
from statistics import median

WARM_UP = 0.3  # of the run: caches fill, pools and arenas come to their size
PART = 0.25  # of the rest, whose median stands for its beginning and its end


@dataclass(slots=True)
class Growth:
    """Samples of one quantity, at even distances through a run."""

    most: int  # by how much it may be greater at the end of the run than after the warm-up
    samples: list[int] = field(default_factory=list)

    def take(self, sample: int) -> None:
        """Add a sample."""
        self.samples.append(sample)

    def by(self) -> int:
        """Return by how much it grew: medians of a quarter, as single samples depend on the moment."""
        warm = self.samples[int(len(self.samples) * WARM_UP) :]
        part = max(1, int(len(warm) * PART))
        return int(median(warm[-part:]) - median(warm[:part]))
