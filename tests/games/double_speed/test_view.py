from typing import Any, cast

import pytest

from service.games.double_speed import GAME
from service.games.double_speed.commands import Reason, Unblock
from service.games.double_speed.events import CardPlayed, CardsDrawn, Dealt, Packet, RoundEnded, see
from service.games.double_speed.state import Phase, State
from service.games.double_speed.view import HandCard, Player, View
from tests.games.double_speed.given import STRANGERS, after, card, cards, dealt, played, race, start

SHARES = ("Rt-Bq Bt-Ys | Ro-Ys Gq-Ys", "Bt-Ys Gq-Ys Gq-Bt | Ro-Bt")


def test_a_seat_sees_the_top_all_counts_and_its_own_hand() -> None:
    assert GAME.project(race("Ro-Bt Ro-Gq", *SHARES), 1) == View(
        phase=Phase.RACE,
        round=1,
        starter=1,
        top=card("Ro-Gq"),
        pile=2,
        pile_version=1,
        deadlock=False,
        last_play=None,
        players=(Player(1, 2, 2, 0), Player(2, 3, 1, 0)),
        hand=(HandCard(card("Rt-Bq"), None), HandCard(card("Bt-Ys"), Reason.CARD_DOES_NOT_FIT)),
        sheet=(),
    )


def test_a_spectator_sees_what_all_see() -> None:
    state = race("Ro-Gq", *SHARES)
    view = GAME.project(state, None)
    assert view.hand == ()
    assert (view.top, view.players) == (card("Ro-Gq"), GAME.project(state, 1).players)


def test_all_see_who_played_last() -> None:
    assert GAME.project(played(race("Ro-Gq", *SHARES), 1, "Rt-Bq"), 2).last_play == CardPlayed(1, card("Rt-Bq"))


def stuck() -> State:
    return race("Ro-Gq Ro-Bt", "Bt-Ys | Ro-Vd", "Gq-Bt | Ro-Wh", deck=STRANGERS, hand_limit=1)


def test_all_see_a_deadlock() -> None:
    assert GAME.project(stuck(), None).deadlock
    assert not GAME.project(race("Ro-Gq", *SHARES), None).deadlock


def test_who_played_last_is_still_to_be_seen_when_the_pile_has_been_turned() -> None:
    state = stuck()
    state = state._replace(pile=state.pile._replace(last=CardPlayed(2, card("Ro-Bt"))))
    view = GAME.project(after(state, 1, Unblock()), None)
    assert (view.top, view.last_play, view.pile_version) == (card("Ro-Gq"), CardPlayed(2, card("Ro-Bt")), 2)


def test_before_the_first_deal_there_is_nothing_to_see() -> None:
    view = GAME.project(start(2), 1)
    assert (view.phase, view.round, view.top, view.pile, view.pile_version) == (Phase.DEAL, 0, None, 0, 0)
    assert view.hand == ()


def test_between_two_rounds_the_hands_say_that_the_cards_are_not_dealt() -> None:
    state = played(race("Ro-Gq", "Rt-Bq Bt-Ys |", SHARES[1], rounds=2), 1, "Rt-Bq")
    assert GAME.project(state, 1).hand == (HandCard(card("Bt-Ys"), Reason.NOT_DEALT),)


def test_at_the_end_the_sheet_says_who_has_won_and_what_the_others_have_left() -> None:
    view = GAME.project(played(race("Ro-Gq", "Rt-Bq Bt-Ys |", SHARES[1]), 1, "Rt-Bq"), 2)
    assert view.sheet == (RoundEnded((1,), stalemate=False, left=(1, 4)),)
    assert [player.wins for player in view.players] == [1, 0]
    assert {each.reason for each in view.hand} == {Reason.GAME_OVER}


def test_of_a_deal_a_seat_sees_its_own_hand_and_nobody_sees_stacks_and_box() -> None:
    event = Dealt(
        1, 2, card("Ro-Gq"), (Packet(cards("Rt-Bq")), Packet(cards("Bt-Ys"))), (Packet(()),) * 2, cards("Ro-Bt")
    )
    nothing = Packet(())
    assert see(event, 2) == Dealt(1, 2, card("Ro-Gq"), (nothing, Packet(cards("Bt-Ys"))), (), ())
    assert see(event, None) == Dealt(1, 2, card("Ro-Gq"), (nothing, nothing), (), ())


def test_what_is_drawn_only_the_drawer_sees_and_the_others_how_many() -> None:
    event = CardsDrawn(1, 2, cards("Rt-Bq Bt-Ys"))
    assert see(event, 1) == event
    assert see(event, 2) == see(event, None) == CardsDrawn(1, 2, ())


def test_whether_others_can_play_is_not_to_be_seen() -> None:
    one = race("Ro-Gq", SHARES[0], "Rt-Yq Gq-Ys Gq-Bt | Ro-Bt")
    other = race("Ro-Gq", SHARES[0], "Bt-Ys Gq-Ys Gq-Bt | Ro-Bt")
    assert [bool(GAME.legal(state, 2)) for state in (one, other)] == [True, True]
    for seat in (1, None):
        assert GAME.project(one, seat) == GAME.project(other, seat)
    assert GAME.to_act(one) == GAME.to_act(other)


def test_every_deal_of_one_seed_is_the_same() -> None:
    assert dealt(start(4), b"one") != dealt(start(4), b"two")
    assert dealt(start(4), b"one")[2:] == dealt(start(4), b"one")[2:]


def test_an_unknown_event_or_command_is_an_error() -> None:
    rumour = cast("Any", "a rumour")
    with pytest.raises(AssertionError):
        GAME.evolve(start(2), rumour)
    with pytest.raises(AssertionError):
        GAME.decide(start(2), 1, rumour)
    with pytest.raises(AssertionError):
        GAME.see(rumour, 1)
