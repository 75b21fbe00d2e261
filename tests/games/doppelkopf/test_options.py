from dataclasses import fields, replace
from typing import Any

import pytest

from service.config import read
from service.games.doppelkopf import GAME
from service.games.doppelkopf.contract import MarriageMode, Solo
from service.games.doppelkopf.options import Options, rules_of
from service.games.doppelkopf.rules import (
    PROFILES,
    Announcements,
    FollowRule,
    Profile,
    Rules,
    SecondTolle,
    Settlement,
    Tie,
)
from service.kit.game import BadOptions
from service.kit.options import options_of
from tests.games.doppelkopf.given import options


def test_the_sheets_game_is_the_default() -> None:
    assert rules_of(Options()) == Rules(
        nines=True,
        tollen=False,
        second_tolle_beats_first=SecondTolle.NEVER,
        follow_rule=FollowRule.FOLLOW_OR_TRUMP,
        foxes=False,
        charlie=False,
        doppelkopf_trick=False,
        marriage_modes=(MarriageMode.FIRST_FOREIGN_TRICK, MarriageMode.FIRST_CLUB_ACE),
        silent_solo=True,
        solo_types=(Solo.NORMAL,),
        mandatory_solo=0,
        announcements=Announcements.KONTRA_REKONTRA,
        settlement=Settlement.POT,
        tie_120=Tie.NOBODY,
        deal_packets=4,
    )
    assert (Options().deals, Options().first_dealer, Options().base_amount, Options().ante) == (24, 1, 5, 100)


def test_the_tournaments_game_is_a_profile() -> None:
    ddv = rules_of(options(profile=Profile.DDV))
    assert ddv == Rules(
        nines=True,
        tollen=True,
        second_tolle_beats_first=SecondTolle.NEVER,
        follow_rule=FollowRule.FOLLOW_ONLY,
        foxes=True,
        charlie=True,
        doppelkopf_trick=True,
        marriage_modes=(MarriageMode.DDV,),
        silent_solo=True,
        solo_types=(
            Solo.CLUBS,
            Solo.SPADES,
            Solo.HEARTS,
            Solo.DIAMONDS,
            Solo.QUEENS,
            Solo.JACKS,
            Solo.MEATLESS,
        ),
        mandatory_solo=0,
        announcements=Announcements.LIMITS,
        settlement=Settlement.POINTS,
        tie_120=Tie.KONTRA_UNLESS_ALONE_ANNOUNCED,
        deal_packets=3,
    )
    assert rules_of(options(profile=Profile.DDV_TOURNAMENT)) == replace(ddv, mandatory_solo=1)


@pytest.mark.parametrize("profile", Profile)
def test_every_choice_of_a_profile_can_be_made_otherwise(profile: Profile) -> None:
    for other in PROFILES.values():
        chosen = {field.name: getattr(other, field.name) for field in fields(Rules)}
        assert rules_of(options(profile=profile, **chosen)) == other


def test_what_is_chosen_to_be_off_is_off() -> None:
    assert not rules_of(options(profile=Profile.DDV, tollen=False, foxes=False)).foxes
    assert rules_of(options(profile=Profile.DDV_TOURNAMENT, mandatory_solo=0)).mandatory_solo == 0


@pytest.mark.parametrize("seats", range(4, 9))
@pytest.mark.parametrize("profile", Profile)
def test_four_to_eight_play_with_every_profile(seats: int, profile: Profile) -> None:
    state = GAME.start(options(profile=profile), seats)
    assert state.setup.seats == seats
    assert len(state.setup.pack) == 48


def test_without_nines_there_are_40_cards() -> None:
    assert GAME.start(options(nines=False), 4).setup.hand_size == 10


@pytest.mark.parametrize(
    ("chosen", "seats", "option", "sentence"),
    [
        ({}, 3, "seats", "choose 4 to 8 players, not 3"),
        ({}, 9, "seats", "choose 4 to 8 players, not 9"),
        ({"deals": 0}, 4, "deals", "choose 1 to 100, not 0"),
        ({"deals": 101}, 4, "deals", "choose 1 to 100, not 101"),
        ({"first_dealer": 5}, 4, "first_dealer", "choose a seat from 1 to 4, or 0 for one by lot"),
        ({"first_dealer": -1}, 4, "first_dealer", "choose 0 to 8, not -1"),
        ({"marriage_modes": ()}, 4, "marriage_modes", "give 1 to 3 items, not 0"),
        ({"marriage_modes": (MarriageMode.DDV,) * 2}, 4, "marriage_modes", "name each at most once"),
        ({"solo_types": ()}, 4, "solo_types", "give 1 to 8 items, not 0"),
        ({"solo_types": (Solo.CLUBS, Solo.CLUBS)}, 4, "solo_types", "name each at most once"),
        ({"mandatory_solo": -1}, 4, "mandatory_solo", "choose 0 to 10, not -1"),
        ({"mandatory_solo": 11}, 4, "mandatory_solo", "choose 0 to 10, not 11"),
        (
            {"mandatory_solo": 2, "deals": 9},
            5,
            "deals",
            "5 players have 10 mandatory solos; choose as many deals or more",
        ),
        ({"deal_packets": 0}, 4, "deal_packets", "choose 1 to 12, not 0"),
        ({"deal_packets": 13}, 4, "deal_packets", "choose 1 to 12, not 13"),
        ({"base_amount": 0}, 4, "base_amount", "choose 1 to 100, not 0"),
        ({"base_amount": 101}, 4, "base_amount", "choose 1 to 100, not 101"),
        ({"ante": 0}, 4, "ante", "choose 1 to 10000, not 0"),
        ({"ante": 10_001}, 4, "ante", "choose 1 to 10000, not 10001"),
        ({"premium": -1}, 4, "premium", "choose 0 to 10, not -1"),
        ({"fox_premium": 11}, 4, "fox_premium", "choose 0 to 10, not 11"),
        ({"solo_loss_side": 3}, 4, "solo_loss_side", "choose 1 to 2, not 3"),
    ],
)
def test_what_cannot_be_played_is_refused_by_the_option_at_fault(
    chosen: dict[str, Any], seats: int, option: str, sentence: str
) -> None:
    with pytest.raises(BadOptions) as refused:
        GAME.start(options(**chosen), seats)
    assert (refused.value.option, refused.value.sentence) == (option, sentence)


def test_just_enough_deals_for_the_mandatory_solos_can_be_played() -> None:
    assert GAME.start(options(mandatory_solo=2, deals=10), 5).session.owed == (2,) * 5


def test_the_longest_game_fits_into_a_tables_log() -> None:
    cards, answers, names, announcements, deal = 48, 4, 4, 2 * 5, 1
    most = options_of(Options)["deals"].most
    assert most is not None
    assert most * (cards + answers + names + announcements + deal) + 2 <= read({}).table_entries


def test_a_form_finds_a_sentence_for_every_option_and_each_profiles_default() -> None:
    known = options_of(Options)
    assert all(each.sentence.endswith(".") for each in known.values())
    by_profile = {name for name, each in known.items() if each.profiles}
    assert by_profile == {field.name for field in fields(Rules)}
    assert all(getattr(Options(), name) is None for name in by_profile)
    assert set(known["tollen"].profiles) == set(Profile)
