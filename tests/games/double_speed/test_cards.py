from itertools import product

import pytest

from service.games.double_speed.cards import CARDS, Card, all_cards, upright
from service.games.double_speed.deck import deck_of
from tests.games.double_speed.given import STRANGERS, card, texts


def test_a_card_is_its_notation() -> None:
    assert all(Card.parse(str(each)) is each for each in CARDS.values())


@pytest.mark.parametrize("text", ["", "Ro", "Ro-Rq", "Ro-Go", "Ro-Ro", "ro-gq", "Ro/Gq", "Xo-Gq", "Ro-Gz", "Ro-Gq#2"])
def test_what_is_no_card_is_an_error_that_says_what_one_is(text: str) -> None:
    with pytest.raises(ValueError, match="give two halves that differ in colour and symbol, such as Ro-Gq"):
        Card.parse(text)


def test_an_upright_card_has_its_halves_in_the_order_of_the_colours() -> None:
    assert texts(map(upright, map(card, ("Gq-Ro", "Ro-Gq", "Wh-Vd")))) == "Ro-Gq Ro-Gq Vd-Wh"


@pytest.mark.parametrize(
    ("colours", "symbols", "number"), [(4, 4, 72), (3, 4, 36), (4, 3, 36), (3, 3, 18), (6, 6, 450)]
)
def test_colours_and_symbols_make_every_card_once(colours: int, symbols: int, number: int) -> None:
    pack = all_cards(colours, symbols)
    assert len(pack) == len(set(pack)) == number


def meet(one: str, other: str) -> bool:
    return one[0] == other[0] or one[1] == other[1]


@pytest.mark.parametrize("rotation", [True, False])
def test_a_card_fits_where_both_halves_meet_one_each(rotation: bool) -> None:
    pack = all_cards(4, 4)
    fits = deck_of(pack, rotation=rotation).fits
    for top, other in product(pack, pack):
        (a, b), (x, y) = other.halves, top.halves
        expected = (meet(a, x) and meet(b, y)) or (rotation and meet(a, y) and meet(b, x))
        assert (other in fits[top]) is expected, f"{other} on {top}"
        assert (other in fits[top]) is (top in fits[other])


def test_two_matches_on_one_half_do_not_help() -> None:
    assert card("Rt-Ys") not in deck_of(all_cards(4, 4), rotation=True).fits[card("Rt-Bq")]


def test_where_cards_may_not_be_turned_a_card_and_its_mirror_are_two() -> None:
    fits = deck_of((card("Ro-Gq"), card("Gq-Ro"), card("Gt-Rs")), rotation=False).fits
    assert fits[card("Ro-Gq")] == {card("Ro-Gq")}
    assert fits[card("Gq-Ro")] == {card("Gq-Ro"), card("Gt-Rs")}


def test_there_are_cards_of_which_none_fits_another() -> None:
    assert all(fitting == {top} for top, fitting in deck_of(STRANGERS, rotation=True).fits.items())
