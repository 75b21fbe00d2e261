"""Steady bots are better than random ones, far beyond chance."""

import pytest

from service.games import GAMES
from tests.tournament.tournament import tournament

DEALS = {"double_tricks": 12, "doppelkopf": 4, "double_speed": 150, "romme10": 2}


@pytest.mark.parametrize("name", DEALS)
def test_a_steady_bot_wins_more_than_its_share_among_random_ones(name: str) -> None:
    result = tournament(GAMES[name], GAMES[name].options(), 4, DEALS[name])
    assert result.wins.least > result.fair + result.wins.either_side
    assert result.ahead.least > 0
