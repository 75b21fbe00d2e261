from service.games.double_tricks import GAME
from service.games.double_tricks.commands import Bid
from tests.games.double_tricks.given import bid, dealt, play, played


def test_the_table_bids_no_trick() -> None:
    assert GAME.default(dealt("H8/FOOL C8/POPE", "CT/S6 SK/H3"), 1) == Bid(0)


def test_where_no_trick_would_add_up_the_table_bids_the_fewest_it_may() -> None:
    state = bid(dealt("CT/S6 SK/H3", "H8/FOOL C8/POPE", dealer_restriction=True), 2)
    assert GAME.default(state, 2) == Bid(1)


def test_the_table_leads_the_lowest_motif() -> None:
    state = bid(dealt("CT/S6 SK/H3 C8/POPE", "CK/S3 DA/S2 SQ/C4"), 0, 0)
    assert GAME.default(state, 1) == play("SK/H3:H3")


def test_of_equally_low_motifs_the_table_always_plays_the_same() -> None:
    hands = ("D9/H7 S9/C7", "S9/C7 D9/H7")
    assert {GAME.default(bid(dealt(hand, "CT/S6 SK/H3"), 0, 0), 1) for hand in hands} == {play("S9/C7:C7")}


def test_the_table_follows_suit_with_the_lowest_motif_that_may_be_played() -> None:
    state = played(bid(dealt("CT/S6 SK/H3", "CK/S3 DA/S2"), 0, 0), "CT/S6:CT")
    assert GAME.default(state, 2) == play("CK/S3:CK")


def test_the_table_does_nothing_for_a_seat_that_nobody_waits_for() -> None:
    assert GAME.default(dealt("CT/S6 SK/H3", "CK/S3 DA/S2"), 2) is None
