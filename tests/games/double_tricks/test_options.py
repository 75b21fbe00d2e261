from typing import Any

import pytest

from service.games.double_tricks import GAME
from service.games.double_tricks.cards import COMPLEMENT16
from service.games.double_tricks.options import Bank, Options, TieBreak
from service.kit.game import BadOptions
from service.kit.options import options_of
from tests.games.double_tricks.given import cards, options


def test_the_defaults_are_those_of_the_sheet() -> None:
    assert Options() == Options(
        sets=2,
        deck_pairs=COMPLEMENT16,
        hand_sizes=(1, 2, 3, 4, 5, 5, 4, 3, 2, 1),
        start_points=15,
        exact_bonus=5,
        specials_anytime=True,
        dealer_restriction=False,
        bank=Bank.UNLIMITED,
        tie_break=TieBreak.SHARED,
        first_dealer=0,
        show_trick_history=False,
    )


@pytest.mark.parametrize("seats", range(2, 9))
def test_two_to_eight_play_with_the_defaults(seats: int) -> None:
    state = GAME.start(Options(), seats)
    assert state.setup.seats == seats
    assert state.points == (15,) * seats
    assert len(state.setup.pack) == 54


@pytest.mark.parametrize("seats", range(2, 6))
def test_up_to_five_may_play_with_one_set(seats: int) -> None:
    assert len(GAME.start(options(sets=1), seats).setup.pack) == 27


def doubled() -> dict[str, Any]:
    return {"deck_pairs": (*COMPLEMENT16[:-1], COMPLEMENT16[0])}


@pytest.mark.parametrize(
    ("chosen", "seats", "option", "sentence"),
    [
        ({}, 1, "seats", "choose 2 to 8 players, not 1"),
        ({}, 9, "seats", "choose 2 to 8 players, not 9"),
        ({"sets": 3}, 4, "sets", "choose 1 to 2, not 3"),
        ({"sets": 0}, 4, "sets", "choose 1 to 2, not 0"),
        ({"sets": 1}, 6, "sets", "one set is for at most 5 players; take two for 6"),
        ({"sets": 1, "hand_sizes": (1,)}, 6, "sets", "one set is for at most 5 players; take two for 6"),
        ({"deck_pairs": COMPLEMENT16[1:]}, 4, "deck_pairs", "give 27 items, not 26"),
        (doubled(), 4, "deck_pairs", "each of the 54 motifs must be there once; CA is there twice or more"),
        ({"hand_sizes": ()}, 4, "hand_sizes", "give 1 to 20 items, not 0"),
        ({"hand_sizes": (1,) * 21}, 4, "hand_sizes", "give 1 to 20 items, not 21"),
        ({"hand_sizes": (3, 0)}, 4, "hand_sizes", "choose 1 to 26, not 0"),
        ({"hand_sizes": (27,)}, 2, "hand_sizes", "choose 1 to 26, not 27"),
        ({"hand_sizes": (1, 14)}, 4, "hand_sizes", "4 players can receive at most 13 cards each from this pack"),
        ({"sets": 1, "hand_sizes": (9,)}, 3, "hand_sizes", "3 players can receive at most 8 cards each from this pack"),
        ({"sets": 1, "hand_sizes": (6,)}, 5, "hand_sizes", "5 players can receive at most 5 cards each from this pack"),
        ({"start_points": -1}, 4, "start_points", "choose 0 to 1000, not -1"),
        ({"start_points": 1001}, 4, "start_points", "choose 0 to 1000, not 1001"),
        (
            {"start_points": 86, "bank": Bank.MATERIAL},
            4,
            "start_points",
            "the box has 340 points: at most 85 for each of 4 players",
        ),
        ({"exact_bonus": -1}, 4, "exact_bonus", "choose 0 to 100, not -1"),
        ({"exact_bonus": 101}, 4, "exact_bonus", "choose 0 to 100, not 101"),
        ({"first_dealer": 5}, 4, "first_dealer", "choose a seat from 1 to 4, or 0 for one by lot"),
        ({"first_dealer": -1}, 4, "first_dealer", "choose 0 to 8, not -1"),
    ],
)
def test_what_cannot_be_played_is_refused_by_the_option_at_fault(
    chosen: dict[str, Any], seats: int, option: str, sentence: str
) -> None:
    with pytest.raises(BadOptions) as refused:
        GAME.start(options(**chosen), seats)
    assert (refused.value.option, refused.value.sentence) == (option, sentence)


def test_the_greatest_hand_is_named_where_it_would_leave_just_the_card_to_turn_up() -> None:
    with pytest.raises(BadOptions, match="2 players can receive at most 13 cards"):
        GAME.start(options(sets=1, hand_sizes=(14,)), 2)


def test_the_greatest_hands_that_the_pack_allows_can_be_played() -> None:
    assert GAME.start(options(hand_sizes=(26,)), 2)
    assert GAME.start(options(hand_sizes=(13,)), 4)
    assert GAME.start(options(start_points=85, bank=Bank.MATERIAL), 4)


def test_a_pairing_of_ones_own_makes_the_pack() -> None:
    own = (*COMPLEMENT16[:-2], *cards("H8/POPE C8/FOOL"))
    pack = GAME.start(options(deck_pairs=own), 4).setup.pack
    assert sorted(map(str, pack)) == sorted(map(str, own * 2))


def test_a_form_finds_a_sentence_for_every_option() -> None:
    known = options_of(Options)
    assert list(known)[:3] == ["sets", "deck_pairs", "hand_sizes"]
    assert all(each.sentence.endswith(".") for each in known.values())
    assert (known["sets"].least, known["sets"].most) == (1, 2)
