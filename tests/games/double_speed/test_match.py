from collections.abc import Sequence

import pytest

from service.games.double_speed import GAME
from service.games.double_speed.events import RoundEnded
from service.games.double_speed.options import Match
from service.games.double_speed.score import match_over, wins
from service.games.double_speed.state import Phase
from tests.games.double_speed.given import dealt, options, played, race


def rounds(*winners: int | tuple[int, ...]) -> tuple[RoundEnded, ...]:
    """Return a sheet, with who won each round."""
    return tuple(
        RoundEnded(won if isinstance(won, tuple) else (won,), stalemate=isinstance(won, tuple), left=())
        for won in winners
    )


def over(match: Match, number: int, seats: int, *winners: int | tuple[int, ...]) -> bool:
    return match_over(options(match=match, rounds=number), rounds(*winners), seats)


@pytest.mark.parametrize(
    ("winners", "number", "seats", "expected"),
    [
        ((1,), 1, 2, True),
        ((1,), 3, 2, False),
        ((1, 1), 3, 2, True),
        ((1, 2), 3, 2, False),
        ((1, 2, 2), 3, 2, True),
        ((1, 1), 4, 2, False),
        ((1, 1, 2, 2), 4, 2, True),
        ((1, 2, 3), 5, 3, False),
        ((1, 2, 3, 1, 2), 5, 3, True),
        (((1, 2), 1), 3, 2, False),
        (((1, 2), 1, 1), 4, 2, True),
    ],
)
def test_best_of_so_many_ends_when_nobody_can_catch_up_any_more(
    winners: Sequence[int], number: int, seats: int, expected: bool
) -> None:
    assert over(Match.BEST_OF, number, seats, *winners) is expected


@pytest.mark.parametrize(
    ("winners", "number", "expected"),
    [((1,), 1, True), ((1, 2), 2, False), ((1, 2, 2), 2, True), ((1, (1, 2)), 2, True), ((1, 2, 3), 2, False)],
)
def test_first_to_win_so_many_ends_with_that_win(winners: Sequence[int], number: int, expected: bool) -> None:
    assert over(Match.FIRST_TO, number, 3, *winners) is expected


def test_all_who_share_a_stalemate_have_won_the_round() -> None:
    assert wins(rounds(1, (1, 3), 2), 3) == (2, 1, 1)


def test_a_match_goes_on_with_a_new_deal_and_the_pile_does_not_count_from_1_again() -> None:
    state = race("Ro-Gq", "Rt-Bq Bt-Ys |", "Bt-Ys Gq-Ys | Ro-Bt", match=Match.FIRST_TO, rounds=2)
    state = played(state, 1, "Rt-Bq")
    assert (state.phase, GAME.to_act(state), GAME.standings(state)) == (Phase.DEAL, (), ())
    state = dealt(state)
    assert (state.phase, state.round.number, state.round.starter) == (Phase.RACE, 2, 2)
    assert (state.pile.version, len(state.pile.cards), state.pile.last) == (3, 1, None)


def test_the_standing_so_far_counts_rounds_and_then_the_fewest_cards_in_hand_and_stack() -> None:
    state = race("Ro-Gq", "Rt-Bq Bt-Ys |", "Bt-Ys | Ro-Bt Gq-Ys", "Ro-Ys | Ro-Vd", match=Match.FIRST_TO, rounds=9)
    places = [(place.seat, place.rank, place.score) for place in GAME.so_far(state._replace(sheet=rounds(2, 1, 2)))]
    assert places == [(2, 1, 2), (1, 2, 1), (3, 3, 0)]
    assert [(place.seat, place.rank) for place in GAME.so_far(state)] == [(1, 1), (3, 1), (2, 3)]


def test_between_two_rounds_the_cards_left_count_no_more() -> None:
    state = race("Ro-Gq", "Rt-Bq Bt-Ys |", "Bt-Ys Gq-Ys | Ro-Bt", "Ro-Ys | Ro-Vd", match=Match.FIRST_TO, rounds=2)
    places = GAME.so_far(played(state, 1, "Rt-Bq"))
    assert [(place.seat, place.rank, place.score) for place in places] == [(1, 1, 1), (2, 2, 0), (3, 2, 0)]


def test_the_standing_counts_rounds_and_equal_numbers_share_the_place() -> None:
    state = dealt(race("Ro-Gq", "|", "|", "|")._replace(phase=Phase.DEAL), b"")
    state = state._replace(sheet=rounds(2, (1, 2, 3), 3, 3, 2), phase=Phase.OVER)
    places = [(place.seat, place.rank, place.score) for place in GAME.standings(state)]
    assert places == [(2, 1, 3), (3, 1, 3), (1, 3, 1)]
