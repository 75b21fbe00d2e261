"""Two service processes on one store are one service."""

from pathlib import Path

import pytest

from tests.torture.caller import Manners
from tests.torture.report import lines
from tests.torture.run import Plan, torture

GAMES = 6
POLITE = Manners()
RUDE = Manners(hang_up=0.3, twice=0.3, rival=0.3, echo=0.2, close=0.3)


@pytest.mark.parametrize(
    ("manners", "guests"),
    [(POLITE, 0), (RUDE, 0), (POLITE, 1)],
    ids=["polite", "rude", "with the Python client"],
)
async def test_games_alternate_between_two_processes_and_both_tell_every_version_once_and_in_order(
    manners: Manners, guests: int, tmp_path: Path
) -> None:
    plan = Plan(seed="two services", games=GAMES, at_a_time=GAMES, seconds=60, manners=manners, guests=guests)
    report = await torture(plan, tmp_path)
    print("\n".join(lines([report])))
    assert report.findings == []
    assert len(report.stories) == GAMES
    for story in report.stories:
        assert len(story.watched) == plan.services
        assert not any(watched.resumed for watched in story.watched)
