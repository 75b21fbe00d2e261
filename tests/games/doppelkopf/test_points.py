"""Points: plus and minus by the tournament rules."""

import pytest

from service.games.doppelkopf.contract import Announcement, Party, Solo
from service.games.doppelkopf.events import Camp, Merit, Point
from service.games.doppelkopf.outcome import winner_of
from service.games.doppelkopf.points import changes, points_of, special_points, value_of
from service.games.doppelkopf.rules import Tie
from service.games.doppelkopf.state import State
from tests.games.doppelkopf.given import (
    DDV,
    after,
    cards,
    first_declares,
    healthy,
    played,
    played_out,
    played_tricks,
    say,
    solo,
)

RE, KONTRA = Party.RE, Party.KONTRA
TIE = Tie.KONTRA_UNLESS_ALONE_ANNOUNCED


def camps(eyes: int, tricks: int = 6, *, re: int = 0, kontra: int = 0) -> tuple[Camp, Camp]:
    return Camp(eyes, tricks, re), Camp(240 - eyes, 12 - tricks, kontra)


@pytest.mark.parametrize(
    ("both", "tie", "winner"),
    [
        (camps(121), Tie.NOBODY, RE),
        (camps(120), Tie.NOBODY, None),
        (camps(119), Tie.NOBODY, KONTRA),
        (camps(120), Tie.KONTRA, KONTRA),
        (camps(120, kontra=1), Tie.KONTRA, KONTRA),
        (camps(120), TIE, KONTRA),
        (camps(120, kontra=1), TIE, RE),
        (camps(119, kontra=1), TIE, KONTRA),
        (camps(120, re=1, kontra=1), TIE, KONTRA),
        (camps(120, re=1), TIE, KONTRA),
        (camps(151, re=2), TIE, RE),
        (camps(150, re=2), TIE, KONTRA),
        (camps(181, re=3), TIE, RE),
        (camps(180, re=3), TIE, KONTRA),
        (camps(211, re=4), TIE, RE),
        (camps(210, re=4), TIE, KONTRA),
        (camps(240, 12, re=5), TIE, RE),
        (camps(240, 11, re=5), TIE, KONTRA),
        (camps(90, kontra=2), TIE, RE),
        (camps(89, kontra=2), TIE, KONTRA),
        (camps(0, 1, kontra=5), TIE, RE),
        (camps(0, 0, kontra=5), TIE, KONTRA),
        (camps(151, re=2, kontra=2), TIE, RE),
        (camps(89, re=2, kontra=2), TIE, KONTRA),
        (camps(120, re=2, kontra=3), TIE, None),
    ],
)
def test_who_wins(both: tuple[Camp, Camp], tie: Tie, winner: Party | None) -> None:
    assert winner_of(*both, tie) is winner


def value(both: tuple[Camp, Camp]) -> int:
    return value_of(points_of(*both, winner_of(*both, TIE)))


@pytest.mark.parametrize(
    ("both", "worth"),
    [
        (camps(150), 1),
        (camps(151), 2),
        (camps(181), 3),
        (camps(211), 4),
        (camps(240, 12), 5),
        (camps(89), -2),
        (camps(0, 0), -5),
        (camps(121, re=1, kontra=1), 5),
        (camps(119, re=1, kontra=1), -5),
        (camps(181, re=3), 1 + 2 + 2 + 2),
        (camps(179, re=3), -(1 + 2 + 2)),
        (camps(150, re=4), -(1 + 2 + 3 + 2)),
        (camps(0, 1, kontra=5), 1 + 2 + 4 - 0),
        (camps(30, 1, kontra=5), 1 + 2 + 4 + 1),
        (camps(120, kontra=5), 1 + 2 + 4 + 4),
        (camps(120, re=2, kontra=2), 1 - 1),
        (camps(155, re=3, kontra=2), 1 + 1),
        (camps(60, re=2, kontra=5), 2 - 1 - 1),
    ],
)
def test_what_eyes_tricks_and_announcements_are_worth(both: tuple[Camp, Camp], worth: int) -> None:
    assert value(both) == worth


def test_without_a_winner_who_held_the_others_low_still_gets_that() -> None:
    both = camps(155, re=3, kontra=2)
    assert points_of(*both, winner_of(*both, TIE)) == (Point(RE, Merit.UNDER_90, 1), Point(RE, Merit.REACHED_120, 1))


def test_every_limit_that_was_missed_counts_for_the_others() -> None:
    both = camps(150, re=5)
    reached = [point.merit for point in points_of(*both, KONTRA) if point.merit.name.startswith("REACHED")]
    assert reached == [Merit.REACHED_90, Merit.REACHED_60, Merit.REACHED_30]


def test_special_points_can_make_a_victory_worth_nothing() -> None:
    earned = [(3, Merit.FOX), (3, Merit.DOPPELKOPF), (4, Merit.CHARLIE)]
    both = camps(121)
    points = (*points_of(*both, RE), *special_points(earned, (RE, RE, KONTRA, KONTRA), RE))
    assert value_of(points) == -2


def test_who_plays_alone_gets_or_pays_three_times_as_much_and_who_sits_out_nothing() -> None:
    assert changes(2, (RE, KONTRA, KONTRA, KONTRA, None)) == [6, -2, -2, -2, 0]
    assert changes(-2, (None, KONTRA, RE, KONTRA, RE)) == [0, 2, -2, 2, -2]


def merits(state: State) -> list[tuple[Party, Merit]]:
    (score,) = state.session.sheet
    special = (Merit.FOX, Merit.CHARLIE, Merit.DOPPELKOPF)
    return [(point.party, point.merit) for point in score.points if point.merit in special]


def foxes(first_trick: str, *hands: str) -> list[tuple[Party, Merit]]:
    """Return the foxes of a deal that begins with this trick."""
    state = played(healthy(*hands, charlie=False, **DDV), first_trick)
    return [each for each in merits(played_out(state)) if each[1] is Merit.FOX]


def test_a_fox_caught_counts_for_the_party_that_caught_it_from_the_other() -> None:
    assert (KONTRA, Merit.FOX) in foxes("DA D9 DK HT", "CQ DA DA", "CQ D9", "DK", "HT HT")


def test_ones_own_fox_and_the_partners_count_nothing() -> None:
    caught = foxes("D9 DA HT DA", "CQ D9", "DA SA", "HT HT", "CQ DA SA")
    assert caught == [(KONTRA, Merit.FOX)]


def test_a_trick_of_forty_eyes_counts_for_its_winners_party() -> None:
    state = healthy("CQ CA", "CQ CA", "CT", "CT", charlie=False, foxes=False, **DDV)
    assert merits(played_out(played(state, "CA CA CT CT")))[0] == (RE, Merit.DOPPELKOPF)
    off = healthy("CQ CA", "CQ CA", "CT", "CT", doppelkopf_trick=False, charlie=False, foxes=False, **DDV)
    assert merits(played_out(off)) == []


def last_trick(text: str, state: State) -> State:
    """Return the deal played out so that its last trick, led by seat 1, is this."""
    tricks = played_out(state).tricks[:-1]
    state = state._replace(hands=tuple(map(cards, text.split())), tricks=tricks)
    return played(state, text)


def test_a_jack_of_clubs_that_wins_the_last_trick_counts_and_one_that_loses_it_does_not() -> None:
    state = healthy("CQ", "CQ", foxes=False, doppelkopf_trick=False, **DDV)
    assert merits(last_trick("CJ D9 D9 DK", state)) == [(RE, Merit.CHARLIE)]
    assert merits(last_trick("D9 D9 CJ DK", state)) == [(KONTRA, Merit.CHARLIE)]
    assert merits(last_trick("CJ D9 SQ DK", state)) == []
    off = healthy("CQ", "CQ", foxes=False, doppelkopf_trick=False, charlie=False, **DDV)
    assert merits(last_trick("CJ D9 D9 DK", off)) == []


def test_in_a_solo_there_are_no_special_points() -> None:
    state = first_declares(solo(Solo.DIAMONDS), "CQ DA DA", "CQ D9", "DK", "HT HT", **DDV)
    state = played_out(played(state, "DA D9 DK HT"))
    assert merits(state) == []
    (score,) = state.session.sheet
    assert Merit.AGAINST_RE not in [point.merit for point in score.points]
    assert [line.change for line in score.scores] == [3 * score.value, *[-score.value] * 3]


def test_a_silent_solo_is_settled_like_a_solo() -> None:
    state = after(healthy("CQ CQ", foxes=False, **DDV), 1, say(Announcement.RE))
    (score,) = played_out(state).session.sheet
    assert [line.party for line in score.scores] == [RE, KONTRA, KONTRA, KONTRA]
    assert [line.change for line in score.scores] == [3 * score.value, *[-score.value] * 3]
    assert merits(played_out(state)) == []


def test_points_add_up_over_the_deals_and_the_most_win() -> None:
    state = played_tricks(healthy("CQ", "CQ", deals=1, **DDV), 12)
    (score,) = state.session.sheet
    assert (
        state.session.totals
        == tuple(line.change for line in score.scores)
        == tuple(line.total for line in score.scores)
    )
    assert sum(state.session.totals) == 0
    assert (score.factors, score.premiums, score.antes, score.pot) == (None, (), 0, 0)
