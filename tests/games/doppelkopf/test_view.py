from service.games.doppelkopf import GAME
from service.games.doppelkopf.commands import Reason
from service.games.doppelkopf.events import Dealt
from service.games.doppelkopf.options import Options
from service.games.doppelkopf.state import Phase
from service.kit.game import CHANCE
from tests.games.doppelkopf.given import (
    H,
    R,
    dealt,
    dealt_again,
    filled,
    healthy,
    played,
    played_out,
    reserved,
    stacked,
    start,
    texts,
    when,
)


def test_a_seat_sees_its_own_hand_in_a_deal_and_a_spectator_none() -> None:
    state = start()
    (event,) = when(state, CHANCE, stacked(state.setup, 1, filled(state.setup)))
    assert isinstance(event, Dealt)
    for seat in (1, 2, 3, 4, None):
        seen = GAME.see(event, seat)
        assert isinstance(seen, Dealt)
        assert [len(hand.cards) for hand in seen.hands] == [12 if owner == seat else 0 for owner in (1, 2, 3, 4)]


def test_a_seat_sees_its_own_hand_only() -> None:
    state = dealt("CQ", "HT")
    view = GAME.project(state, 2)
    assert texts(view.hand) == texts(state.hands[1])
    assert GAME.project(state, None).hand == ()
    assert [player.cards for player in view.players] == [12, 12, 12, 12]


def test_each_card_says_whether_it_is_a_trump_and_why_it_may_not_be_played() -> None:
    state = played(healthy("CA", "CK DJ SA ST SK S9 HA HA HT HT HK H9"), "CA")
    hand = {str(card.card): (card.trump, card.reason) for card in GAME.project(state, 2).hand}
    assert hand["CK"] == (False, None)
    assert hand["DJ"] == (True, Reason.MUST_FOLLOW)
    assert {card.reason for card in GAME.project(state, 3).hand} == {Reason.NOT_YOUR_TURN}


def test_answers_are_heard_by_all() -> None:
    view = GAME.project(reserved(dealt(), H, R), None)
    assert [player.answer for player in view.players] == [H, R, None, None]
    assert (view.phase, view.made) == (Phase.RESERVE, None)


def test_of_the_complete_tricks_only_the_last_is_shown() -> None:
    state = played(healthy("CA ST", "CK SA", "CT", "C9"), "CA CK CT C9")
    view = GAME.project(state, None)
    assert view.last_trick is not None
    assert texts(view.last_trick.plays) == "CA CK CT C9"
    state = played(state, "ST SA")
    assert GAME.project(state, None).last_trick == view.last_trick
    assert texts(GAME.project(state, None).trick) == "ST SA"


def test_the_last_trick_of_a_deal_stays_in_view_until_the_next_has_one() -> None:
    state = played_out(healthy(deals=2))
    last = state.tricks[-1]
    state = dealt_again(state, dealer=1)
    assert GAME.project(state, None).last_trick == last


def test_eyes_are_shown_by_choice_only() -> None:
    assert {player.eyes for player in GAME.project(played_out(healthy()), None).players} == {None}
    state = played(healthy("CA", "CK", "CT", "C9", show_eyes_during_play=True), "CA CK CT C9")
    assert [player.eyes for player in GAME.project(state, 2).players] == [25, 0, 0, 0]


def test_after_the_deal_all_parties_and_the_score_are_public() -> None:
    state = played_out(healthy("CQ CQ"))
    view = GAME.project(state, None)
    assert [player.party for player in view.players] == list(state.sides.parties)
    assert view.sheet == state.session.sheet
    assert [player.total for player in view.players] == list(state.session.totals)


def test_before_the_first_deal_there_is_nothing_to_see() -> None:
    view = GAME.project(GAME.start(Options(), 4), 1)
    assert (view.phase, view.deal, view.hand, view.due, view.party) == (Phase.DEAL, 0, (), 0, None)
    assert (view.deals, view.pot) == (24, 400)
