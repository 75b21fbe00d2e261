from typing import Any

import pytest

from service.games.romme10 import GAME
from service.games.romme10.cards import Card
from service.games.romme10.commands import AnnounceBuy, Discard, Draw, Reason
from service.games.romme10.events import CardDrawn, CardTaken
from service.games.romme10.options import StockEmpty
from service.games.romme10.piles import Pile
from service.games.romme10.state import Phase
from service.kit.game import CHANCE
from tests.games.romme10.given import D1, D2, X1, X2, after, dealt, discard, drawn, legal, refusal, scored, texts, when


@pytest.mark.parametrize(("pile", "card"), [(D1, "C3"), (D2, "D3"), (X1, "SK"), (X2, "HK")])
def test_one_draws_the_top_card_of_any_pile(pile: Pile, card: str) -> None:
    state = drawn(dealt("H2 S9", "H3"), pile)
    assert sorted(texts(state.hands[0]).split()) == sorted(["H2", "S9", card])
    assert (state.phase, state.now.left) == (Phase.MELD, 0)


def test_a_card_from_a_draw_pile_is_seen_by_the_drawer_only() -> None:
    (event,) = when(dealt("H2", "H3"), 1, Draw(D1))
    assert event == CardDrawn(1, D1, Card.parse("C3"))
    assert GAME.see(event, 1) == event
    assert GAME.see(event, 2) == GAME.see(event, None) == CardDrawn(1, D1, None)


def test_a_card_from_a_discard_pile_is_seen_by_all() -> None:
    (event,) = when(dealt("H2", "H3"), 1, Draw(X1))
    assert event == CardTaken(1, X1, Card.parse("SK"))
    assert GAME.see(event, None) == event


def test_one_draws_one_card_and_no_other() -> None:
    state = drawn(dealt("H2", "H3"), D1)
    assert refusal(state, 1, Draw(D1)) is Reason.DRAWN_ALREADY
    assert not legal(state, Draw)


def test_one_draws_before_anything_else() -> None:
    assert refusal(dealt("H2", "H3"), 1, discard("H2")) is Reason.DRAW_FIRST
    state = after(dealt("H2", "H3", number=4), 1, AnnounceBuy(1), Draw(D1))
    assert refusal(state, 1, discard("H2")) is Reason.DRAW_FIRST


@pytest.mark.parametrize("seat", [CHANCE, 2])
def test_nobody_draws_or_discards_out_of_turn(seat: int) -> None:
    assert refusal(dealt("H2", "H3"), seat, Draw(D1)) is Reason.NOT_YOUR_TURN
    assert refusal(dealt("H2", "H3"), seat, discard("H2")) is Reason.NOT_YOUR_TURN
    assert GAME.legal(dealt("H2", "H3"), seat) == ()


def test_bought_cards_are_drawn_after_the_first_from_any_piles() -> None:
    state = after(dealt("H2", "H3", number=4), 1, AnnounceBuy(2), Draw(X1))
    assert (state.phase, state.now.left) == (Phase.BUY, 2)
    state = drawn(state, D1, D1)
    assert texts(state.hands[0]) == "C2 C3 SK H2"
    assert (state.phase, state.bought, state.piles[D1.value]) == (Phase.MELD, (2, 0), ())


def test_two_cards_of_one_discard_pile_can_be_bought() -> None:
    state = dealt("H2", "H3", number=4, piles=("C2", "D2", "S9 ST SK", "HK"))
    state = drawn(after(state, 1, AnnounceBuy(2)), X1, X1, X1)
    assert texts(state.hands[0]) == "S9 ST SK H2"
    assert texts(GAME.project(state, None).players[0].taken) == "SK ST S9"


def test_who_buys_discards_one_card_only() -> None:
    state = after(drawn(after(dealt("H2", "H3", number=4), 1, AnnounceBuy(2)), D1, D1, D2), 1, discard("H2"))
    assert len(state.hands[0]) == 3
    assert (state.turn, state.phase, state.now.announced) == (2, Phase.DRAW, None)


@pytest.mark.parametrize(("chosen", "number", "numbers"), [({}, 4, [0, 1, 2]), ({"buy_max": 1}, 5, [0, 1])])
def test_from_the_fourth_round_on_one_may_buy(chosen: dict[str, Any], number: int, numbers: list[int]) -> None:
    state = dealt("H2", "H3", number=number, **chosen)
    assert [command.cards for command in legal(state, AnnounceBuy)] == numbers
    assert refusal(state, 1, AnnounceBuy(numbers[-1] + 1)) is Reason.TOO_MANY_BOUGHT
    assert refusal(state, 1, AnnounceBuy(-1)) is Reason.TOO_MANY_BOUGHT


def test_nobody_has_to_buy() -> None:
    assert drawn(dealt("H2", "H3", number=10), D1).phase is Phase.MELD
    assert drawn(after(dealt("H2", "H3", number=10), 1, AnnounceBuy(0)), D1).phase is Phase.MELD


@pytest.mark.parametrize("chosen", [{"number": 3}, {"number": 4, "buy_max": 0}, {"number": 4, "buy_from_round": 5}])
def test_where_nothing_can_be_bought_nothing_can_be_announced(chosen: dict[str, Any]) -> None:
    state = dealt("H2", "H3", **chosen)
    assert refusal(state, 1, AnnounceBuy(0)) is Reason.NO_BUYING_NOW
    assert not legal(state, AnnounceBuy)


def test_one_announces_once_and_before_drawing() -> None:
    state = after(dealt("H2", "H3", number=4), 1, AnnounceBuy(1))
    assert refusal(state, 1, AnnounceBuy(1)) is Reason.BUY_BEFORE_DRAWING
    assert not legal(state, AnnounceBuy)
    assert refusal(drawn(state, D1), 1, AnnounceBuy(1)) is Reason.BUY_BEFORE_DRAWING


def test_what_is_bought_and_not_there_lapses() -> None:
    state = dealt("H2", "H3", number=4, piles=("C2", "", "SK", ""))
    state = drawn(after(state, 1, AnnounceBuy(2)), D1, X1)
    assert (state.phase, state.bought, texts(state.hands[0])) == (Phase.MELD, (1, 0), "C2 SK H2")
    assert legal(state, Discard)


def test_discards_are_shuffled_in_the_middle_of_buying() -> None:
    state = dealt("H2", "H3", number=4, piles=("C2", "", "S9 SK", "HK"))
    state = drawn(after(state, 1, AnnounceBuy(2)), D1)
    assert state.phase is Phase.RESHUFFLE
    assert refusal(state, 1, Draw(X1)) is Reason.NOT_YOUR_TURN


def test_without_discards_to_shuffle_one_must_take_a_top() -> None:
    state = after(drawn(dealt("H2 H4", "H3", piles=("C2", "", "", "HK")), D1), 1, discard("C2"))
    assert state.phase is Phase.DRAW
    assert [command.pile for command in legal(state, Draw)] == [X1, X2]


def test_where_discards_may_not_be_shuffled_again_buyers_take_the_tops() -> None:
    state = dealt("H2", "H3", number=4, piles=("C2", "", "S9 SK", ""), max_reshuffles=0)
    state = drawn(after(state, 1, AnnounceBuy(2)), D1)
    assert [command.pile for command in legal(state, Draw)] == [X1]
    assert drawn(state, X1, X1).phase is Phase.MELD


@pytest.mark.parametrize("chosen", [{"max_reshuffles": 0}, {"stock_empty": StockEmpty.END_ROUND}])
def test_when_no_more_is_shuffled_the_round_ends_without_a_winner(chosen: dict[str, Any]) -> None:
    state = drawn(dealt("H2 H4", "H3", piles=("C2", "", "S9", "HK"), **chosen), D1)
    score = scored(when(state, 1, discard("C2")))
    assert (score.winner, [line.change for line in score.scores]) == (0, [0, 0])


def test_a_limit_of_reshuffles_counts_those_of_the_round() -> None:
    state = drawn(dealt("H2 H4", "H3", piles=("C2", "", "S9", "HK"), max_reshuffles=2), D1)
    assert after(state._replace(reshuffles=1), 1, discard("C2")).phase is Phase.RESHUFFLE
    assert scored(when(state._replace(reshuffles=2), 1, discard("C2"))).winner == 0
