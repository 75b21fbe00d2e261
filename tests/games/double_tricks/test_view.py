from typing import Any, cast

import pytest

from service.draw import SeededDraw
from service.games.double_tricks import GAME
from service.games.double_tricks.cards import Card, Motif, Suit
from service.games.double_tricks.commands import Reason
from service.games.double_tricks.options import Options
from service.games.double_tricks.state import Phase, State
from service.games.double_tricks.view import HandCard, Player, View
from service.kit.game import CHANCE
from tests.games.double_tricks.given import after, bid, cards, dealt, played

TWO = ("HQ/S4 DA/S2", "HA/C2 SA/D2", "SK/H3 CJ/H5")


def hand(state: State, seat: int) -> dict[str, Any]:
    """Return why each card may not be played, or what it may be played with."""
    return {
        str(each.card): each.reason or [str(motif) for motif in each.playable]
        for each in GAME.project(state, seat).hand
    }


def test_everybody_sees_what_lies_open() -> None:
    state = played(bid(dealt(*TWO, turn_up="CT/S6"), 1, 2, 0), "HQ/S4:HQ")
    view = GAME.project(state, None)
    assert view == View(
        phase=Phase.PLAY,
        round=1,
        rounds=1,
        hand_size=2,
        dealer=3,
        turn=2,
        turn_up=Card.parse("CT/S6"),
        trump=Suit.CLUBS,
        stock=54 - 7,
        players=(Player(1, 14, 1, 0, 1), Player(2, 13, 2, 0, 2), Player(3, 15, 0, 0, 2)),
        trick=state.trick,
        last_trick=None,
        history=(),
        hand=(),
        sheet=(),
        bank=None,
    )


def test_a_seat_sees_its_own_hand_besides() -> None:
    view = GAME.project(dealt(*TWO), 2)
    assert tuple(each.card for each in view.hand) == cards(TWO[1])


def test_chance_sees_no_hand() -> None:
    assert GAME.project(dealt(*TWO), 0) == GAME.project(dealt(*TWO), None)


def test_a_one_card_round_shows_everybody_his_own_card() -> None:
    assert [str(each.card) for each in GAME.project(dealt("CA/H2", "CK/S3"), 1).hand] == ["CA/H2"]


def test_each_card_says_what_it_may_be_played_with_or_why_not() -> None:
    state = dealt(*TWO)
    assert hand(state, 1) == {"HQ/S4": Reason.BIDDING_NOT_OVER, "DA/S2": Reason.BIDDING_NOT_OVER}
    state = bid(state, 0, 0, 0)
    assert hand(state, 1) == {"HQ/S4": ["HQ", "S4"], "DA/S2": ["DA", "S2"]}
    assert hand(state, 2) == {"HA/C2": Reason.NOT_YOUR_TURN, "SA/D2": Reason.NOT_YOUR_TURN}
    state = played(state, "HQ/S4:HQ")
    assert hand(state, 2) == {"HA/C2": ["HA"], "SA/D2": Reason.MUST_FOLLOW_SUIT}


def test_equal_cards_are_both_shown() -> None:
    state = bid(dealt("CA/H2 CA/H2", "CK/S3 SK/H3"), 0, 0)
    motifs = (Motif.parse("CA"), Motif.parse("H2"))
    assert GAME.project(state, 1).hand == (HandCard(Card.parse("CA/H2"), motifs, None),) * 2


def three_tricks(**chosen: Any) -> State:
    state = bid(dealt("CA/H2 CK/S3 CQ/D4", "CT/S6 DK/C3 HA/C2", **chosen), 0, 0)
    return played(state, "CA/H2:CA", "CT/S6:CT", "CK/S3:CK", "DK/C3:C3")


def test_of_the_complete_tricks_only_the_last_is_shown() -> None:
    view = GAME.project(three_tricks(), 1)
    assert view.last_trick is not None
    assert [str(play.motif) for play in view.last_trick.plays] == ["CK", "C3"]
    assert view.history == ()
    assert [player.tricks for player in view.players] == [2, 0]


def test_by_choice_all_complete_tricks_of_the_round_are_shown() -> None:
    view = GAME.project(three_tricks(show_trick_history=True), 1)
    assert [[str(play.motif) for play in trick.plays] for trick in view.history] == [["CA", "CT"], ["CK", "C3"]]


def test_before_the_first_deal_there_is_nothing_to_see() -> None:
    view = GAME.project(GAME.start(Options(), 3), 1)
    assert (view.phase, view.round, view.turn_up, view.hand, view.stock) == (Phase.DEAL, 0, None, (), 0)
    assert [player.points for player in view.players] == [15, 15, 15]


def test_after_the_round_its_bids_stay_visible_and_its_points_are_settled() -> None:
    state = played(bid(dealt("CA/H2", "CK/S3"), 1, 1), "CA/H2:CA", "CK/S3:CK")
    view = GAME.project(state, None)
    assert view.players == (Player(1, 21, 1, 1, 0), Player(2, 14, 1, 0, 0))
    assert view.last_trick is not None
    assert view.sheet == state.sheet


def test_the_last_trick_stays_visible_when_the_next_round_is_dealt() -> None:
    state = played(bid(dealt("CA/H2", "CK/S3", hand_sizes=(1, 1)), 1, 1), "CA/H2:CA", "CK/S3:CK")
    deal = GAME.chance(state, SeededDraw(b"next"))
    assert deal is not None
    state = after(state, CHANCE, deal)
    view = GAME.project(state, 2)
    assert (view.round, view.trick, view.history) == (2, (), ())
    assert view.last_trick is not None
    assert [str(play.motif) for play in view.last_trick.plays] == ["CA", "CK"]


def test_an_unknown_event_or_command_is_an_error() -> None:
    rumour = cast("Any", "a rumour")
    with pytest.raises(AssertionError):
        GAME.evolve(dealt(*TWO), rumour)
    with pytest.raises(AssertionError):
        GAME.decide(dealt(*TWO), 1, rumour)
