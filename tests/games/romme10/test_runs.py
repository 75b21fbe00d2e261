import pytest

from service.games.romme10.runs import placements, start_of
from tests.games.romme10.given import cards, group, texts


def placed(text: str) -> list[str]:
    return [texts(run) for run in placements(cards(text))]


@pytest.mark.parametrize(
    ("text", "start"),
    [("H5 H6 H7 H8", 5), ("* H3 H4 H5", 2), ("SJ SQ SK *", 11), ("* * H4 H5", 2), ("H5 * * H8", 5)],
)
def test_a_run_begins_where_its_first_card_or_joker_stands(text: str, start: int) -> None:
    assert start_of(cards(text)) == start


@pytest.mark.parametrize(
    "text", ["", "* *", "* H2 H3 H4", "SK SA *", "CA C2 C3", "H5 H7", "H5 S6", "H5 H5", "H6 H5", "H5 * H6"]
)
def test_what_is_not_in_a_row_is_no_run(text: str) -> None:
    assert start_of(cards(text)) is None


def test_a_run_in_order_is_taken_as_it_is() -> None:
    assert placed("* H5 H6 H7") == ["* H5 H6 H7"]
    assert placed("H5 H6 H7 *") == ["H5 H6 H7 *"]


def test_jokers_out_of_order_fill_gaps_first_and_then_the_high_end() -> None:
    assert placed("H8 H5 * H6") == ["H5 H6 * H8"]
    assert placed("* * H8 H5 H6")[0] == "H5 H6 * H8 *"
    assert placed("* H8 * H5 H6 *") == ["H5 H6 * H8 * *", "* H5 H6 * H8 *", "* * H5 H6 * H8"]


def test_jokers_that_do_not_fit_above_the_ace_go_below() -> None:
    assert placed("* * SA SK SQ") == ["* * SQ SK SA"]
    assert placed("SK SQ * SJ *") == ["* SJ SQ SK *", "* * SJ SQ SK"]


@pytest.mark.parametrize("text", ["H5 H9 *", "H5 H5 * *", "H5 S6 *", "* *", "H2 H4 H6 *"])
def test_cards_that_make_no_run_have_no_place(text: str) -> None:
    assert placed(text) == []


def test_a_joker_in_a_run_stands_for_the_card_of_its_place() -> None:
    assert [str(laid.stands_for) for laid in group("* H5 * H7").cards] == ["H4", "None", "H6", "None"]
    assert [laid.stands_for for laid in group("D7 * S7").cards] == [None, None, None]
