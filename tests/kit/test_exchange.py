from collections import Counter
from collections.abc import Sequence

from service.draw import SeededDraw
from service.kit.exchange import exchanged, portions

WORLDS = 6_000


def draw(number: int) -> SeededDraw:
    return SeededDraw(number.to_bytes(32, "big"))


def everything(_items: Sequence[str]) -> bool:
    return True


def test_the_same_draw_gives_the_same_order_and_another_one_another() -> None:
    items = tuple("abcdefgh")
    assert exchanged(items, draw(1), everything) == exchanged(items, draw(1), everything)
    assert exchanged(items, draw(1), everything) != exchanged(items, draw(2), everything)
    assert sorted(exchanged(items, draw(1), everything)) == sorted(items)


def test_an_exchange_never_changes_between_releases() -> None:
    assert "".join(exchanged("ABCDEFGHIJ", SeededDraw(bytes(32)), everything)) == "DBAFGHECJI"
    restricted = exchanged("ABCDEFGHIJ", SeededDraw(bytes(32)), lambda items: items[0] in "ABC")
    assert "".join(restricted) == "BIAJGDECFH"


def test_where_everything_fits_all_orders_are_equally_likely() -> None:
    counts = Counter(exchanged("abc", draw(number), everything) for number in range(WORLDS))
    assert len(counts) == 6
    assert max(counts.values()) - min(counts.values()) < WORLDS / 30


def test_what_does_not_fit_never_comes_and_all_that_does_is_equally_likely() -> None:
    """`a` and `b` never come first, `c` never last: ten orders of 24 fit."""

    def fits(items: Sequence[str]) -> bool:
        return items[0] not in "ab" and items[-1] != "c"

    counts = Counter(exchanged("cdab", draw(number), fits) for number in range(WORLDS))
    assert all(map(fits, counts))
    assert len(counts) == 10
    assert max(counts.values()) - min(counts.values()) < WORLDS / 30


def test_where_nothing_else_fits_all_stays_as_it_is() -> None:
    assert exchanged("ab", draw(1), lambda items: items[0] == "a") == ("a", "b")
    assert exchanged("", draw(1), everything) == ()


def test_portions_are_of_the_sizes_asked_for_and_in_order() -> None:
    assert portions("abcdef", [2, 0, 3, 1]) == (("a", "b"), (), ("c", "d", "e"), ("f",))
