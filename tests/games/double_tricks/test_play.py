from typing import Any

import pytest

from service.games.double_tricks import GAME
from service.games.double_tricks.cards import Card, Motif
from service.games.double_tricks.commands import PlayCard, Reason
from service.games.double_tricks.events import CardPlayed, TrickWon
from service.games.double_tricks.state import Phase, State
from tests.games.double_tricks.given import bid, cards, dealt, play, played, refusal, texts, when


def playing(*hands: str, **chosen: Any) -> State:
    return bid(dealt(*hands, **chosen), *[0] * len(hands))


def test_the_leader_may_play_every_card_with_either_motif() -> None:
    state = playing("CA/H2 H8/FOOL", "SA/D2 SK/H3")
    assert texts(GAME.legal(state, 1)) == ["CA/H2:CA", "CA/H2:H2", "H8/FOOL:FOOL", "H8/FOOL:H8"]


def test_the_suit_led_must_be_followed_with_its_motif_even_if_it_is_the_second_half() -> None:
    state = played(playing("CA/H2 SA/D2", "SK/H3 DK/C3"), "CA/H2:H2")
    assert texts(GAME.legal(state, 2)) == ["SK/H3:H3"]
    assert refusal(state, 2, play("SK/H3:SK")) is Reason.MUST_FOLLOW_SUIT
    assert refusal(state, 2, play("DK/C3:DK")) is Reason.MUST_FOLLOW_SUIT


def test_who_cannot_follow_may_play_anything_and_need_not_trump() -> None:
    state = played(playing("CA/H2 SA/D2", "SK/H3 HQ/S4", turn_up="SJ/D5"), "CA/H2:CA")
    assert texts(GAME.legal(state, 2)) == ["HQ/S4:HQ", "HQ/S4:S4", "SK/H3:H3", "SK/H3:SK"]


def test_nobody_must_beat() -> None:
    state = played(playing("CT/S6 SA/D2", "CA/H2 DK/C3"), "CT/S6:CT")
    assert texts(GAME.legal(state, 2)) == ["CA/H2:CA", "DK/C3:C3"]


def test_pope_and_fool_may_be_played_although_one_could_follow() -> None:
    state = played(playing("CA/H2 SA/D2", "HK/D3 C8/POPE"), "CA/H2:H2")
    assert texts(GAME.legal(state, 2)) == ["C8/POPE:POPE", "HK/D3:HK"]
    assert refusal(state, 2, play("C8/POPE:C8")) is Reason.MUST_FOLLOW_SUIT


def test_who_follows_only_with_the_eight_on_the_fool_plays_either_half_of_it() -> None:
    state = played(playing("CA/H2 SA/D2", "DK/C3 H8/FOOL", turn_up="CT/S6"), "CA/H2:H2")
    assert texts(GAME.legal(state, 2)) == ["H8/FOOL:FOOL", "H8/FOOL:H8"]


def test_by_choice_pope_and_fool_may_not_be_played_by_who_can_follow() -> None:
    chosen: dict[str, Any] = {"specials_anytime": False, "turn_up": "CT/S6"}
    state = played(playing("CA/H2 SA/D2", "DK/C3 H8/FOOL", **chosen), "CA/H2:H2")
    assert texts(GAME.legal(state, 2)) == ["H8/FOOL:H8"]
    assert refusal(state, 2, play("H8/FOOL:FOOL")) is Reason.MUST_FOLLOW_SUIT


def test_by_the_same_choice_they_may_be_played_by_who_cannot_follow() -> None:
    chosen: dict[str, Any] = {"specials_anytime": False, "turn_up": "CT/S6"}
    state = played(playing("CA/H2 SA/D2", "SK/H3 H8/FOOL", **chosen), "CA/H2:CA")
    assert texts(GAME.legal(state, 2)) == ["H8/FOOL:FOOL", "H8/FOOL:H8", "SK/H3:H3", "SK/H3:SK"]


@pytest.mark.parametrize("special", ["H8/FOOL:FOOL", "C8/POPE:POPE"])
@pytest.mark.parametrize("anytime", [True, False])
def test_after_a_led_pope_or_fool_everything_may_be_played(special: str, anytime: bool) -> None:
    hands = ("H8/FOOL C8/POPE", "SK/H3 CA/H2")
    state = played(playing(*hands, turn_up="CT/S6", specials_anytime=anytime), special)
    assert texts(GAME.legal(state, 2)) == ["CA/H2:CA", "CA/H2:H2", "SK/H3:H3", "SK/H3:SK"]


def test_two_equal_cards_in_hand_are_listed_once_and_leave_it_one_by_one() -> None:
    state = playing("CA/H2 CA/H2", "CK/S3 SK/H3")
    assert texts(GAME.legal(state, 1)) == ["CA/H2:CA", "CA/H2:H2"]
    state = played(state, "CA/H2:H2")
    assert state.hands[0] == cards("CA/H2")


def test_a_card_must_be_in_hand_and_carry_the_motif() -> None:
    state = playing("CA/H2 SA/D2", "CK/S3 SK/H3")
    assert refusal(state, 1, play("CK/S3:CK")) is Reason.CARD_NOT_IN_HAND
    assert refusal(state, 1, play("CA/H3:CA")) is Reason.CARD_NOT_IN_HAND
    assert refusal(state, 1, play("CA/H2:SA")) is Reason.MOTIF_NOT_ON_CARD
    assert refusal(played(state, "CA/H2:CA"), 2, play("SK/H3:FOOL")) is Reason.MOTIF_NOT_ON_CARD


def test_a_card_that_was_played_is_no_longer_in_hand() -> None:
    state = played(playing("CA/H2 SA/D2", "CK/S3 SK/H3"), "CA/H2:CA", "CK/S3:CK")
    assert refusal(state, 1, play("CA/H2:CA")) is Reason.CARD_NOT_IN_HAND


@pytest.mark.parametrize("seat", [-1, 0, 2, 3])
def test_nobody_plays_out_of_turn(seat: int) -> None:
    assert refusal(playing("CA/H2", "CK/S3"), seat, play("CK/S3:CK")) is Reason.NOT_YOUR_TURN


def winner_of(*plays: str, turn_up: str = "CT/S6") -> int:
    """Return the seat that wins this trick, led by seat 1."""
    hands = [text.split(":")[0] for text in plays]
    state = playing(*hands, turn_up=turn_up)
    state = played(state, *plays[:-1])
    events = when(state, len(plays), play(plays[-1]))
    assert isinstance(events[1], TrickWon)
    return events[1].seat


def test_without_trump_played_the_highest_of_the_suit_led_wins() -> None:
    assert winner_of("HQ/S4:HQ", "HA/C2:HA", "SA/D2:D2", "SQ/C4:SQ", turn_up="C8/POPE") == 2


def test_the_highest_trump_wins_over_everything_else() -> None:
    assert winner_of("HA/C2:HA", "CK/S3:CK", "HK/D3:HK", "CQ/D4:CQ", turn_up="CT/S6") == 2
    assert winner_of("HA/C2:HA", "DK/C3:C3", turn_up="CT/S6") == 2


def test_a_higher_motif_of_another_suit_wins_nothing() -> None:
    assert winner_of("HQ/S4:S4", "CA/H2:CA", "DK/C3:DK", turn_up="HT/D6") == 1


def test_of_equal_motifs_the_first_wins() -> None:
    assert winner_of("CQ/D4:CQ", "CQ/D4:CQ", "CT/S6:CT", turn_up="DA/S2") == 1
    assert winner_of("CT/S6:CT", "CQ/D4:CQ", "CQ/D4:CQ", turn_up="CA/H2") == 2


def test_equal_cards_with_different_motifs_are_not_equal() -> None:
    assert winner_of("CT/S6:S6", "CQ/D4:D4", "CQ/D4:CQ", turn_up="CA/H2") == 3


def test_the_first_fool_wins_over_all_and_the_pope_over_all_but_fools() -> None:
    assert winner_of("CA/H2:CA", "C8/POPE:POPE", "H8/FOOL:FOOL", "H8/FOOL:FOOL") == 3
    assert winner_of("CA/H2:CA", "C8/POPE:POPE", "CK/S3:CK", "C8/POPE:POPE") == 2
    assert winner_of("H8/FOOL:FOOL", "C8/POPE:POPE") == 1
    assert winner_of("C8/POPE:POPE", "CA/H2:CA") == 1
    assert winner_of("C8/POPE:POPE", "H8/FOOL:FOOL") == 2


def test_the_winner_of_a_trick_leads_the_next() -> None:
    state = playing("HQ/S4 DA/S2", "HA/C2 SA/D2", "SK/H3 CJ/H5")
    state = played(state, "HQ/S4:HQ", "HA/C2:HA", "SK/H3:H3")
    assert (state.turn, state.made, state.trick) == (2, (0, 1, 0), ())
    assert state.tricks[-1].winner == 2


def test_a_card_played_is_an_event_for_all_with_only_the_motif_that_counts_marked() -> None:
    state = playing("CA/H2", "CK/S3")
    (event,) = when(state, 1, play("CA/H2:H2"))
    assert event == CardPlayed(1, Card.parse("CA/H2"), Motif.parse("H2"))
    assert all(GAME.see(event, seat) == event for seat in (1, 2, None))


def test_there_is_always_something_to_play() -> None:
    state = playing("CA/H2 H8/FOOL C8/POPE", "SA/D2 SK/H3 CK/S3")
    while state.phase is Phase.PLAY:
        commands = list(GAME.legal(state, state.turn))
        assert commands
        assert isinstance(commands[0], PlayCard)
        state = played(state, f"{commands[0].card}:{commands[0].motif}")
