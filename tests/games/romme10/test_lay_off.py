from typing import Any

import pytest

from service.games.romme10.commands import LayOff, Reason
from service.games.romme10.state import State
from tests.games.romme10.given import HIGH, LOW, after, lay, lay_off, legal, melding, on_table, refusal, texts


def round_with(hand: str, *tables: str, owner: int = 1, **chosen: Any) -> State:
    """Return a turn of seat 1, which has laid down its contract, with more groups of seat 2 on the table."""
    state = on_table(melding(hand, "C2", **chosen), owner, "SA HA CA")
    for table in tables:
        state = on_table(state, 2, table)
    return state


def offered(state: State) -> list[str]:
    """Write what can be laid off where."""
    ends = {LOW: "low", HIGH: "high", None: "-"}
    return [f"{command.group} {command.card} {ends[command.end]}" for command in legal(state, LayOff)]


def test_a_card_is_laid_off_on_any_group_and_its_owner_keeps_it() -> None:
    state = round_with("D7 CT H2", "H7 S7 C7", "C6 C7 C8 C9")
    state = after(state, 1, lay_off(2, "D7"), lay_off(3, "CT", HIGH))
    assert [texts(group.cards) for group in state.table] == ["SA HA CA", "H7 S7 C7 D7", "C6 C7 C8 C9 CT"]
    assert [group.owner for group in state.table] == [1, 2, 2]
    assert [laid.seat for laid in state.table[1].cards] == [2, 2, 2, 1]
    assert texts(state.hands[0]) == "H2"


def test_a_run_grows_at_both_ends_from_two_to_the_ace() -> None:
    state = round_with("C5 CT CJ H9", "C6 C7 C8 C9")
    assert offered(state) == ["2 C5 low", "2 CT high"]
    assert refusal(state, 1, lay_off(2, "CJ", HIGH)) is Reason.DOES_NOT_FIT
    assert refusal(state, 1, lay_off(2, "H9", HIGH)) is Reason.DOES_NOT_FIT
    whole = round_with("CA C2 * H9", "C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA")
    assert offered(whole) == ["1 CA -"]


def test_the_end_may_be_left_out_where_there_is_one_only() -> None:
    state = round_with("C5 CT * H2", "C6 C7 C8 C9", "D2 D3 D4 D5")
    assert texts(after(state, 1, lay_off(2, "C5")).table[1].cards) == "C5 C6 C7 C8 C9"
    assert texts(after(state, 1, lay_off(3, "*")).table[2].cards) == "D2 D3 D4 D5 *"
    assert refusal(state, 1, lay_off(2, "*")) is Reason.WHICH_END
    assert refusal(state, 1, lay_off(2, "C5", HIGH)) is Reason.DOES_NOT_FIT


def test_a_set_has_no_ends() -> None:
    state = round_with("D7 H2", "H7 S7 C7")
    assert refusal(state, 1, lay_off(2, "D7", LOW)) is Reason.NO_ENDS


def test_a_joker_goes_on_with_a_run_and_stands_for_its_next_card() -> None:
    state = round_with("* H2", "C6 C7 C8 C9")
    assert offered(state) == ["2 * low", "2 * high"]
    (low, *_) = after(state, 1, lay_off(2, "*", LOW)).table[1].cards
    assert str(low.stands_for) == "C5"


def test_there_are_never_more_jokers_than_other_cards() -> None:
    state = round_with("* H2", "H5 * H7 *")
    assert refusal(state, 1, lay_off(2, "*", LOW)) is Reason.TOO_MANY_JOKERS
    assert offered(state) == []
    assert offered(round_with("* H2", "H5 * H7 H8 *")) == ["2 * low", "2 * high"]


def test_jokers_are_not_laid_off_on_sets_unless_chosen_otherwise() -> None:
    assert refusal(round_with("* H2"), 1, lay_off(1, "*")) is Reason.NO_JOKERS_ON_SETS
    assert offered(round_with("* H2")) == []
    free = round_with("* H2", "D7 *  H7", "D8 H8 * *", joker_layoff_on_sets=True)
    assert offered(free) == ["1 * -", "2 * -"]
    assert refusal(free, 1, lay_off(3, "*")) is Reason.TOO_MANY_JOKERS


def test_a_set_has_eight_cards_at_most() -> None:
    full = "D7 D7 H7 H7 S7 S7 C7 *"
    assert refusal(round_with("C7 H2", full), 1, lay_off(2, "C7")) is Reason.SET_FULL
    assert offered(round_with("C7 H2", full)) == []
    assert offered(round_with("C7 H2", full, set_max=9)) == ["2 C7 -"]


def test_only_cards_of_its_rank_fit_a_set() -> None:
    assert refusal(round_with("D8 H2", "D7 H7 S7"), 1, lay_off(2, "D8")) is Reason.DOES_NOT_FIT


@pytest.mark.parametrize("number", [-1, 0, 3])
def test_a_group_that_is_not_there_cannot_be_added_to(number: int) -> None:
    assert refusal(round_with("D7 H2", "H7 S7 C7"), 1, lay_off(number, "D7")) is Reason.NO_SUCH_GROUP


def test_what_is_laid_off_must_be_in_the_hand() -> None:
    assert refusal(round_with("D8 H2", "H7 S7 C7"), 1, lay_off(2, "D7")) is Reason.CARD_NOT_IN_HAND


def test_one_lays_off_after_the_contract_in_the_same_turn_too() -> None:
    state = on_table(melding("D7 S8 H8 C8 H2", "C2", contract="S3"), 2, "H7 S7 C7")
    assert refusal(state, 1, lay_off(1, "D7")) is Reason.CONTRACT_FIRST
    assert offered(state) == []
    state = after(state, 1, lay("S8 H8 C8"), lay_off(1, "D7"))
    assert texts(state.hands[0]) == "H2"


def test_by_choice_one_lays_off_before_the_contract_but_keeps_two_cards() -> None:
    state = on_table(melding("D7 D7 H2", "C2", layoff_requires_contract=False), 2, "H7 S7 C7")
    assert offered(state) == ["1 D7 -"]
    state = after(state, 1, lay_off(1, "D7"))
    assert refusal(state, 1, lay_off(1, "D7")) is Reason.KEEP_TWO_CARDS
    assert offered(state) == []
