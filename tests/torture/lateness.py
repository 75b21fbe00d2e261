"""Lateness: how long after its time a table did what it had to do by itself, from its log alone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stammtisch.table.v1 import entry_pb2

from service.audit.exported import Exported
from service.audit.trouble import Differs, Unusable
from service.audit.verify import walk
from service.duty import Task, duties
from service.entry import Entry
from service.fold import Table
from tests.torture.fleet import PATIENCE
from tests.torture.judge import Stored

LATE_MAX_MS = 60_000  # whatever is struck, and however slow the machine is
NEAR_MS = 1_000  # before something is due: a strike since then may have made it late


@dataclass(frozen=True, slots=True)
class Due:
    """Something that was due, and was done."""

    table_id: str
    task: Task
    at_ms: int
    done_ms: int

    @property
    def late_ms(self) -> int:
        """How late it was done."""
        return self.done_ms - self.at_ms

    @property
    def sentence(self) -> str:
        """What is to be said if that was too late."""
        return f"{self.task.name} was due at {self.at_ms} and done {self.late_ms} ms later"

    def is_near(self, strikes: Iterable[tuple[int, int]]) -> bool:
        """Whether something was struck shortly before, or until it was done."""
        return any(began <= self.done_ms and ended >= self.at_ms - NEAR_MS for began, ended in strikes)


def kept(table_id: str, stored: Stored) -> Iterator[Due]:
    """Return all that a table did when it was due, as far as its log holds; the judge says if it does not."""
    before: Table | None = None
    try:
        for checked in walk(Exported(table_id, tuple(data for _, data in stored.entries))):
            if before and checked.step:
                yield from _due(before, checked.step.entry)
            before = checked.step.table if checked.step else None
    except (Differs, Unusable):
        return


def _due(before: Table, entry: Entry) -> Iterator[Due]:
    """Return what was done by an entry that a table wrote by itself."""
    if isinstance(entry.command, entry_pb2.RunOutClock):
        done = (Task.RUN_OUT, entry.command.seat)
    elif (
        entry.seat
        and before.seating.plays_by_bot(entry.seat)
        and isinstance(entry.command, before.charter.game.commands)
    ):
        done = (Task.PLAY, entry.seat)
    else:
        return
    for duty in duties(before, PATIENCE):
        if (duty.task, duty.seat) == done:
            yield Due(before.charter.table_id, duty.task, duty.at_ms, entry.time_ms)
