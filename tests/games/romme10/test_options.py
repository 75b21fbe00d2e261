from dataclasses import fields
from typing import Any

import pytest

from service.games.romme10 import GAME
from service.games.romme10.contracts import CLASSIC10, SHANGHAI10, Contract
from service.games.romme10.options import DiscardVisibility, FirstDealer, Options, StockEmpty, board_of
from service.games.romme10.profiles import Board, Profile
from service.games.romme10.state import Phase
from service.kit.game import BadOptions
from service.kit.options import options_of, settled
from tests.games.romme10.given import options

OWN = tuple(map(Contract.parse, ("S3", "R4 R4", "R10 R10")))


def test_the_rules_defaults_are_the_defaults() -> None:
    assert Options() == Options(
        profile=Profile.SHANGHAI10,
        contracts=None,
        rounds=None,
        hand_size=11,
        buy_from_round=4,
        buy_max=2,
        buy_cost=0,
        layoff_requires_contract=True,
        swap_requires_contract=False,
        joker_layoff_on_sets=False,
        set_max=8,
        bonus=50,
        bonus_final_discard=True,
        forbid_return_discard=False,
        adjacent_runs=True,
        first_dealer=FirstDealer.DRAW,
        stock_empty=StockEmpty.RESHUFFLE,
        max_reshuffles=None,
        discard_visibility=DiscardVisibility.TOP,
        max_idle_laps=20,
    )


@pytest.mark.parametrize(
    ("chosen", "board"),
    [
        ({}, Board(SHANGHAI10, tuple(range(1, 11)))),
        ({"profile": Profile.CLASSIC10}, Board(CLASSIC10, tuple(range(1, 11)))),
        ({"profile": Profile.SHANGHAI10_SHORT}, Board(SHANGHAI10, (1, 2, 3, 4, 5))),
        ({"profile": Profile.CLASSIC10_SHORT}, Board(CLASSIC10, (1, 2, 3, 4, 5))),
        ({"rounds": (2, 4, 6, 8, 10)}, Board(SHANGHAI10, (2, 4, 6, 8, 10))),
        ({"profile": Profile.CLASSIC10_SHORT, "rounds": (9, 9)}, Board(CLASSIC10, (9, 9))),
        ({"contracts": OWN[:2], "rounds": (2, 1)}, Board(OWN[:2], (2, 1))),
        ({"contracts": OWN[:2]}, Board(OWN[:2], (1, 2))),
        ({"contracts": OWN[:2] * 6}, Board(OWN[:2] * 6, tuple(range(1, 13)))),
        ({"profile": Profile.CLASSIC10_SHORT, "contracts": OWN[:2] * 3}, Board(OWN[:2] * 3, (1, 2, 3, 4, 5, 6))),
    ],
)
def test_contracts_and_rounds_come_from_a_preset_or_a_list(chosen: dict[str, Any], board: Board) -> None:
    assert board_of(options(**chosen)) == board
    assert board_of(settled(options(**chosen))) == board


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("seats", range(2, 7))
def test_two_to_six_play_every_preset(profile: Profile, seats: int) -> None:
    state = GAME.start(options(profile=profile), seats)
    assert (state.setup.seats, state.phase, state.totals) == (seats, Phase.LOTS, (0,) * seats)


@pytest.mark.parametrize(
    ("chosen", "seats", "option", "sentence"),
    [
        ({}, 1, "seats", "choose 2 to 6 players, not 1"),
        ({}, 7, "seats", "choose 2 to 6 players, not 7"),
        ({"contracts": ()}, 4, "contracts", "give 1 to 20 items, not 0"),
        ({"rounds": (0,)}, 4, "rounds", "choose 1 to 20, not 0"),
        ({"rounds": (1, 11)}, 4, "rounds", "there are contracts 1 to 10: play those, not 11"),
        ({"contracts": OWN, "rounds": (4,)}, 4, "rounds", "there are contracts 1 to 3: play those, not 4"),
        ({"hand_size": 2}, 4, "hand_size", "choose 3 to 20, not 2"),
        ({"hand_size": 18}, 6, "hand_size", "6 players can receive at most 17 cards each"),
        ({"buy_from_round": 0}, 4, "buy_from_round", "choose 1 to 20, not 0"),
        ({"buy_max": 6}, 4, "buy_max", "choose 0 to 5, not 6"),
        ({"buy_cost": -1}, 4, "buy_cost", "choose 0 to 100, not -1"),
        ({"set_max": 2}, 4, "set_max", "choose 3 to 14, not 2"),
        (
            {"contracts": (Contract.parse("S9"),), "rounds": (1,)},
            4,
            "set_max",
            "contract 1, S9, needs sets of 9 cards",
        ),
        (
            {"buy_max": 0},
            4,
            "buy_max",
            "contract 8, S3 R10, needs 13 cards, and who cannot buy never has more than 12: "
            "let cards be bought, or deal more",
        ),
        (
            {"contracts": OWN, "rounds": (3,), "buy_from_round": 4},
            4,
            "buy_from_round",
            "contract 3, R10 R10, needs 20 cards, and who cannot buy never has more than 12: "
            "let cards be bought, or deal more",
        ),
        ({"bonus": 1001}, 4, "bonus", "choose 0 to 1000, not 1001"),
        ({"max_reshuffles": -1}, 4, "max_reshuffles", "choose 0 to 100, not -1"),
        ({"max_idle_laps": 101}, 4, "max_idle_laps", "choose 1 to 100, not 101"),
        (
            {"first_dealer": FirstDealer.SEAT_5},
            4,
            "first_dealer",
            "choose one of the seats 1 to 4, or have it drawn",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_by_the_option_at_fault(
    chosen: dict[str, Any], seats: int, option: str, sentence: str
) -> None:
    with pytest.raises(BadOptions) as refused:
        GAME.start(options(**chosen), seats)
    assert (refused.value.option, refused.value.sentence) == (option, sentence)


def test_without_buying_the_first_seven_contracts_can_be_played() -> None:
    assert GAME.start(options(buy_max=0, rounds=tuple(range(1, 8))), 4).phase is Phase.LOTS


def test_a_form_finds_a_sentence_for_every_option_and_each_profiles_default() -> None:
    known = options_of(Options)
    assert all(each.sentence.endswith(".") for each in known.values())
    assert {name for name, each in known.items() if each.profiles} == {each.name for each in fields(Board)}
    assert set(known["rounds"].profiles) == set(Profile)
