"""Story: what clients were told of one table. The judge holds it against the log."""

from dataclasses import dataclass, field


class Stuck(Exception):
    """The game cannot go on."""


@dataclass(frozen=True, slots=True)
class Told:
    """A command, and the version and hash that its client was told it led to."""

    command_id: bytes
    seat: int  # 0 for the table's end
    command: bytes  # the game's message; empty for what is the table's own
    version: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Frame:
    """One version as a watcher got it."""

    version: int
    hash: bytes
    content: bytes  # everything the frame showed
    step: bool = True  # or a full view, because steps were left out


@dataclass(slots=True)
class Watched:
    """All versions one watcher got, from whichever processes, in the order they came."""

    seat: int | None
    begun: Frame | None = None  # the full view it began with; None if it asked for everything from the first version on
    frames: list[Frame] = field(default_factory=list)
    resumed: int = 0  # how often it had to watch anew
    complete: bool = False  # whether it was told that the table has ended


@dataclass(slots=True)
class Story:
    """Everything clients were told of one table."""

    table_id: str = ""  # until it has been created
    told: list[Told] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # a sentence for each refusal that was wrong
    stale: list[str] = field(default_factory=list)  # a sentence for each view older than one that was told before
