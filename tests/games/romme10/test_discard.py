from typing import Any

import pytest

from service.games.romme10.commands import Discard, Reason
from service.games.romme10.piles import Pile
from service.games.romme10.state import State
from tests.games.romme10.given import (
    D1,
    D2,
    X1,
    X2,
    after,
    dealt,
    discard,
    drawn,
    lay_off,
    legal,
    melding,
    on_table,
    refusal,
    texts,
)


def test_a_card_is_discarded_onto_either_pile_and_ends_the_turn() -> None:
    state = drawn(dealt("H2", "H3"), D1)
    for pile in (X1, X2):
        after_it = after(state, 1, discard("H2", pile))
        assert texts(after_it.piles[pile.value][-1:]) == "H2"
        assert after_it.turn == 2
    assert legal(state, Discard) == [discard(card, pile) for card in ("C3", "H2") for pile in (X1, X2)]


@pytest.mark.parametrize("pile", [D1, D2])
def test_nothing_is_discarded_onto_a_draw_pile(pile: Pile) -> None:
    assert refusal(melding("H2", "H3"), 1, discard("H2", pile)) is Reason.NOT_A_DISCARD_PILE


def test_what_is_discarded_must_be_in_the_hand() -> None:
    assert refusal(melding("H2", "H3"), 1, discard("H3")) is Reason.CARD_NOT_IN_HAND


def test_a_card_just_taken_may_be_put_back_at_once() -> None:
    state = drawn(dealt("H2", "H3"), X1)
    assert texts(after(state, 1, discard("SK", X1)).piles[X1.value]) == "SK"


def strict(hand: str, **chosen: Any) -> State:
    """Return a turn of seat 1 at a table where a card just taken may not be discarded."""
    return dealt(hand, "H3", forbid_return_discard=True, **chosen)


def test_by_choice_a_card_just_taken_is_discarded_onto_neither_pile() -> None:
    state = drawn(strict("H2"), X1)
    assert refusal(state, 1, discard("SK", X1)) is Reason.JUST_TAKEN
    assert refusal(state, 1, discard("SK", X2)) is Reason.JUST_TAKEN
    assert {str(command.card) for command in legal(state, Discard)} == {"H2"}


def test_an_equal_card_held_before_may_be_discarded() -> None:
    assert {str(command.card) for command in legal(drawn(strict("SK H2"), X1), Discard)} == {"SK", "H2"}


def test_a_card_from_a_draw_pile_may_be_discarded() -> None:
    assert {str(command.card) for command in legal(drawn(strict("H2"), D1), Discard)} == {"C3", "H2"}


def test_the_card_taken_counts_as_the_first_of_equal_ones_to_be_used() -> None:
    state = on_table(drawn(strict("SK H2"), X1), 1, "DK HK CK")
    state = after(state, 1, lay_off(1, "SK"))
    assert {str(command.card) for command in legal(state, Discard)} == {"SK", "H2"}


def test_of_two_equal_cards_just_taken_none_may_be_discarded() -> None:
    state = strict("H2", number=4, piles=("C2", "D2", "SK", "SK"), buy_from_round=1)
    state = on_table(state._replace(now=state.now._replace(announced=1)), 1, "DK HK CK")
    state = after(drawn(state, X1, X2), 1, lay_off(1, "SK"))
    assert refusal(state, 1, discard("SK")) is Reason.JUST_TAKEN


def test_a_card_just_taken_may_be_discarded_if_there_is_no_other() -> None:
    state = on_table(drawn(strict("DK"), X2), 1, "SK CK CK")
    state = after(state, 1, lay_off(1, "DK"))
    assert {str(command.card) for command in legal(state, Discard)} == {"HK"}
    assert after(state, 1, discard("HK")).hands[0] == ()
