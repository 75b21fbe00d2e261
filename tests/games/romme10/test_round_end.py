from typing import Any, cast

import pytest

from service.games.romme10 import GAME
from service.games.romme10.commands import Command, Discard
from service.games.romme10.events import SeatScore
from service.games.romme10.state import Phase, State
from service.kit.game import Standing
from tests.games.romme10.given import (
    D1,
    after,
    dealt,
    discard,
    drawn,
    lay,
    lay_off,
    legal,
    melding,
    on_table,
    scored,
    swap,
    when,
)


def with_contract(hand: str, *tables: str, **chosen: Any) -> State:
    """Return a turn of seat 1, which laid down its contract in an earlier one."""
    state = on_table(melding(hand, "C2 C3", **chosen), 1, "S9 H9 C9")
    for table in tables:
        state = on_table(state, 2, table)
    return state


def test_the_round_ends_by_laying_off_the_last_card() -> None:
    score = scored(when(with_contract("D9"), 1, lay_off(1, "D9")))
    assert (score.winner, score.points, score.bonus) == (1, 20, 0)


def test_the_round_ends_by_swapping_the_last_card() -> None:
    assert scored(when(with_contract("H7", "D7 * S7"), 1, swap(2, 2, "H7"))).winner == 1


def test_the_round_ends_by_discarding_the_last_card() -> None:
    assert scored(when(with_contract("H2"), 1, discard("H2"))).winner == 1


def test_the_round_ends_by_laying_down_all_cards() -> None:
    state = melding("C2 C3 C4 C5 H2 H3 H4 H5 S2 S3 S4 S5", "C2", contract="R4 R4 R4", number=7)
    score = scored(when(state, 1, lay("C2 C3 C4 C5 / H2 H3 H4 H5 / S2 S3 S4 S5")))
    assert (score.winner, score.points, score.bonus) == (1, 60, 50)


def test_with_the_contract_and_one_card_one_draws_and_gets_rid_of_both() -> None:
    state = drawn(on_table(dealt("D9", "C2", piles=("C9", "D2", "SK", "HK")), 1, "S9 H9 C9"), D1)
    both = after(state, 1, lay_off(1, "D9"))
    assert scored(when(both, 1, lay_off(1, "C9"))).winner == 1
    assert scored(when(both, 1, discard("C9"))).winner == 1


def test_the_winner_scores_his_own_groups_and_not_his_cards_on_others() -> None:
    state = with_contract("HA D4", "SA CA DA")
    score = scored(when(after(state, 1, lay_off(2, "HA")), 1, discard("D4")))
    assert score.points == 3 * 5
    assert [line.change for line in score.scores] == [15, 0]


def test_cards_that_others_laid_off_before_the_winner_count_for_him() -> None:
    state = with_contract("H2")
    (mine, *others) = on_table(state._replace(table=()), 1, "S9 H9 C9 D9 *").table
    state = state._replace(table=(mine, *others))
    assert scored(when(state, 1, discard("H2"))).points == 5 * 4 + 50


LAST: dict[str, tuple[str, Command]] = {
    "lay off": ("S8 H8 C8 D8", lay_off(1, "D8")),
    "discard": ("S8 H8 C8 D2", discard("D2")),
}


@pytest.mark.parametrize(
    ("chosen", "last", "bonus"),
    [
        ({}, "lay off", 50),
        ({}, "discard", 50),
        ({"bonus": 30}, "discard", 30),
        ({"bonus_final_discard": False}, "lay off", 50),
        ({"bonus_final_discard": False}, "discard", 0),
    ],
)
def test_who_lays_the_contract_and_goes_out_in_one_turn_gets_a_bonus(
    chosen: dict[str, Any], last: str, bonus: int
) -> None:
    hand, command = LAST[last]
    state = after(melding(hand, "C2", contract="S3", **chosen), 1, lay("S8 H8 C8"))
    score = scored(when(state, 1, command))
    assert (score.bonus, score.scores[0].change) == (bonus, score.points + bonus)


def test_who_laid_the_contract_in_an_earlier_turn_gets_no_bonus() -> None:
    assert scored(when(with_contract("H2"), 1, discard("H2"))).bonus == 0


def test_bought_cards_cost_points_by_choice() -> None:
    state = with_contract("H2", buy_cost=10)._replace(bought=(2, 3), totals=(100, 5))
    assert scored(when(state, 1, discard("H2"))).scores == (SeatScore(2, -5, 95), SeatScore(3, -30, -25))


def test_in_a_round_that_nobody_wins_bought_cards_cost_points_too() -> None:
    state = melding("H2 H4", "H3", buy_cost=10, max_reshuffles=0, piles=("", "", "S2", "S3"))._replace(bought=(1, 0))
    assert scored(when(state, 1, discard("H2"))).scores == (SeatScore(1, -10, -10), SeatScore(0, 0, 0))


def test_the_next_round_is_dealt_until_the_last_one_is_over() -> None:
    state = after(with_contract("H2", rounds=2), 1, discard("H2"))
    assert (state.phase, GAME.standings(state)) == (Phase.DEAL, ())
    assert GAME.so_far(state) == (Standing(1, 1, 15), Standing(2, 2, 0))
    state = after(with_contract("H2", rounds=1), 1, discard("H2"))
    assert state.phase is Phase.OVER
    assert GAME.standings(state) == (Standing(1, 1, 15), Standing(2, 2, 0))


def test_ties_share_the_place() -> None:
    state = after(with_contract("H2")._replace(totals=(0, 15)), 1, discard("H2"))
    assert GAME.standings(state) == (Standing(1, 1, 15), Standing(2, 1, 15))


def turns(state: State, number: int) -> State:
    """Let the seats draw and discard, and lay nothing."""
    for _ in range(number):
        state = drawn(state, D1)
        state = after(state, state.turn, legal(state, Discard)[0])
    return state


def test_a_round_ends_when_nobody_has_laid_anything_for_many_laps() -> None:
    state = turns(dealt("H2", "H3", piles=("C2 " * 10, "D2", "SK", "HK"), max_idle_laps=3), 5)
    assert (state.phase, state.idle) == (Phase.DRAW, 5)
    state = drawn(state, D1)
    score = scored(when(state, 2, discard("H3")))
    assert (score.winner, [line.change for line in score.scores]) == (0, [0, 0])


def test_laps_count_from_the_last_card_that_was_laid() -> None:
    state = on_table(dealt("D9 H2", "H3", piles=("C2 " * 20, "D2", "SK", "HK"), max_idle_laps=3), 1, "S9 H9 C9")
    state = turns(state, 4)
    state = after(drawn(state, D1), 1, lay_off(1, "D9"))
    assert GAME.project(state, None).idle_turns == 0
    state = after(state, 1, discard("C2"))
    assert (state.idle, turns(state, 5).phase) == (0, Phase.DRAW)
    assert turns(state, 6).phase is Phase.OVER


def test_an_unknown_event_or_command_is_an_error() -> None:
    rumour = cast("Any", "a rumour")
    with pytest.raises(AssertionError):
        GAME.evolve(dealt("H2", "H3"), rumour)
    with pytest.raises(AssertionError):
        GAME.decide(dealt("H2", "H3"), 1, rumour)
