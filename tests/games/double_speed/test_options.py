from typing import Any

import pytest

from service.games.double_speed import GAME
from service.games.double_speed.options import CARDS_MAX, SEATS, Deadlock, HardDeadlock, Match, Options
from service.kit.game import BadOptions
from service.kit.options import options_of
from tests.games.double_speed.given import STRANGERS, cards, options


def test_the_sheets_game_is_the_default() -> None:
    assert Options() == Options(
        colours=4,
        symbols=4,
        copies=1,
        deck=(),
        hand_limit=4,
        starter=1,
        rotation=True,
        auto_draw=False,
        deadlock=Deadlock.CLAIM,
        hard_deadlock=HardDeadlock.REOPEN,
        match=Match.BEST_OF,
        rounds=1,
    )


@pytest.mark.parametrize(
    ("seats", "chosen", "option", "sentence"),
    [
        (1, {}, "seats", "choose 2 to 4 players, not 1"),
        (5, {}, "seats", "choose 2 to 4 players, not 5"),
        (2, {"starter": 3}, "starter", "choose a seat from 1 to 2, or 0 for one by lot"),
        (2, {"starter": -1}, "starter", "choose 0 to 4, not -1"),
        (2, {"colours": 2}, "colours", "choose 3 to 6, not 2"),
        (2, {"symbols": 7}, "symbols", "choose 3 to 6, not 7"),
        (2, {"copies": 0}, "copies", "choose 1 to 4, not 0"),
        (2, {"copies": 4}, "colours", "that makes 288 cards; take fewer colours, symbols or copies, for 200"),
        (2, {"colours": 6, "symbols": 6}, "colours", "that makes 450 cards"),
        (2, {"deck": cards("Ro-Gq") * 201}, "deck", "give 0 to 200 items, not 201"),
        (2, {"deck": STRANGERS[:5]}, "deck", "2 players need 6 cards or more, not 5"),
        (2, {"deck": cards("Gq-Ro") * 12}, "deck", "cards may be turned, so write Ro-Gq instead of Gq-Ro"),
        (2, {"hand_limit": 13}, "hand_limit", "choose 1 to 12, not 13"),
        (4, {"colours": 3, "symbols": 3}, "hand_limit", "of 18 cards each of 4 players has 4; choose 1 to 2"),
        (2, {"rounds": 16}, "rounds", "choose 1 to 15, not 16"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_option_and_what_would_be_right(
    seats: int, chosen: dict[str, Any], option: str, sentence: str
) -> None:
    with pytest.raises(BadOptions) as bad:
        GAME.start(options(**chosen), seats)
    assert bad.value.option == option
    assert sentence in bad.value.sentence


def test_cards_of_ones_own_take_the_place_of_all_others() -> None:
    assert GAME.start(options(deck=STRANGERS, hand_limit=3, copies=4), 2).setup.deck.cards == STRANGERS


def test_where_cards_may_not_be_turned_they_may_have_their_halves_in_any_order() -> None:
    deck = cards("Gq-Ro Ro-Gq") * 6
    assert GAME.start(options(deck=deck, rotation=False), 2).setup.deck.cards == deck


def test_the_smallest_share_is_a_card_for_the_hand_one_for_the_stack_and_one_for_the_pile() -> None:
    assert GAME.start(options(deck=STRANGERS[:6], hand_limit=1), 2).setup.options.hand_limit == 1


@pytest.mark.parametrize("seats", SEATS)
def test_the_largest_hand_can_be_played_with_the_whole_deck(seats: int) -> None:
    assert GAME.start(options(hand_limit=12), seats).setup.seats == seats


def test_every_option_is_described() -> None:
    assert all(option.sentence.endswith(".") for option in options_of(Options).values())
    assert options_of(Options)["deck"].items == range(CARDS_MAX + 1)
