"""Chance follows from the seed, is fair, and can be recomputed by anybody."""

import hashlib
import hmac
from collections import Counter
from itertools import permutations

import pytest

from service.draw import NO_CONTRIBUTION, SeededDraw, deal_seed

ROOT, TABLE = bytes(range(32)), "00.aaaaaaaaaaaaaaaaaa"


def shuffled_by_the_book(seed: bytes, items: list[int]) -> list[int]:
    """Shuffle as the design says, written a second time and without haste."""
    words = []
    for block in range(100):
        stream = hmac.new(seed, b"stammtisch/shuffle/1" + block.to_bytes(8, "big"), hashlib.sha256).digest()
        words += [int.from_bytes(stream[at : at + 4], "big") for at in range(0, 32, 4)]
    for i in range(len(items) - 1, 0, -1):
        limit = i + 1
        while (word := words.pop(0)) >= 2**32 // limit * limit:
            pass
        j = word % limit
        items[i], items[j] = items[j], items[i]
    return items


@pytest.mark.parametrize("count", [0, 1, 2, 27, 108])
def test_a_shuffle_is_the_one_that_is_written_down(count: int) -> None:
    for number in range(20):
        seed = hashlib.sha256(bytes([number])).digest()
        assert list(SeededDraw(seed).shuffled(range(count))) == shuffled_by_the_book(seed, list(range(count)))


def test_a_shuffle_never_changes_between_releases() -> None:
    assert SeededDraw(bytes(32)).shuffled("ABCDEFGHIJ") == tuple("CIGAJDEFHB")


def test_every_order_is_as_likely_as_any_other() -> None:
    orders = Counter(SeededDraw(n.to_bytes(32, "big")).shuffled("ABC") for n in range(6_000))
    assert set(orders) == set(permutations("ABC"))
    assert all(850 < count < 1150 for count in orders.values())  # more than five standard deviations either way


def test_every_label_draws_for_itself() -> None:
    draw = SeededDraw(bytes(32))
    first = draw.below(10**9, "dealer")
    draw.shuffled(range(50))
    assert draw.below(10**9, "dealer") == first
    assert draw.below(10**9, "another") != first


@pytest.mark.parametrize("limit", [1, 2, 7, 2**31 + 1, 2**32])
def test_a_number_is_below_its_limit(limit: int) -> None:
    numbers = [SeededDraw(bytes([n] * 32)).below(limit, "label") for n in range(50)]
    assert all(0 <= number < limit for number in numbers)


@pytest.mark.parametrize("limit", [0, -1, 2**32 + 1])
def test_a_limit_that_no_word_can_serve_is_an_error_and_no_endless_loop(limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        SeededDraw(bytes(32)).below(limit, "label")


def test_a_deals_seed_depends_on_everything() -> None:
    given = (b"a" * 32, b"")
    seeds = {
        deal_seed(ROOT, TABLE, 0, given),
        deal_seed(bytes(32), TABLE, 0, given),
        deal_seed(ROOT, "00.bbbbbbbbbbbbbbbbbb", 0, given),
        deal_seed(ROOT, TABLE, 1, given),
        deal_seed(ROOT, TABLE, 0, given[::-1]),
    }
    assert len(seeds) == 5
    assert deal_seed(ROOT, TABLE, 0, (b"a" * 32, NO_CONTRIBUTION)) == deal_seed(ROOT, TABLE, 0, given)
