"""One person and three bots, with and without a clock, while processes are killed and frozen: every table comes to its
end by itself. `make torture` does the same for longer."""

from pathlib import Path

from service.duty import Task
from tests.torture.caller import Manners
from tests.torture.loner import KINDS
from tests.torture.report import lines
from tests.torture.run import Plan, torture
from tests.torture.strikes import Pace, Siege, Strike, after_more
from tests.torture.tally import Tally

SEEN = 60  # versions, by all watchers together, between two strikes …
SEEN_MEANWHILE = 20  # … and while a process is frozen


def paces(tally: Tally) -> tuple[Pace, Pace]:
    return after_more(tally, "seen", SEEN), after_more(tally, "seen", SEEN_MEANWHILE)


SERVICES = Siege((Strike.KILL_SERVICE, Strike.FREEZE_SERVICE), paces)


async def test_whoever_is_alone_with_bots_or_gone_comes_to_the_end_whatever_happens_to_processes(
    tmp_path: Path,
) -> None:
    tables = len(KINDS)
    plan = Plan(
        seed="alone", games=tables, at_a_time=tables, seconds=90, loners=1, manners=Manners(), sieges=(SERVICES,)
    )
    report = await torture(plan, tmp_path)
    print("\n".join(lines([report])))
    assert report.findings == []
    assert len(report.stories) == tables
    assert {due.task for due in report.dues} == {Task.PLAY, Task.RUN_OUT}
    assert report.counts["left"]
