"""Processes are killed and frozen while games are played. `make torture` does the same for longer."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.torture.caller import RUDE
from tests.torture.report import lines
from tests.torture.run import Plan, torture
from tests.torture.strikes import Pace, Siege, Strike, after_more
from tests.torture.tally import Tally

ACKNOWLEDGED = 20  # commands between two strikes
PATIENCE = 0.5  # seconds that a client waits for an answer
UNANSWERED = 3  # calls that a frozen process leaves without an answer before it is thawed

IMPATIENT = replace(RUDE, patience=PATIENCE)


def paces(tally: Tally) -> tuple[Pace, Pace]:
    return after_more(tally, "acknowledged", ACKNOWLEDGED), after_more(tally, "unanswered", UNANSWERED)


SERVICES = Siege((Strike.KILL_SERVICE, Strike.KILL_SERVICE, Strike.FREEZE_SERVICE), paces)
STORE = Siege((Strike.KILL_STORE, Strike.KILL_STORE, Strike.FREEZE_STORE), paces)


@pytest.mark.parametrize("sieges", [(SERVICES,), (STORE,), (SERVICES, STORE)], ids=["services", "store", "both"])
async def test_nothing_acknowledged_is_lost_or_doubled_and_no_watcher_misses_anything(
    sieges: tuple[Siege, ...], tmp_path: Path
) -> None:
    plan = Plan(seed="short", games=8, at_a_time=4, seconds=90, guests=3, manners=IMPATIENT, sieges=sieges)
    report = await torture(plan, tmp_path)
    print("\n".join(lines([report])))
    assert report.findings == []
    assert len(report.stories) == plan.games
    assert sum(report.counts[way.value] for way in Strike) >= len(sieges)
