import pytest

from service.games.double_tricks import GAME
from service.games.double_tricks.commands import Bid, Reason
from service.games.double_tricks.events import BidMade
from service.games.double_tricks.state import Phase
from tests.games.double_tricks.given import bid, dealt, play, refusal, when

THREE = ("CA/H2 SA/D2 HA/C2", "CK/S3 SK/H3 HK/D3", "CQ/D4 SQ/C4 HQ/S4")


def test_each_seat_bids_once_clockwise_and_then_cards_are_played() -> None:
    state = dealt(*THREE, dealer=1)
    turns = []
    while state.phase is Phase.BID:
        turns.append(state.turn)
        state = bid(state, 1)
    assert turns == [2, 3, 1]
    assert (state.phase, GAME.to_act(state), state.bids) == (Phase.PLAY, (2,), (1, 1, 1))


def test_a_bid_is_an_event_for_all() -> None:
    assert when(dealt(*THREE), 1, Bid(2)) == (BidMade(1, 2),)


def test_a_bid_is_from_zero_to_the_cards_in_hand() -> None:
    state = dealt(*THREE)
    assert GAME.legal(state, 1) == (Bid(0), Bid(1), Bid(2), Bid(3))
    assert refusal(state, 1, Bid(-1)) is Reason.BID_BELOW_ZERO
    assert refusal(state, 1, Bid(4)) is Reason.BID_ABOVE_HAND


def test_a_bid_is_at_most_ones_points() -> None:
    state = dealt(*THREE, start_points=2)
    assert GAME.legal(state, 1) == (Bid(0), Bid(1), Bid(2))
    assert refusal(state, 1, Bid(3)) is Reason.BID_ABOVE_POINTS


def test_without_points_only_zero_can_be_bid() -> None:
    state = dealt(*THREE, start_points=0)
    assert GAME.legal(state, 1) == (Bid(0),)
    assert refusal(state, 1, Bid(1)) is Reason.BID_ABOVE_POINTS


def test_a_bid_moves_points_from_the_supply_to_the_stake_for_all_to_see() -> None:
    state = bid(dealt(*THREE), 2)
    player = GAME.project(state, 3).players[0]
    assert (player.points, player.bid) == (13, 2)
    assert GAME.project(state, None).players[1].bid is None


def test_nobody_bids_out_of_turn_or_twice() -> None:
    state = dealt(*THREE)
    assert refusal(state, 2, Bid(0)) is Reason.NOT_YOUR_TURN
    assert refusal(bid(state, 0), 1, Bid(0)) is Reason.NOT_YOUR_TURN
    assert GAME.legal(state, 2) == ()


@pytest.mark.parametrize("seat", [-1, 0, 4])
def test_nobody_bids_from_a_seat_that_is_not_there(seat: int) -> None:
    assert refusal(dealt(*THREE), seat, Bid(0)) is Reason.NOT_YOUR_TURN


def test_no_bid_is_made_once_cards_are_played() -> None:
    assert refusal(bid(dealt(*THREE), 1, 1, 1), 1, Bid(1)) is Reason.BIDDING_OVER


def test_no_card_is_played_before_all_have_bid() -> None:
    assert refusal(bid(dealt(*THREE), 1, 1), 3, play("CQ/D4:CQ")) is Reason.BIDDING_NOT_OVER


def test_all_may_be_exact_unless_the_last_bidder_is_restricted() -> None:
    state = bid(dealt(*THREE), 1, 1)
    assert Bid(1) in GAME.legal(state, 3)


def test_a_restricted_last_bidder_must_not_make_the_bids_add_up_to_the_tricks() -> None:
    state = bid(dealt(*THREE, dealer_restriction=True), 1, 1)
    assert GAME.legal(state, 3) == (Bid(0), Bid(2), Bid(3))
    assert refusal(state, 3, Bid(1)) is Reason.BIDS_ADD_UP


def test_the_restriction_binds_nobody_but_the_last_bidder() -> None:
    state = bid(dealt(*THREE, dealer_restriction=True), 1)
    assert GAME.legal(state, 2) == (Bid(0), Bid(1), Bid(2), Bid(3))


def test_the_restriction_lapses_for_a_last_bidder_without_points_who_has_no_other_bid() -> None:
    state = bid(dealt(*THREE, dealer_restriction=True)._replace(points=(15, 15, 0)), 1, 2)
    assert GAME.legal(state, 3) == (Bid(0),)
    assert when(state, 3, Bid(0)) == (BidMade(3, 0),)
