from service.games.doppelkopf import GAME
from service.games.doppelkopf.commands import Command, Reserve
from service.games.doppelkopf.contract import MarriageMode, Solo
from service.games.doppelkopf.rules import Announcements
from service.games.doppelkopf.state import State
from tests.games.doppelkopf.given import (
    DDV,
    H,
    R,
    dealt,
    first_declares,
    healthy,
    mandatory,
    marriage,
    played,
    reserved,
    solo,
    texts,
)


def done(state: State) -> Command | None:
    return GAME.default(state, state.turn)


def test_the_table_has_no_reservation() -> None:
    assert done(dealt("CQ CQ")) == Reserve(H)


def test_where_both_queens_must_be_declared_the_table_declares_them_as_a_marriage() -> None:
    state = dealt("CQ CQ", silent_solo=False, marriage_modes=(MarriageMode.FIRST_CLUB_ACE,))
    assert done(state) == Reserve(R)
    assert done(reserved(state, R, H, H, H)) == marriage(MarriageMode.FIRST_CLUB_ACE)


def test_without_both_queens_the_table_names_the_first_solo_that_is_played() -> None:
    named = reserved(dealt("CQ CA CA", solo_types=(Solo.JACKS, Solo.QUEENS)), R, H, H, H)
    assert done(named) == solo(Solo.QUEENS)
    owed = reserved(dealt("CQ CA CA", mandatory_solo=1, deals=9), R, H, H, H)
    assert done(owed) == mandatory(Solo.NORMAL)


def test_the_table_leads_the_lowest_card_and_announces_nothing() -> None:
    state = healthy("CQ HT SA S9 H9 HA DA DT DK C9 CA CT", **DDV)
    assert texts([done(state)]) == "C9"


def test_what_is_lowest_goes_by_what_is_played() -> None:
    hands = ("DK", "CQ DJ DT CA CT CK HA HT HK SA ST SK")
    normal = healthy(*hands, announcements=Announcements.NONE)
    assert texts([done(played(normal, "DK"))]) == "DT"
    queens = first_declares(solo(Solo.QUEENS), *hands, solo_types=(Solo.QUEENS,), announcements=Announcements.NONE)
    assert texts([done(played(queens, "DK"))]) == "DJ"


def test_the_table_announces_nothing_for_a_seat_that_could() -> None:
    state = healthy("CQ", **DDV)
    assert GAME.legal(state, 2)
    assert GAME.default(state, 2) is None
