from typing import Any

from service.games.romme10.commands import Reason, SwapJoker
from service.games.romme10.state import State
from tests.games.romme10.given import HIGH, LOW, after, discard, legal, melding, on_table, refusal, swap, texts


def round_with(hand: str, table: str, **chosen: Any) -> State:
    """Return a turn of seat 1, with groups of seat 2 on the table."""
    return on_table(melding(hand, "C2", **chosen), 2, table)


def swapped(state: State, command: SwapJoker) -> str:
    return texts(after(state, 1, command).table[0].cards)


def test_the_joker_goes_to_an_end_of_its_run() -> None:
    state = round_with("H6 C2 C3", "H5 * H7 H8")
    assert swapped(state, swap(1, 2, "H6", LOW)) == "* H5 H6 H7 H8"
    assert swapped(state, swap(1, 2, "H6", HIGH)) == "H5 H6 H7 H8 *"
    assert refusal(state, 1, swap(1, 2, "H6")) is Reason.WHICH_END


def test_hand_and_group_change_by_one_card() -> None:
    state = after(round_with("H6 C2 C3", "H5 * H7 H8"), 1, swap(1, 2, "H6", LOW))
    assert texts(state.hands[0]) == "C2 C3"
    low, _, card, *_ = state.table[0].cards
    assert (str(low.stands_for), low.seat, card.seat) == ("H4", 2, 1)


def test_the_joker_becomes_the_last_card_of_its_set() -> None:
    state = round_with("H7 C2 C3", "D7 * S7")
    assert swapped(state, swap(1, 2, "H7")) == "D7 H7 S7 *"
    assert refusal(state, 1, swap(1, 2, "H7", LOW)) is Reason.NO_ENDS


def test_only_the_card_the_joker_stands_for_takes_its_place() -> None:
    assert refusal(round_with("S6 C2 C3", "H5 * H7 H8"), 1, swap(1, 2, "S6", LOW)) is Reason.NOT_THE_JOKERS_CARD
    assert refusal(round_with("* C2 C3", "H5 * H7 H8"), 1, swap(1, 2, "*", LOW)) is Reason.NOT_THE_JOKERS_CARD
    assert refusal(round_with("H8 C2 C3", "D7 * S7"), 1, swap(1, 2, "H8")) is Reason.NOT_THE_JOKERS_CARD
    assert refusal(round_with("* C2 C3", "D7 * S7"), 1, swap(1, 2, "*")) is Reason.NOT_THE_JOKERS_CARD


def test_the_position_is_a_jokers() -> None:
    state = round_with("H6 C2 C3", "H5 * H7 H8")
    for position in (-1, 0, 1, 5):
        assert refusal(state, 1, swap(1, position, "H6", LOW)) is Reason.NO_JOKER_THERE
    assert refusal(state, 1, swap(2, 2, "H6", LOW)) is Reason.NO_SUCH_GROUP
    assert refusal(state, 1, swap(1, 2, "H7", LOW)) is Reason.CARD_NOT_IN_HAND


def test_a_whole_run_has_no_room_for_its_joker() -> None:
    state = round_with("C9 H2 H3", "C2 C3 C4 C5 C6 C7 C8 * CT CJ CQ CK CA")
    for end in (LOW, HIGH, None):
        assert refusal(state, 1, swap(1, 8, "C9", end)) is Reason.NOWHERE_FOR_JOKER
    assert not legal(state, SwapJoker)


def test_a_joker_that_is_the_two_goes_to_the_high_end() -> None:
    state = round_with("C2 H2 H3", "* C3 C4 C5")
    assert refusal(state, 1, swap(1, 1, "C2", LOW)) is Reason.NOWHERE_FOR_JOKER
    assert legal(state, SwapJoker) == [swap(1, 1, "C2", HIGH)]
    assert swapped(state, swap(1, 1, "C2")) == "C2 C3 C4 C5 *"


def test_a_joker_at_an_end_is_swapped_too_and_the_end_is_another_then() -> None:
    state = after(round_with("H8 H9 C2 C3", "H5 H6 H7 *"), 1, swap(1, 4, "H8", HIGH))
    assert texts(state.table[0].cards) == "H5 H6 H7 H8 *"
    assert swapped(state, swap(1, 5, "H9", HIGH)) == "H5 H6 H7 H8 H9 *"


def test_of_two_jokers_each_has_its_own_place() -> None:
    state = round_with("H6 H8 C2 C3", "H5 * H7 * H9")
    assert [str(command.card) for command in legal(state, SwapJoker)] == ["H6", "H6", "H8", "H8"]
    assert swapped(state, swap(1, 2, "H6", LOW)) == "* H5 H6 H7 * H9"
    assert swapped(state, swap(1, 4, "H8", HIGH)) == "H5 * H7 H8 H9 *"
    next_to = after(state, 1, swap(1, 2, "H6", HIGH), swap(1, 4, "H8", HIGH))
    assert texts(next_to.table[0].cards) == "H5 H6 H7 H8 H9 * *"


def test_a_full_set_has_no_room_for_its_joker() -> None:
    full = "D7 D7 H7 H7 S7 S7 C7 *"
    state = round_with("C7 H2 H3", full)
    assert refusal(state, 1, swap(1, 8, "C7")) is Reason.SET_FULL
    assert not legal(state, SwapJoker)
    assert swapped(round_with("C7 H2 H3", full, set_max=9), swap(1, 8, "C7")) == "D7 D7 H7 H7 S7 S7 C7 C7 *"


def test_one_swaps_before_the_contract_unless_chosen_otherwise() -> None:
    assert legal(round_with("H7 C2 C3", "D7 * S7"), SwapJoker)
    strict = round_with("H7 C2 C3", "D7 * S7", swap_requires_contract=True)
    assert refusal(strict, 1, swap(1, 2, "H7")) is Reason.CONTRACT_FIRST
    assert not legal(strict, SwapJoker)
    assert legal(on_table(strict, 1, "S8 H8 C8"), SwapJoker)


def test_without_the_contract_two_cards_are_kept_so_that_no_hand_gets_empty() -> None:
    state = after(round_with("H7 C7 C2", "D7 * S7"), 1, swap(1, 2, "H7"))
    assert refusal(state, 1, swap(1, 4, "C7")) is Reason.KEEP_TWO_CARDS
    assert not legal(state, SwapJoker)
    assert len(after(state, 1, discard("C2")).hands[0]) == 1
