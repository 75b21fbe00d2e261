"""Marriages: the holder of both queens of clubs is forehand, seat 1."""

from typing import Any

from service.games.doppelkopf.commands import PlayCard
from service.games.doppelkopf.contract import Contract, MarriageMode, Party
from service.games.doppelkopf.events import CardPlayed, MarriageResolved
from service.games.doppelkopf.parties import partner
from service.games.doppelkopf.state import State, Trick
from tests.games.doppelkopf.given import (
    DDV,
    cards,
    first_declares,
    known,
    marriage,
    played,
    played_out,
    played_tricks,
    when,
)

FOREIGN, ACE = MarriageMode.FIRST_FOREIGN_TRICK, MarriageMode.FIRST_CLUB_ACE


def married(mode: MarriageMode, *hands: str, **chosen: Any) -> State:
    return first_declares(marriage(mode), *hands, **({"marriage_modes": (mode,)} | chosen))


def trick(*plays: str, winner: int, leader: int) -> Trick:
    """Read a trick from its leader on."""
    return Trick(
        tuple(CardPlayed((leader - 1 + place) % 4 + 1, cards(card)[0]) for place, card in enumerate(plays)), winner
    )


OWN = trick("CQ", "D9", "D9", "DK", leader=1, winner=1)
FOREIGN_WON = trick("C9", "CK", "CT", "D9", leader=2, winner=1)
LOST = trick("C9", "CK", "CT", "S9", leader=2, winner=4)


def test_the_holder_is_re_from_the_start_and_nobody_else_is_anything_yet() -> None:
    state = married(FOREIGN, "CQ CQ")
    assert state.sides.parties == (Party.RE, None, None, None)
    assert known(state) == "R---"


def test_the_first_foreign_trick_makes_its_leader_the_partner() -> None:
    assert partner(FOREIGN, 1, [OWN], last=False) is None
    assert partner(FOREIGN, 1, [OWN, LOST], last=False) is None
    assert partner(FOREIGN, 1, [OWN, LOST, FOREIGN_WON], last=False) == 2


def test_the_first_club_ace_of_another_seat_makes_it_the_partner_whoever_wins() -> None:
    aces = trick("CA", "CA", "C9", "D9", leader=1, winner=4)
    assert partner(ACE, 1, [aces], last=False) == 2
    assert partner(ACE, 2, [aces], last=False) == 1
    assert partner(ACE, 1, [trick("CA", "C9", "C9", "CK", leader=1, winner=1)], last=False) is None
    assert partner(ACE, 4, [aces], last=False) == 1


def test_the_first_other_winner_of_the_first_three_tricks_is_the_partner_or_nobody() -> None:
    assert partner(MarriageMode.DDV, 1, [LOST], last=False) == 4
    assert partner(MarriageMode.DDV, 1, [OWN, OWN], last=False) is None
    assert partner(MarriageMode.DDV, 1, [OWN, OWN, LOST], last=False) == 4
    assert partner(MarriageMode.DDV, 1, [OWN, FOREIGN_WON, OWN], last=False) == 0


def test_who_has_found_no_partner_by_the_last_trick_has_none() -> None:
    assert partner(FOREIGN, 1, [OWN] * 12, last=True) == 0
    assert partner(FOREIGN, 1, [LOST] * 12, last=True) == 0
    assert partner(FOREIGN, 1, [FOREIGN_WON], last=True) == 2


def test_a_partner_found_is_told_with_the_trick_and_all_parties_are_known() -> None:
    state = married(ACE, "CQ CQ C9", "CA", "CK", "CT")
    state = played(state, "C9 CA CK")
    events = when(state, 4, PlayCard(cards("CT")[0]))
    assert events[-1] == MarriageResolved(1, 2)
    state = played(state, "CT")
    assert state.sides.parties == (Party.RE, Party.RE, Party.KONTRA, Party.KONTRA)
    assert known(state) == "RRKK"
    assert state.sides.resolved == 1


MIGHTY = "CQ CQ SQ SQ HQ HQ DQ DQ CJ CJ SJ SJ"


def test_a_holder_who_wins_everything_is_alone_at_the_end_and_settled_like_a_silent_solo() -> None:
    state = played_out(married(FOREIGN, MIGHTY))
    assert known(state) == "RKKK"
    (score,) = state.session.sheet
    assert (score.contract, score.winner) == (Contract.MARRIAGE, Party.RE)
    assert [line.change for line in score.scores] == [45, -15, -15, -15]


def test_by_the_tournaments_rules_who_wins_the_first_three_tricks_is_alone_from_then_on() -> None:
    state = married(MarriageMode.DDV, MIGHTY, **DDV, tollen=False)
    state = played_tricks(state, 2)
    assert known(state) == "R---"
    state = played_tricks(state, 1)
    assert known(state) == "RKKK"
    assert state.sides.resolved == 3
    (score,) = played_out(state).session.sheet
    assert [line.change for line in score.scores] == [3 * score.value, *[-score.value] * 3]
