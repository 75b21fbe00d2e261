import pytest

from service.games.double_speed import GAME
from service.games.double_speed.commands import Draw, PlayCard, Reason
from service.games.double_speed.events import CardPlayed, CardsDrawn, RoundEnded
from tests.games.double_speed.given import after, card, cards, played, race, refusal, texts, when

ANY = "Bt-Ys Gq-Ys Gq-Bt | Ro-Bt"


def test_one_card_is_drawn_unless_told_from_the_top_of_ones_own_stack() -> None:
    state = race("Ro-Gq", "Rt-Bq | Ro-Ys Gq-Ys Bt-Ys", ANY)
    assert when(state, 1, Draw()) == (CardsDrawn(1, 1, cards("Ro-Ys")),)
    state = after(state, 1, Draw())
    assert (texts(state.hands[0]), texts(state.stacks[0])) == ("Rt-Bq Ro-Ys", "Gq-Ys Bt-Ys")


@pytest.mark.parametrize(("count", "drawn"), [(1, "Ro-Ys"), (2, "Ro-Ys Gq-Ys"), (2**31 - 1, "Ro-Ys Gq-Ys Bt-Ys")])
def test_as_many_are_drawn_as_wanted_and_fit_into_the_hand(count: int, drawn: str) -> None:
    state = race("Ro-Gq", "Rt-Bq | Ro-Ys Gq-Ys Bt-Ys Gq-Bt", ANY)
    assert when(state, 1, Draw(count)) == (CardsDrawn(1, len(drawn.split()), cards(drawn)),)


def test_no_more_are_drawn_than_the_stack_has() -> None:
    assert when(race("Ro-Gq", "Rt-Bq | Ro-Ys Gq-Ys", ANY), 1, Draw(3)) == (CardsDrawn(1, 2, cards("Ro-Ys Gq-Ys")),)


def test_one_may_draw_although_one_could_play() -> None:
    assert GAME.legal(race("Ro-Gq", "Rt-Bq | Ro-Ys", ANY), 1) == (PlayCard(card("Rt-Bq")), Draw())


@pytest.mark.parametrize("count", [0, -1, -(2**31)])
def test_at_least_one_card_is_drawn(count: int) -> None:
    assert refusal(race("Ro-Gq", "Rt-Bq | Ro-Ys", ANY), 1, Draw(count)) is Reason.DRAW_BELOW_ONE


def test_a_full_hand_takes_no_more() -> None:
    state = race("Ro-Gq", "Rt-Bq Ro-Ys Gq-Ys Bt-Ys | Gq-Bt", ANY)
    assert refusal(state, 1, Draw()) is Reason.HAND_FULL
    assert Draw() not in GAME.legal(state, 1)


def test_an_empty_stack_gives_no_more() -> None:
    assert refusal(race("Ro-Gq", "Rt-Bq Ro-Ys |", ANY), 1, Draw()) is Reason.STACK_EMPTY


def test_the_options_say_how_many_cards_a_hand_may_have() -> None:
    state = race("Ro-Gq", "Rt-Bq | Ro-Ys Gq-Ys", ANY, hand_limit=2)
    assert when(state, 1, Draw(5)) == (CardsDrawn(1, 1, cards("Ro-Ys")),)


def test_by_choice_the_hand_is_filled_up_after_a_play() -> None:
    state = race("Ro-Gq", "Rt-Bq Bt-Ys | Ro-Ys Gq-Ys Gq-Bt Ro-Bt", ANY, auto_draw=True)
    assert when(state, 1, PlayCard(card("Rt-Bq"))) == (
        CardPlayed(1, card("Rt-Bq")),
        CardsDrawn(1, 3, cards("Ro-Ys Gq-Ys Gq-Bt")),
    )
    assert [len(hand) for hand in played(state, 1, "Rt-Bq").hands] == [4, 3]


def test_a_full_hand_or_an_empty_stack_is_not_filled_up() -> None:
    state = race("Ro-Gq", "Rt-Bq Bt-Ys Ro-Ys |", ANY, auto_draw=True)
    assert when(state, 1, PlayCard(card("Rt-Bq"))) == (CardPlayed(1, card("Rt-Bq")),)


def test_filling_up_may_bring_the_last_card_and_win() -> None:
    state = race("Ro-Gq", "Rt-Bq | Bt-Ys", ANY, auto_draw=True, hand_limit=1)
    assert when(state, 1, PlayCard(card("Rt-Bq"))) == (
        CardPlayed(1, card("Rt-Bq")),
        CardsDrawn(1, 1, cards("Bt-Ys")),
        RoundEnded((1,), stalemate=False, left=(1, 4)),
    )
