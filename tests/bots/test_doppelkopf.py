"""How the steady bot plays Doppelkopf."""

from typing import Any

from service.games.doppelkopf import GAME
from service.games.doppelkopf.commands import Announce, Answer, Name, Reserve
from service.games.doppelkopf.contract import Announcement, Contract, MarriageMode, Solo
from service.games.doppelkopf.rules import Announcements
from service.games.doppelkopf.state import State
from tests.bots.sights import chosen
from tests.games.doppelkopf.given import DDV, H, R, dealt, first_declares, healthy, played, reserved, solo

POOR = "D9 DK DT SK S9 S9 HK H9 H9 CK C9 C9"
MIXED = "CQ DJ D9 DK CA CK S9 SK HK H9 ST CT"
MIGHTY = "HT HT CQ SQ SQ HQ HQ CJ CJ SJ DA CA"


def does(state: State) -> Any:
    return chosen(GAME, state, state.turn)


def test_it_has_no_reservation_with_a_poor_hand() -> None:
    assert does(dealt(POOR)) == Reserve(Answer.HEALTHY)


def test_it_marries_with_both_queens_of_clubs() -> None:
    state = dealt("CQ CQ " + POOR.removeprefix("D9 DK "))
    assert does(state) == Reserve(Answer.RESERVATION)
    assert does(reserved(state, R, H, H, H)) == Name(Contract.MARRIAGE, None, MarriageMode.FIRST_FOREIGN_TRICK)


def test_it_declares_a_solo_with_a_clearly_strong_hand() -> None:
    state = dealt("CQ CQ SQ SQ HQ HQ DQ CA CA SA SA HA", **DDV)
    assert does(state) == Reserve(Answer.RESERVATION)
    assert does(reserved(state, R, H, H, H)) == solo(Solo.QUEENS)


def test_it_announces_with_a_strong_hand_and_not_with_a_poor_one() -> None:
    assert does(healthy(MIGHTY, **DDV)) == Announce(Announcement.RE)
    assert not isinstance(does(healthy(POOR, **DDV)), Announce)


def test_it_leads_an_ace_of_a_plain_suit_early() -> None:
    assert str(does(healthy(MIXED)).card) == "CA"


def test_it_gives_a_partner_many_eyes_and_an_opponent_few() -> None:
    hands = ("C9 CQ", "CA SK S9", "CT CK HA", "SA ST HT")
    partners = played(first_declares(solo(Solo.NORMAL), *hands, announcements=Announcements.NONE), "C9 CA")
    assert str(does(partners).card) == "CT"
    others = ("CA CQ", "C9 SK", "CT CK HA", "CT SA")
    soloists = played(first_declares(solo(Solo.NORMAL), *others, announcements=Announcements.NONE), "CA C9")
    assert str(does(soloists).card) == "C9"
