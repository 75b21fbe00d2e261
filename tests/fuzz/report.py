"""Report: what a run has seen."""

from collections import Counter
from dataclasses import dataclass, field

from tests.fuzz.growth import Growth

MIB = 1 << 20


@dataclass(slots=True)
class Report:
    """What a run has seen."""

    seed: int
    kinds: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[str]] = field(default_factory=dict)  # each with where it was found
    memory: dict[str, Growth] = field(default_factory=dict)
    moves: int = 0
    tables: int = 0
    ended: int = 0
    seconds: float = 0

    @property
    def requests(self) -> int:
        """How many requests have been answered."""
        return self.kinds.total()

    def text(self) -> str:
        """Return it for people."""
        lines = [f"seed {self.seed}: {self.requests:,} requests in {self.seconds:.0f} s"]
        lines.append(f"{self.tables:,} tables, which moved on {self.moves:,} times; {self.ended:,} of them ended")
        lines += ["requests by kind", *(f"  {kind:12}{count:9,}" for kind, count in sorted(self.kinds.items()))]
        lines += ["answers by code", *(f"  {code:28}{count:9,}" for code, count in sorted(self.codes.items()))]
        for part, growth in self.memory.items():
            first, last = growth.samples[0] / MIB, growth.samples[-1] / MIB
            grown, most = growth.by() / MIB, growth.most / MIB
            lines.append(f"memory of {part}: first {first:.1f} MiB, last {last:.1f} MiB")
            lines.append(f"  after the warm-up {grown:+.1f} MiB, of which {most:.0f} are allowed")
        lines.append(f"{len(self.faults)} kinds of faults")
        lines += [f"  {fault}, {len(where)} times, first {where[0]}" for fault, where in self.faults.items()]
        return "\n".join(lines)

    def found(self, fault: str, where: str) -> None:
        """Add something that is wrong."""
        self.faults.setdefault(fault, []).append(where)
