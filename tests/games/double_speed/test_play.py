import pytest

from service.games.double_speed import GAME
from service.games.double_speed.commands import Draw, PlayCard, Reason, Unblock
from service.games.double_speed.events import CardPlayed, CardsDrawn, RoundEnded
from service.games.double_speed.state import Phase, State
from tests.games.double_speed.given import after, card, cards, played, race, refusal, texts, when

ANY = "Bt-Ys Gq-Ys Gq-Bt | Ro-Bt"


def on_ro_gq(hand: str = "Rt-Bq Gs-Bo Bt-Ys Rq-Go", *, rotation: bool = True) -> State:
    return race("Ro-Gq", f"{hand} | Ro-Ys Gq-Ys", ANY, rotation=rotation)


def test_a_card_that_fits_becomes_the_top() -> None:
    state = played(on_ro_gq(), 1, "Rt-Bq")
    assert (texts(state.pile.cards), state.pile.version) == ("Ro-Gq Rt-Bq", 2)
    assert texts(state.hands[0]) == "Gs-Bo Bt-Ys Rq-Go"
    assert state.pile.last == CardPlayed(1, card("Rt-Bq"))


def test_a_card_may_be_turned_where_the_options_allow_it() -> None:
    assert texts(GAME.legal(on_ro_gq(), 1)) == "Rt-Bq Gs-Bo Rq-Go"
    assert texts(GAME.legal(on_ro_gq(rotation=False), 1)) == "Rt-Bq Rq-Go"
    assert refusal(on_ro_gq(rotation=False), 1, PlayCard(card("Gs-Bo"))) is Reason.CARD_DOES_NOT_FIT


def test_a_card_that_fits_both_ways_round_is_one_play() -> None:
    assert GAME.legal(on_ro_gq("Rq-Go Bt-Ys Bt-Ys Bt-Ys"), 1) == (PlayCard(card("Rq-Go")),)


def test_equal_cards_are_one_play_and_only_one_of_them_goes() -> None:
    state = on_ro_gq("Rt-Bq Rt-Bq Bt-Ys Bt-Ys")
    assert GAME.legal(state, 1) == (PlayCard(card("Rt-Bq")),)
    assert texts(played(state, 1, "Rt-Bq").hands[0]) == "Rt-Bq Bt-Ys Bt-Ys"


def test_a_card_that_does_not_fit_is_refused_and_nothing_comes_of_it() -> None:
    state = on_ro_gq()
    assert refusal(state, 1, PlayCard(card("Bt-Ys"))) is Reason.CARD_DOES_NOT_FIT
    assert texts(played(state, 1, "Rt-Bq").hands[0]) == "Gs-Bo Bt-Ys Rq-Go"


def test_a_card_that_is_not_in_the_hand_is_refused_though_it_would_fit() -> None:
    state = on_ro_gq()
    assert refusal(state, 1, PlayCard(card("Rs-Yq"))) is Reason.CARD_NOT_IN_HAND
    assert refusal(state, 2, PlayCard(card("Rt-Bq"))) is Reason.CARD_NOT_IN_HAND
    assert refusal(state, 1, PlayCard(card("Bq-Rt"))) is Reason.CARD_NOT_IN_HAND


@pytest.mark.parametrize("seat", [-1, 0, 3])
def test_only_who_has_a_seat_plays(seat: int) -> None:
    assert GAME.legal(on_ro_gq(), seat) == ()
    for command in (PlayCard(card("Rt-Bq")), Draw(), Unblock()):
        assert refusal(on_ro_gq(), seat, command) is Reason.NOT_A_PLAYER


def test_there_are_no_turns_so_a_seat_may_play_again_at_once() -> None:
    state = played(race("Ro-Gq", "Rt-Bq Rs-Yq Bt-Ys Gq-Bt | Ro-Ys", ANY), 1, "Rt-Bq Rs-Yq")
    assert texts(state.pile.cards) == "Ro-Gq Rt-Bq Rs-Yq"
    assert GAME.to_act(state) == (1, 2)


def test_all_are_waited_for_whether_they_can_do_anything_or_not() -> None:
    state = race("Ro-Gq", "Rt-Bq Rs-Yq | Ro-Ys", "Bt-Ys Gq-Ys | ", "Bt-Ys Gq-Bt Gq-Ys Bt-Ys | Ro-Gq")
    assert [bool(GAME.legal(state, seat)) for seat in (1, 2, 3)] == [True, False, False]
    assert GAME.to_act(state) == (1, 2, 3)


def test_who_comes_second_is_judged_by_the_new_top() -> None:
    state = race("Ro-Gq", "Rt-Bq Rs-Bo Bt-Ys Gq-Bt | Ro-Ys", "Gs-Bo Ro-Bq Bt-Ys Bt-Ys | Ro-Ys")
    assert when(state, 2, PlayCard(card("Gs-Bo"))) == (CardPlayed(2, card("Gs-Bo")),)
    beaten = played(state, 1, "Rt-Bq")
    assert refusal(beaten, 2, PlayCard(card("Gs-Bo"))) is Reason.CARD_DOES_NOT_FIT
    assert texts(played(beaten, 2, "Ro-Bq").pile.cards) == "Ro-Gq Rt-Bq Ro-Bq"


def test_who_names_the_version_seen_is_refused_once_it_is_old_though_the_card_would_still_fit() -> None:
    state = race("Ro-Gq", "Rt-Bq Rs-Bo Bt-Ys Gq-Bt | Ro-Ys", "Ro-Bq Bt-Ys Bt-Ys Bt-Ys | Ro-Ys")
    seen = PlayCard(card("Ro-Bq"), seen_version=1)
    assert when(state, 2, seen) == (CardPlayed(2, card("Ro-Bq")),)
    beaten = played(state, 1, "Rt-Bq")
    assert refusal(beaten, 2, seen) is Reason.STALE
    assert when(beaten, 2, PlayCard(card("Ro-Bq"), seen_version=2)) == (CardPlayed(2, card("Ro-Bq")),)


@pytest.mark.parametrize("version", [-1, 0, 2, 99])
def test_a_version_that_the_pile_does_not_have_is_refused(version: int) -> None:
    assert refusal(on_ro_gq(), 1, PlayCard(card("Rt-Bq"), version)) is Reason.STALE


def test_drawing_leaves_the_piles_version_as_it_is() -> None:
    state = after(race("Ro-Gq", "Rt-Bq Rs-Yq | Ro-Ys", ANY), 1, Draw())
    assert when(state, 1, PlayCard(card("Rt-Bq"), seen_version=1)) == (CardPlayed(1, card("Rt-Bq")),)


def test_who_plays_down_to_one_card_with_an_empty_stack_wins_at_once() -> None:
    state = race("Ro-Gq", "Rt-Bq Bt-Ys |", "Bt-Ys Gq-Ys Gq-Bt | Ro-Bt Ro-Gq")
    assert when(state, 1, PlayCard(card("Rt-Bq"))) == (
        CardPlayed(1, card("Rt-Bq")),
        RoundEnded((1,), stalemate=False, left=(1, 5)),
    )
    state = played(state, 1, "Rt-Bq")
    assert (state.phase, GAME.to_act(state)) == (Phase.OVER, ())
    assert [(place.seat, place.rank, place.score) for place in GAME.standings(state)] == [(1, 1, 1), (2, 2, 0)]


def test_one_card_in_hand_wins_nothing_while_there_is_a_stack() -> None:
    state = played(race("Ro-Gq", "Rt-Bq Bt-Ys | Ro-Ys", ANY), 1, "Rt-Bq")
    assert state.phase is Phase.RACE


def test_of_two_winning_cards_the_second_comes_too_late() -> None:
    state = played(race("Ro-Gq", "Rt-Bq Bt-Ys |", "Rt-Yq Bt-Ys |"), 2, "Rt-Yq")
    assert GAME.standings(state)[0].seat == 2
    for command in (PlayCard(card("Rt-Bq")), Draw(), Unblock()):
        assert refusal(state, 1, command) is Reason.GAME_OVER
    assert GAME.legal(state, 1) == ()


def test_with_an_empty_hand_one_can_only_draw_and_wins_if_that_is_the_last_card() -> None:
    state = race("Ro-Gq", "| Bt-Ys", ANY)
    assert GAME.legal(state, 1) == (Draw(),)
    assert when(state, 1, Draw()) == (
        CardsDrawn(1, 1, cards("Bt-Ys")),
        RoundEnded((1,), stalemate=False, left=(1, 4)),
    )


def test_with_more_on_the_stack_an_empty_hand_draws_and_races_on() -> None:
    state = after(race("Ro-Gq", "| Bt-Ys Gq-Ys", ANY), 1, Draw(2))
    assert (state.phase, texts(state.hands[0]), state.stacks[0]) == (Phase.RACE, "Bt-Ys Gq-Ys", ())
