"""Sound play in DOUBLE."""

from random import Random

from service.bots.brain import Sight
from service.bots.double_tricks import steady
from service.games.double_tricks import GAME
from service.games.double_tricks.commands import Bid, Command
from service.games.double_tricks.state import State
from tests.games.double_tricks.given import bid, dealt, play, played


def chosen(state: State) -> Command:
    """Return what the seat whose turn it is does; it has seen no trick of this round."""
    seat = state.turn
    view, legal = GAME.project(state, seat), tuple(GAME.legal(state, seat))
    return steady(Sight(seat, state.setup.options, view, legal, ()), Random(1))


def test_it_bids_a_trick_for_each_special_and_none_for_low_cards() -> None:
    assert chosen(dealt("H8/FOOL C8/POPE", "CT/S6 SK/H3")) == Bid(2)
    assert chosen(dealt("D9/H7 S8/D7", "CT/S6 SK/H3", turn_up="CK/S3")) == Bid(0)


def test_where_the_likeliest_bid_would_add_up_it_bids_another() -> None:
    table = bid(dealt("CT/S6 SK/H3", "H8/FOOL C8/POPE", dealer_restriction=True), 0)
    assert chosen(table) != Bid(2)


def test_missing_a_trick_it_wins_the_one_that_it_can() -> None:
    table = played(bid(dealt("CT/S6 SK/H3", "CK/S3 DA/S2"), 1, 1), "CT/S6:CT")
    assert chosen(table) == play("CK/S3:CK")


def test_missing_none_it_throws_its_best_card_under_a_better_one() -> None:
    table = played(bid(dealt("CA/H2 SK/H3", "CK/S3 SQ/C4"), 2, 0), "CA/H2:CA")
    assert chosen(table) == play("CK/S3:CK")


def test_missing_none_it_does_not_win_with_a_special_that_it_need_not_play() -> None:
    table = played(bid(dealt("CA/H2", "C8/POPE"), 1, 0), "CA/H2:CA")
    assert chosen(table) == play("C8/POPE:C8")
