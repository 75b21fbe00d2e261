"""The laws over the registry. `LAWS_GAMES=5000` plays as many games for each law as a night allows."""

import os
from collections.abc import Callable
from typing import Any

import pytest

from service.games import GAMES
from service.kit.game import AnyGame
from tests.games import laws
from tests.games.story import Known, known_of

COUNT = int(os.environ.get("LAWS_GAMES", "50"))

Law = Callable[[AnyGame, Known, str], Any]
LAWS: tuple[Law, ...] = (
    laws.it_ends_with_a_standing,
    laws.what_is_legal_is_accepted,
    laws.all_else_is_refused_with_a_reason,
    laws.what_the_table_does_for_a_seat_is_legal,
    laws.it_ends_where_the_table_does_everything,
    laws.all_are_waited_for_in_a_race_and_otherwise_one,
    laws.deciding_twice_gives_the_same,
    laws.it_survives_the_wire,
    laws.folding_its_log_gives_the_live_state,
    laws.no_card_is_lost_or_doubled,
)

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@each_game
@pytest.mark.timeout(COUNT * 2 + 60)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_holds(game: AnyGame, law: Law) -> None:
    for number in range(COUNT):
        law(game, known_of(game), f"{law.__name__} {number}")


@each_game
@pytest.mark.timeout(COUNT * 2 + 60)
def test_dealing_anew_shows_nothing_and_is_played_on(game: AnyGame) -> None:
    known, law = known_of(game), laws.dealing_anew_shows_nothing_and_is_played_on
    tested = [law(game, known, f"dealt anew {number}") for number in range(COUNT)]
    assert sum(tested) > COUNT * 0.4 if known.dealt_anew else not any(tested)


@each_game
@pytest.mark.timeout(COUNT * 2 + 60)
def test_nobody_learns_what_is_hidden(game: AnyGame) -> None:
    known = known_of(game)
    tested = [laws.nobody_learns_what_is_hidden(game, known, f"secrecy {number}") for number in range(COUNT)]
    assert sum(tested) > COUNT * 0.6, "too few games could be dealt anew for this to prove anything"
