from typing import Any

import pytest

from service.games.romme10 import GAME
from service.games.romme10.commands import LayContract, Reason
from service.games.romme10.groups import Kind
from service.games.romme10.state import Phase
from tests.games.romme10.given import after, lay, legal, melding, on_table, refusal, start, texts

EXTRA = "C2 C9 DK"  # so that no hand gets empty


def laid(contract: str, text: str, hand: str = "", **chosen: Any) -> list[str]:
    """Return the groups on the table when a seat lays these down."""
    state = melding(f"{hand or text.replace('/', '')} {EXTRA}", "C2", contract=contract, **chosen)
    return [texts(group.cards) for group in after(state, 1, lay(text)).table]


def refused(contract: str, text: str, **chosen: Any) -> Reason:
    state = melding(f"{text.replace('/', '')} {EXTRA}", "C2", contract=contract, **chosen)
    return refusal(state, 1, lay(text))


def test_all_groups_are_laid_down_at_once_in_any_order() -> None:
    state = melding(f"D7 H7 S7 C2 C3 C4 C5 {EXTRA}", "C2", contract="R4 S3")
    state = after(state, 1, lay("D7 H7 S7 / C2 C3 C4 C5"))
    assert [(group.number, group.owner, group.kind) for group in state.table] == [(1, 1, Kind.SET), (2, 1, Kind.RUN)]
    assert texts(state.hands[0]) == "C2 C9 DK"
    assert state.has_laid(1)
    assert not state.has_laid(2)


def test_groups_are_numbered_on() -> None:
    state = on_table(melding(f"D7 H7 S7 {EXTRA}", "C2", contract="S3"), 2, "S8 S9 ST SJ")
    assert [group.number for group in after(state, 1, lay("D7 H7 S7")).table] == [1, 2]


@pytest.mark.parametrize(
    ("contract", "text"),
    [
        ("S3 S3", "SJ HJ DJ / CJ CJ SJ DJ"),
        ("R4 R4", "C2 C3 C4 C5 / C9 CT CJ CQ CK"),
        ("R4 R4", "H5 H6 H7 H8 / H5 H6 H7 H8"),
        ("R4 R7", "C2 C3 C4 C5 C6 C7 C8 / D2 D3 D4 D5"),
        ("S4 S3", "SJ HJ DJ / CT CT ST DT"),
        ("S3", "SJ SJ HJ HJ DJ DJ CJ CJ"),
    ],
)
def test_longer_groups_equal_ranks_and_suits_are_fine(contract: str, text: str) -> None:
    assert laid(contract, text) == text.split(" / ")


@pytest.mark.parametrize(
    ("contract", "text", "reason"),
    [
        ("S3 S3", "D7 H7 S7", Reason.WRONG_NUMBER_OF_GROUPS),
        ("S3 S3", "D7 H7 S7 / D8 H8 S8 / D9 H9 S9", Reason.WRONG_NUMBER_OF_GROUPS),
        ("S3 S3", "D7 H7 S7 / C2 C3 C4 C5", Reason.CONTRACT_NOT_MET),
        ("S3 R7", "D7 H7 S7 / C2 C3 C4 C5 C6 C7", Reason.CONTRACT_NOT_MET),
        ("S4 S4", "D7 H7 S7 / C2 S2 D2 H2 C2", Reason.CONTRACT_NOT_MET),
        ("S3", "D7 H7", Reason.NOT_A_GROUP),
        ("S3", "D7 H7 S8", Reason.NOT_A_GROUP),
        ("R4", "D7 D8 D9", Reason.NOT_A_GROUP),
        ("R4", "H5 H6 S7 H8", Reason.NOT_A_GROUP),
        ("R4", "CA C2 C3 C4", Reason.NOT_A_GROUP),
        ("R4", "H5 H6 H6 H7", Reason.NOT_A_GROUP),
        ("S3", "D7 * *", Reason.TOO_MANY_JOKERS),
        ("S3", "* * *", Reason.TOO_MANY_JOKERS),
        ("R4", "H5 * * *", Reason.TOO_MANY_JOKERS),
        ("S3", "D7 D7 H7 H7 S7 S7 C7 C7 *", Reason.SET_FULL),
    ],
)
def test_groups_that_are_not_the_contracts_are_refused(contract: str, text: str, reason: Reason) -> None:
    assert refused(contract, text) is reason


def test_no_group_at_all_is_refused() -> None:
    assert refusal(melding("D7 H7 S7", "C2", contract="S3"), 1, LayContract(())) is Reason.WRONG_NUMBER_OF_GROUPS
    assert refusal(melding("D7 H7 S7", "C2", contract="S3"), 1, lay("")) is Reason.NOT_A_GROUP


def test_a_set_can_be_longer_by_choice() -> None:
    text = "D7 D7 H7 H7 S7 S7 C7 C7 *"
    assert laid("S3", text, set_max=9) == [text]
    assert refused("S3", "D7 D7 H7 H7", set_max=3) is Reason.SET_FULL


def test_jokers_are_placed_for_who_does_not_place_them() -> None:
    assert laid("R4 S3", "D7 * S7 / * H8 H5 H6") == ["D7 * S7", "H5 H6 * H8"]


def test_all_cards_must_be_in_the_hand() -> None:
    state = melding("D7 H7 S7 D8 H8 C9", "C2")
    assert refusal(state, 1, lay("D7 H7 S7 / D8 H8 S8")) is Reason.CARD_NOT_IN_HAND
    assert refusal(state, 1, lay("D7 H7 S7 / D7 H7 S7")) is Reason.CARD_NOT_IN_HAND


def test_the_contract_is_laid_down_once_a_round() -> None:
    state = after(melding("D7 H7 S7 D8 H8 S8 C9", "C2", contract="S3"), 1, lay("D7 H7 S7"))
    assert refusal(state, 1, lay("D8 H8 S8")) is Reason.CONTRACT_ALREADY_LAID
    assert not legal(state, LayContract)


def test_runs_that_touch_are_fine_unless_chosen_otherwise() -> None:
    text = "C2 C3 C4 C5 / C6 C7 C8 C9"
    assert laid("R4 R4", text) == text.split(" / ")
    assert refused("R4 R4", text, adjacent_runs=False) is Reason.RUNS_TOUCH
    assert refused("R4 R4", "C6 C7 C8 C9 / C2 C3 C4 C5", adjacent_runs=False) is Reason.RUNS_TOUCH
    for apart in ("C2 C3 C4 C5 / C7 C8 C9 CT", "C2 C3 C4 C5 / H6 H7 H8 H9", "C2 C3 C4 C5 / C5 C6 C7 C8"):
        assert laid("R4 R4", apart, adjacent_runs=False) == apart.split(" / ")


def test_jokers_are_placed_so_that_runs_do_not_touch() -> None:
    assert laid("R4 R4", "* C5 C4 C3 / C7 C8 C9 CT", adjacent_runs=False) == ["* C3 C4 C5", "C7 C8 C9 CT"]
    assert refused("R4 R4", "C3 C4 C5 * / C7 C8 C9 CT", adjacent_runs=False) is Reason.RUNS_TOUCH


def test_before_the_first_deal_there_is_no_contract_to_lay() -> None:
    state = start(2)._replace(phase=Phase.MELD, turn=1)
    assert GAME.legal(state, 1) == ()
    assert refusal(state, 1, lay("D7 H7 S7")) is Reason.WRONG_NUMBER_OF_GROUPS
