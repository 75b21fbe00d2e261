from service.draw import SeededDraw
from service.games.double_tricks import GAME
from service.games.double_tricks.commands import Bid, Reason
from service.games.double_tricks.events import RoundScored, SeatScore
from service.games.double_tricks.options import Bank, TieBreak
from service.games.double_tricks.score import settle
from service.games.double_tricks.state import Phase, State
from service.kit.game import Standing
from tests.games.double_tricks.given import after, bid, dealt, options, play, played, refusal, stacked, when

ONE = ("CA/H2", "CK/S3", "CQ/D4")


def test_the_last_card_of_a_round_scores_it() -> None:
    state = played(bid(dealt(*ONE), 1, 1, 0), "CA/H2:CA", "CK/S3:CK")
    scores = (SeatScore(1, 1, 6, 21), SeatScore(1, 0, -1, 14), SeatScore(0, 0, 5, 20))
    events = when(state, 3, play("CQ/D4:CQ"))
    assert events[2] == RoundScored(scores)
    state = after(state, 3, play("CQ/D4:CQ"))
    assert (state.points, state.sheet) == ((21, 14, 20), (RoundScored(scores),))


def test_a_wrong_bid_of_zero_costs_nothing() -> None:
    state = bid(dealt(*ONE), 0, 0, 0)
    assert settle(state, (1, 0, 0))[0] == SeatScore(0, 1, 0, 15)


def test_all_can_be_wrong_and_all_can_be_right() -> None:
    state = bid(dealt(*ONE), 1, 0, 0)
    assert [score.change for score in settle(state, (0, 1, 0))] == [-1, 0, 5]
    assert [score.change for score in settle(state, (1, 0, 0))] == [6, 5, 5]


def test_the_exact_bonus_can_be_chosen() -> None:
    state = bid(dealt(*ONE, exact_bonus=9), 1, 0, 0)
    assert [score.change for score in settle(state, (1, 0, 0))] == [10, 9, 9]


def test_points_never_fall_below_zero() -> None:
    state = bid(dealt(*ONE, start_points=1), 1, 1, 1)
    assert [score.points for score in settle(state, (0, 0, 1))] == [0, 0, 7]


def test_zero_points_are_no_end_an_exact_zero_brings_the_bonus() -> None:
    state = bid(dealt(*ONE, start_points=0), 0, 0, 0)
    assert settle(state, (0, 1, 0))[0] == SeatScore(0, 0, 5, 5)


def rich(*bids: int, left: int, dealer: int = 3) -> State:
    """Return a round of three with so many points left in a bank of 340."""
    state = dealt(*ONE, bank=Bank.MATERIAL, dealer=dealer)._replace(points=(100, 100, 140 - left))
    return bid(state, *bids)


def test_a_material_bank_pays_from_the_start_player_on_until_it_is_empty() -> None:
    assert [score.change for score in settle(rich(0, 0, 0, left=7), (0, 0, 0))] == [5, 2, 0]
    assert [score.change for score in settle(rich(0, 0, 0, left=7, dealer=1), (0, 0, 0))] == [0, 5, 2]


def test_a_material_bank_takes_lost_stakes_before_it_pays() -> None:
    assert [score.change for score in settle(rich(0, 1, 1, left=0), (0, 0, 0))] == [2, -1, -1]


def test_an_empty_bank_still_gives_stakes_back() -> None:
    scores = settle(rich(1, 0, 0, left=0), (1, 1, 1))
    assert scores[0] == SeatScore(1, 1, 0, 100)


def test_an_unlimited_bank_pays_all() -> None:
    state = bid(dealt(*ONE)._replace(points=(500, 500, 500)), 0, 0, 0)
    assert [score.change for score in settle(state, (0, 0, 0))] == [5, 5, 5]


def test_a_view_shows_the_bank_only_where_it_is_limited() -> None:
    assert GAME.project(rich(1, 0, left=7), 1).bank == 7
    assert GAME.project(dealt(*ONE), 1).bank is None


def test_the_game_ends_after_the_last_hand_size() -> None:
    state = played(bid(dealt(*ONE), 1, 0, 0), "CA/H2:CA", "CK/S3:CK", "CQ/D4:CQ")
    assert (state.phase, GAME.to_act(state)) == (Phase.OVER, ())
    assert GAME.chance(state, SeededDraw(b"any")) is None
    assert all(GAME.legal(state, seat) == () for seat in range(4))
    assert refusal(state, 1, Bid(0)) is Reason.GAME_OVER
    assert refusal(state, 1, play("CA/H2:CA")) is Reason.GAME_OVER
    assert refusal(state, 0, stacked(state, *ONE, turn_up="H8/FOOL", dealer=1)) is Reason.GAME_OVER


def test_most_points_win_and_equal_points_share_the_place() -> None:
    state = dealt(*ONE)._replace(phase=Phase.OVER, points=(20, 14, 20))
    assert GAME.standings(state) == (Standing(1, 1, 20), Standing(3, 1, 20), Standing(2, 3, 14))


def test_there_is_no_standing_before_the_end() -> None:
    assert GAME.standings(dealt(*ONE)) == ()


def test_the_standing_so_far_goes_by_the_points_last_settled() -> None:
    state = bid(dealt(*ONE)._replace(points=(14, 20, 14)), 1)
    assert GAME.so_far(state) == (Standing(2, 1, 20), Standing(1, 2, 14), Standing(3, 2, 14))


def test_exact_rounds_decide_the_standing_so_far_too() -> None:
    state = two_rounds(TieBreak.EXACT_ROUNDS)
    assert [line.rank for line in GAME.so_far(state._replace(phase=Phase.DEAL))] == [1, 2, 3]
    assert [line.rank for line in GAME.so_far(dealt(*ONE, tie_break=TieBreak.EXACT_ROUNDS))] == [1, 1, 1]


def two_rounds(tie_break: TieBreak) -> State:
    """Return a game that ends 20, 20 and 11: seat 1 was exact twice, seat 2 once."""
    state = GAME.start(options(hand_sizes=(1, 1), tie_break=tie_break), 3)
    exact, wrong = SeatScore(0, 0, 0, 20), SeatScore(0, 1, 0, 20)
    last = SeatScore(1, 0, 0, 11)
    sheet = (RoundScored((exact, exact, last)), RoundScored((exact, wrong, last)))
    return state._replace(phase=Phase.OVER, points=(20, 20, 11), sheet=sheet)


def test_equal_points_are_shared_unless_exact_rounds_decide() -> None:
    assert [line.rank for line in GAME.standings(two_rounds(TieBreak.SHARED))] == [1, 1, 3]
    assert [line.rank for line in GAME.standings(two_rounds(TieBreak.EXACT_ROUNDS))] == [1, 2, 3]


def test_equal_points_and_equally_many_exact_rounds_share_the_place() -> None:
    state = two_rounds(TieBreak.EXACT_ROUNDS)
    state = state._replace(sheet=state.sheet[:1])
    assert [line.rank for line in GAME.standings(state)] == [1, 1, 3]
