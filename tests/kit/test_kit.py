from dataclasses import dataclass
from enum import Enum

import pytest

from service.kit.game import BadOptions, Standing
from service.kit.options import Option, check_ranges, option, options_of, settled
from service.kit.seats import next_seat
from service.kit.standing import ranked
from service.kit.tuples import with_item, without


def test_the_next_seat_is_the_left_neighbour_and_after_the_last_comes_the_first() -> None:
    assert [next_seat(seat, 3) for seat in (1, 2, 3)] == [2, 3, 1]


def test_seats_of_equal_merit_share_a_place_and_the_place_after_is_left_out() -> None:
    standing = ranked([10, 30, 30, 5], [10, 30, 30, 5])
    assert standing == (Standing(2, 1, 30), Standing(3, 1, 30), Standing(1, 3, 10), Standing(4, 4, 5))


def test_merit_ranks_and_the_score_is_shown() -> None:
    assert ranked([7, 7], [(7, 1), (7, 2)]) == (Standing(2, 1, 7), Standing(1, 2, 7))


def test_a_tuple_changes_in_one_place() -> None:
    assert with_item((1, 2, 3), 1, 9) == (1, 9, 3)


def test_of_equal_items_one_is_left_out() -> None:
    assert without((1, 2, 1), 1) == (2, 1)


@dataclass(frozen=True, slots=True)
class Sizes:
    one: int = option("One number.", default=3, least=1, most=5)
    many: tuple[int, ...] = option("Some numbers.", default=(1, 2), least=0, most=9, items=range(1, 4))
    three: tuple[str, ...] = option("Three words.", default=("a", "b", "c"), items=range(3, 4), refused_when="Never.")
    flag: bool = option("A flag.", default=False)


def test_options_in_range_pass() -> None:
    check_ranges(Sizes())
    check_ranges(Sizes(one=5, many=(0, 9, 9), flag=True))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (Sizes(one=0), "one: choose 1 to 5, not 0"),
        (Sizes(many=(1, 10)), "many: choose 0 to 9, not 10"),
        (Sizes(many=()), "many: give 1 to 3 items, not 0"),
        (Sizes(three=("a",)), "three: give 3 items, not 1"),
    ],
)
def test_an_option_out_of_range_is_refused_by_name_with_what_would_be_right(sizes: Sizes, message: str) -> None:
    with pytest.raises(BadOptions) as refused:
        check_ranges(sizes)
    assert str(refused.value) == message


def test_an_option_tells_a_form_everything() -> None:
    assert options_of(Sizes)["three"] == Option("Three words.", None, None, range(3, 4), "Never.", {})
    assert list(options_of(Sizes)) == ["one", "many", "three", "flag"]


class Way(Enum):
    """A profile."""

    LONG = 1
    SHORT = 2


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a profile decides."""

    number: int


WAYS: dict[Enum, Chosen] = {Way.LONG: Chosen(5), Way.SHORT: Chosen(1)}


@dataclass(frozen=True, slots=True)
class Walk:
    """Options of which a profile decides one."""

    profile: Way = option("Which way.", default=Way.LONG)
    number: int | None = option("A number.", default=None, least=1, most=5, profiles=WAYS)


def test_what_is_left_to_a_profile_is_filled_in_and_what_was_chosen_is_kept() -> None:
    assert settled(Walk()) == Walk(Way.LONG, 5)
    assert settled(Walk(Way.SHORT)) == Walk(Way.SHORT, 1)
    assert settled(Walk(Way.SHORT, 3)) == Walk(Way.SHORT, 3)
    assert settled(Sizes()) == Sizes()


def test_an_option_that_is_left_to_a_profile_is_in_range() -> None:
    @dataclass(frozen=True, slots=True)
    class Left:
        number: int | None = option("A number.", default=None, least=1, most=5)

    check_ranges(Left())
    check_ranges(Left(5))
    with pytest.raises(BadOptions):
        check_ranges(Left(6))
