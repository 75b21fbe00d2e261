"""Parties: what everybody knows of who plays with whom."""

from typing import Any

from service.games.doppelkopf import GAME
from service.games.doppelkopf.contract import Announcement, Party, Solo
from service.games.doppelkopf.state import State
from tests.games.doppelkopf.given import (
    DDV,
    after,
    announceable,
    first_declares,
    healthy,
    known,
    played,
    say,
    solo,
)


def own(state: State) -> list[Party | None]:
    return [GAME.project(state, seat).party for seat in (1, 2, 3, 4)]


def test_everybody_knows_his_own_party_and_at_first_no_other() -> None:
    state = healthy("CQ", "SA", "CQ")
    assert own(state) == [Party.RE, Party.KONTRA, Party.RE, Party.KONTRA]
    assert GAME.project(state, None).party is None
    assert known(state) == "----"


def test_a_queen_of_clubs_played_tells_and_two_tell_all() -> None:
    state = healthy("CQ", "CQ", "D9", "D9")
    state = played(state, "CQ")
    assert known(state) == "R---"
    assert known(played(state, "CQ")) == "RRKK"


PLAIN = "CA CA CT CT CK CK C9 C9 SA SA ST ST", "SK SK S9 S9 HA HA HT HT HK HK H9 H9"


def test_who_discards_on_a_trump_is_known_to_be_kontra() -> None:
    state = healthy("DJ", PLAIN[0])
    assert known(played(state, "DJ CA")) == "-K--"


def test_who_has_shown_to_be_re_stays_it_when_no_trump_is_left() -> None:
    state = healthy("CQ C9 SA SA ST ST SK SK S9 S9 HA HA", "DQ CA DJ", "D9 CK DK", "D9 CT DK")
    state = played(state, "CQ DQ D9 D9 C9 CA CK CT DJ DK DK SK")
    assert known(state) == "R---"


def test_two_who_have_no_trump_say_nothing_of_the_others_where_one_may_play_alone() -> None:
    state = healthy("DJ CQ", *PLAIN, "CQ")
    assert known(played(state, "DJ CA HA")) == "-KK-"
    state = healthy("DJ CQ", *PLAIN, "CQ", silent_solo=False)
    assert known(played(state, "DJ CA HA")) == "RKKR"


def test_a_discard_on_a_plain_card_tells_nothing() -> None:
    state = healthy("CA", "SA SA ST ST SK SK S9 S9 HA HA HT HT")
    assert known(played(state, "CA SA")) == "----"


def test_three_known_of_one_party_tell_the_fourth() -> None:
    state = healthy("CQ CQ", "DA", **DDV)
    for seat in (2, 3, 4):
        assert known(state)[0] == "-"
        state = kontra(state, seat)
    assert known(state) == "RKKK"


def kontra(state: State, seat: int) -> State:
    levels = [Announcement.KONTRA, Announcement.NO_90, Announcement.NO_60]
    return after(state, seat, say(levels[seat - 2]))


def silent(*cards: str, **chosen: Any) -> State:
    return healthy("CQ CQ " + " ".join(cards), **chosen)


def test_a_silent_solo_stays_hidden_until_the_second_queen_of_clubs() -> None:
    state = silent("HA", tollen=False)
    assert own(state) == [Party.RE, Party.KONTRA, Party.KONTRA, Party.KONTRA]
    state = played(state, "CQ")
    assert known(state) == "R---"
    while state.trick:
        state = after(state, state.turn, next(iter(GAME.legal(state, state.turn))))
    assert state.turn == 1
    assert known(played(state, "CQ")) == "RKKK"


def test_a_silent_soloist_announces_like_anybody_of_re() -> None:
    state = silent(**DDV)
    usual = healthy("CQ", "CQ", **DDV)
    assert announceable(state, 1) == announceable(usual, 1)
    assert known(after(state, 1, say(Announcement.RE))) == "R---"


def test_in_a_declared_solo_all_parties_are_known_at_once() -> None:
    state = first_declares(solo(Solo.CLUBS), "DJ", "CQ CQ", **DDV)
    assert known(state) == "RKKK"
    assert own(state) == [Party.RE, *[Party.KONTRA] * 3]


def test_in_a_solo_a_queen_of_clubs_tells_nothing() -> None:
    state = first_declares(solo(Solo.QUEENS), "DQ", "CQ CQ", **DDV)
    assert known(played(state, "DQ CQ")) == "RKKK"
