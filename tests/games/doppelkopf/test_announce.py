"""Announcements: the queens of clubs are with seats 1 and 2, so these are Re."""

from typing import Any

import pytest

from service.games.doppelkopf import GAME
from service.games.doppelkopf.announcing import first_minimum
from service.games.doppelkopf.commands import Announce, PlayCard, Reason
from service.games.doppelkopf.contract import Announcement, MarriageMode, Party, Solo
from service.games.doppelkopf.events import Announced
from service.games.doppelkopf.rules import Announcements
from service.games.doppelkopf.state import State
from tests.games.doppelkopf.given import (
    DDV,
    after,
    announceable,
    dealt,
    first_declares,
    healthy,
    known,
    marriage,
    played,
    played_out,
    played_tricks,
    refusal,
    say,
    solo,
    when,
)

RE, KONTRA, REKONTRA, NO_90, NO_60, NO_30, SCHWARZ = Announcement
ALL_RE = "RE NO_90 NO_60 NO_30 SCHWARZ"


def two_against_two(**chosen: Any) -> State:
    return healthy("CQ", "CQ", **chosen)


def said(state: State, *calls: tuple[int, Announcement]) -> State:
    for seat, announcement in calls:
        state = after(state, seat, say(announcement))
    return state


def test_every_seat_may_announce_for_its_party_on_turn_or_not() -> None:
    state = two_against_two(**DDV)
    assert [announceable(state, seat) for seat in (1, 2, 3, 4)] == [
        ALL_RE,
        ALL_RE,
        ALL_RE.replace("RE", "KONTRA"),
        ALL_RE.replace("RE", "KONTRA"),
    ]
    assert GAME.to_act(state) == (1,)
    assert when(state, 3, say(KONTRA)) == (Announced(3, Party.KONTRA, KONTRA),)
    assert GAME.to_act(said(state, (3, KONTRA))) == (1,)


def test_an_announcement_is_public_and_tells_the_speakers_party() -> None:
    state = said(two_against_two(**DDV), (2, NO_90))
    assert known(state) == "-R--"
    view = GAME.project(state, None)
    assert view.announcements == (Announced(2, Party.RE, NO_90),)
    assert view.players[1].party is Party.RE


def test_announcements_wait_until_it_is_settled_what_is_played() -> None:
    state = dealt("CQ", "CQ", **DDV)
    assert refusal(state, 1, say(RE)) is Reason.TOO_EARLY_TO_ANNOUNCE
    assert announceable(state, 2) == ""


def test_one_announces_for_ones_own_party_and_what_is_announced_here() -> None:
    state = two_against_two(**DDV)
    assert refusal(state, 1, say(KONTRA)) is Reason.OTHER_PARTYS_WORD
    assert refusal(state, 3, say(RE)) is Reason.OTHER_PARTYS_WORD
    assert refusal(state, 1, say(REKONTRA)) is Reason.NOT_ANNOUNCED_HERE
    assert refusal(two_against_two(), 1, say(NO_90)) is Reason.NOT_ANNOUNCED_HERE
    silent = two_against_two(announcements=Announcements.NONE)
    assert {refusal(silent, seat, say(each)) for seat in (1, 3) for each in Announcement} == {Reason.NOT_ANNOUNCED_HERE}
    plain = two_against_two(announcements=Announcements.RE_KONTRA)
    assert [announceable(plain, seat) for seat in (1, 3)] == ["RE", "KONTRA"]


def test_a_party_announces_a_level_once_whoever_of_it_speaks() -> None:
    state = said(two_against_two(**DDV), (1, NO_90))
    for each in (RE, NO_90):
        assert refusal(state, 2, say(each)) is Reason.ALREADY_ANNOUNCED
    assert announceable(state, 2) == "NO_60 NO_30 SCHWARZ"
    assert announceable(state, 3) == "KONTRA NO_90 NO_60 NO_30 SCHWARZ"


def test_each_level_needs_a_card_less_and_a_missed_one_cannot_be_made_up() -> None:
    state = played_tricks(two_against_two(**DDV), 1)
    assert announceable(state, 1) == ALL_RE
    state = played_tricks(state, 1)
    assert announceable(state, 1) == ""
    assert refusal(state, 1, say(RE)) is Reason.TOO_LATE_TO_ANNOUNCE
    assert refusal(state, 1, say(NO_90)) is Reason.TOO_LATE_TO_ANNOUNCE
    early = played_tricks(said(two_against_two(**DDV), (1, RE)), 2)
    assert announceable(early, 2) == "NO_90 NO_60 NO_30 SCHWARZ"
    early = played_tricks(said(early, (2, NO_90)), 1)
    assert announceable(early, 1) == "NO_60 NO_30 SCHWARZ"
    assert announceable(played_tricks(early, 1), 1) == ""


def test_ones_own_cards_count_so_who_has_played_to_the_trick_may_be_too_late() -> None:
    state = played_tricks(two_against_two(**DDV), 1)
    leader = state.turn
    state = after(state, leader, next(each for each in GAME.legal(state, leader) if isinstance(each, PlayCard)))
    assert announceable(state, leader) == ""
    assert all(announceable(state, seat) for seat in (1, 2, 3, 4) if seat != leader)


def test_a_reply_is_in_time_with_a_card_less_and_closes_everything_above() -> None:
    state = played_tricks(said(two_against_two(**DDV), (1, RE)), 2)
    assert [len(hand) for hand in state.hands] == [10] * 4
    assert announceable(state, 3) == "KONTRA"
    assert refusal(state, 3, say(NO_90)) is Reason.TOO_LATE_TO_ANNOUNCE
    state = said(state, (3, KONTRA))
    assert announceable(state, 3) == ""
    assert refusal(state, 4, say(NO_90)) is Reason.AFTER_LATE_REPLY
    assert announceable(state, 1) == "NO_90 NO_60 NO_30 SCHWARZ"


def test_a_reply_in_time_closes_nothing() -> None:
    state = said(two_against_two(**DDV), (1, RE), (3, KONTRA))
    assert announceable(played_tricks(state, 1), 4) == "NO_90 NO_60 NO_30 SCHWARZ"


def test_a_high_level_may_be_answered_long_after_it_was_spoken() -> None:
    state = said(two_against_two(**DDV), (1, NO_60))
    assert announceable(played_tricks(state, 4), 3) == "KONTRA"
    assert announceable(played_tricks(state, 5), 3) == ""


def test_both_parties_may_announce_limits() -> None:
    state = said(two_against_two(**DDV), (1, NO_90), (3, SCHWARZ))
    assert (state.sides.re.level, state.sides.kontra.level) == (2, 5)


def test_without_nines_everything_needs_two_cards_less() -> None:
    state = two_against_two(**DDV, nines=False)
    assert first_minimum(state) == 9
    assert announceable(played_tricks(state, 1), 1) == ALL_RE
    assert announceable(played_tricks(state, 2), 1) == ""


def test_in_the_sheets_game_kontra_doubles_and_rekontra_answers_it() -> None:
    state = two_against_two()
    assert [announceable(state, seat) for seat in (1, 2, 3, 4)] == ["", "", "KONTRA", "KONTRA"]
    assert refusal(state, 1, say(REKONTRA)) is Reason.NOTHING_TO_ANSWER
    state = said(state, (4, KONTRA))
    assert [announceable(state, seat) for seat in (1, 2, 3, 4)] == ["REKONTRA", "REKONTRA", "", ""]
    assert announceable(said(state, (1, REKONTRA)), 2) == ""
    assert announceable(played_tricks(state, 2), 1) == "REKONTRA"
    assert announceable(played_tricks(state, 3), 1) == ""


def test_in_the_sheets_game_kontra_is_said_before_ones_second_card() -> None:
    state = two_against_two()
    assert announceable(played_tricks(state, 1), 3) == "KONTRA"
    assert refusal(played_tricks(state, 2), 3, say(KONTRA)) is Reason.TOO_LATE_TO_ANNOUNCE


def resolved_in(trick: int, **chosen: Any) -> State:
    """Return a marriage that seat 1's last low card ends in that trick."""
    high = ["CQ", "CQ", "SQ", "SQ"][: trick - 1]
    state = first_declares(marriage(MarriageMode.DDV), "CQ CQ SQ SQ C9", "CA", "CK", "CT", **(DDV | chosen))
    for card in high:
        state = played(state, card)
        while state.trick:
            state = after(state, state.turn, next(iter(GAME.legal(state, state.turn))))
    return played(state, "C9 CA CK CT")


@pytest.mark.parametrize(("trick", "least"), [(1, 11), (2, 10), (3, 9)])
def test_a_marriage_moves_all_windows_by_the_tricks_it_took(trick: int, least: int) -> None:
    state = resolved_in(trick, tollen=False, marriage_modes=(MarriageMode.DDV,))
    assert state.sides.resolved == trick
    assert first_minimum(state) == least
    assert announceable(state, 1) == ALL_RE
    assert announceable(state, 3) == ALL_RE.replace("RE", "KONTRA")


def test_nobody_announces_before_a_marriage_is_resolved() -> None:
    state = first_declares(marriage(MarriageMode.DDV), "CQ CQ", **DDV)
    assert [announceable(state, seat) for seat in (1, 2, 3, 4)] == [""] * 4
    assert refusal(state, 1, say(RE)) is Reason.TOO_EARLY_TO_ANNOUNCE


def test_in_the_sheets_game_a_marriage_moves_no_window() -> None:
    state = resolved_in(2, tollen=False, announcements=Announcements.KONTRA_REKONTRA)
    assert first_minimum(state) == 11
    assert announceable(state, 3) == ""


def test_after_the_end_nothing_is_announced() -> None:
    state = played_out(two_against_two(**DDV))
    assert refusal(state, 1, say(RE)) is Reason.GAME_OVER
    five = healthy("CQ", "CQ", seats=5, **DDV)
    assert refusal(five, 5, Announce(RE)) is Reason.SITTING_OUT


def test_in_a_solo_the_soloist_is_re() -> None:
    state = first_declares(solo(Solo.JACKS), **DDV)
    assert announceable(state, 1) == ALL_RE
    assert announceable(state, 2).startswith("KONTRA")
