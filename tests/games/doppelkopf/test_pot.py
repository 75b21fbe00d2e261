"""Pot: money by the sheet's rules. The queens of clubs are with seats 1 and 2."""

from dataclasses import replace
from typing import Any

import pytest

from service.games.doppelkopf import GAME
from service.games.doppelkopf.contract import Announcement, Contract, Party, Solo
from service.games.doppelkopf.events import Camp, CardPlayed, DealScored, Merit, PotShared, Premium
from service.games.doppelkopf.options import Options
from service.games.doppelkopf.pot import amount_of, antes_due, factors_of, from_pockets, from_pot
from service.games.doppelkopf.rules import Settlement, Tie
from service.games.doppelkopf.score import settle
from service.games.doppelkopf.state import State, Trick
from service.kit.game import Standing
from tests.games.doppelkopf.given import (
    DDV,
    after,
    cards,
    first_declares,
    healthy,
    options,
    played_out,
    say,
    solo,
)

RE, KONTRA = Party.RE, Party.KONTRA


def amount(
    eyes: int,
    tricks: int = 6,
    *,
    levels: int = 0,
    contract: Contract = Contract.NORMAL,
    black: bool = False,
    **chosen: Any,
) -> int:
    both = {RE: Camp(eyes, tricks, levels), KONTRA: Camp(240 - eyes, 12 - tricks, 0)}
    winner = RE if eyes > 120 else KONTRA
    return amount_of(factors_of(options(**chosen), contract, both, winner, black=black))


def test_grade_side_and_announcements_multiply() -> None:
    assert amount(121) == 5
    assert amount(30) == 10
    assert amount(29) == 20
    assert amount(0, 0) == 30
    assert amount(29, 2, black=True) == 30
    assert amount(0, 0, levels=2) == 120
    assert amount(121, base_amount=7) == 7


def test_kontra_gets_double_only_where_the_queens_of_clubs_made_re() -> None:
    assert amount(100, contract=Contract.MARRIAGE) == 10
    assert amount(100, contract=Contract.SOLO) == 5
    assert amount(100, contract=Contract.MANDATORY_SOLO) == 5
    assert amount(100, contract=Contract.SOLO, solo_loss_side=2) == 10
    assert amount(130, contract=Contract.SOLO, solo_loss_side=2) == 5


def test_the_pot_pays_the_winners_and_pockets_pay_where_one_plays_alone() -> None:
    assert from_pot((RE, KONTRA, None, RE, KONTRA), RE, 5) == [5, 0, 0, 5, 0]
    assert from_pockets((RE, KONTRA, KONTRA, KONTRA, None), RE, 5) == [15, -5, -5, -5, 0]
    assert from_pockets((RE, KONTRA, KONTRA, KONTRA), KONTRA, 5) == [-15, 5, 5, 5]


@pytest.mark.parametrize(
    ("pot", "payment", "times"), [(400, 10, 0), (10, 10, 0), (9, 10, 1), (0, 40, 1), (0, 41, 2), (0, 0, 0)]
)
def test_everybody_pays_again_until_the_pot_suffices(pot: int, payment: int, times: int) -> None:
    assert antes_due(pot, payment, 40) == times


def test_everybody_starts_with_having_paid_into_the_pot() -> None:
    session = GAME.start(Options(), 5).session
    assert (session.totals, session.pot) == ((-100,) * 5, 500)
    session = GAME.start(options(settlement=Settlement.POINTS), 5).session
    assert (session.totals, session.pot) == ((0,) * 5, 0)


def trick(text: str, leader: int, winner: int) -> Trick:
    plays = tuple(CardPlayed((leader - 1 + place) % 4 + 1, card) for place, card in enumerate(cards(text)))
    return Trick(plays, winner)


def ended(*tricks: Trick, hands: tuple[str, ...] = ("CQ", "CQ"), **chosen: Any) -> State:
    """Return a deal whose tricks were these."""
    return healthy(*hands, **chosen)._replace(tricks=tricks)


FAT = "DA DT DT DA", "CA CA CT CT", "SA SA ST ST", "HA HA HT HT"
RE_WINS = [trick(text, 1, 1) for text in FAT]
KONTRA_WINS = [trick(text, 1, 3) for text in FAT]


def score(state: State) -> DealScored:
    scored = settle(state)[0]
    assert isinstance(scored, DealScored)
    return scored


def change(state: State) -> list[int]:
    return [line.change for line in score(state).scores]


def test_in_a_game_of_two_against_two_the_losers_pay_nothing() -> None:
    state = ended(*RE_WINS, trick("CK CK C9 C9", 1, 3), trick("SQ SQ HQ HQ", 1, 4), trick("SK SK S9 HK", 1, 4))
    scored = score(state)
    assert (scored.winner, scored.re.eyes, scored.kontra.tricks) == (RE, 168, 3)
    assert change(state) == [5, 5, 0, 0]
    assert scored.pot == 390


def test_re_is_black_if_queens_of_clubs_won_all_its_tricks() -> None:
    queens = trick("CQ C9 C9 D9", 1, 1), trick("D9 CQ S9 S9", 1, 2)
    assert change(ended(*KONTRA_WINS, *queens)) == [0, 0, 30, 30]
    assert change(ended(*KONTRA_WINS, queens[0])) == [0, 0, 30, 30]
    assert change(ended(*KONTRA_WINS)) == [0, 0, 30, 30]
    other = trick("SQ C9 C9 D9", 1, 1)
    assert change(ended(*KONTRA_WINS, queens[0], other)) == [0, 0, 20, 20]


def test_kontra_is_not_black_by_queens_of_clubs() -> None:
    assert change(ended(*RE_WINS, trick("C9 C9 CJ D9", 1, 3))) == [10, 10, 0, 0]


def test_a_declared_solo_is_not_black_by_queens_of_clubs_but_a_silent_one_is() -> None:
    queens = trick("CQ C9 C9 D9", 1, 1)
    silent = ended(*KONTRA_WINS, queens, hands=("CQ CQ",))
    assert change(silent) == [-90, 30, 30, 30]
    declared = first_declares(solo(Solo.NORMAL), "CQ")._replace(tricks=(*KONTRA_WINS, queens))
    assert change(declared) == [-30, 10, 10, 10]


def test_with_120_each_nobody_gets_anything_or_by_choice_kontra_does() -> None:
    halves = [
        *RE_WINS[:2],
        *[trick(text, 1, 3) for text in FAT[2:]],
        trick("CK CK SK SK", 1, 1),
        trick("HK HK DK DK", 1, 3),
    ]
    rest = [
        trick("CQ SQ HQ DQ", 1, 1),
        trick("CQ SQ HQ DQ", 1, 3),
        trick("CJ SJ HJ DJ", 1, 1),
        trick("CJ SJ HJ DJ", 1, 3),
    ]
    state = ended(*halves, *rest)
    scored = score(state)
    assert (scored.re.eyes, scored.winner, scored.factors) == (120, None, None)
    assert change(state) == [0, 0, 0, 0]
    assert change(ended(*halves, *rest, tie_120=Tie.KONTRA)) == [0, 0, 10, 10]


def test_kontra_and_rekontra_double() -> None:
    state = after(healthy("CQ", "CQ"), 3, say(Announcement.KONTRA))
    assert change(state._replace(tricks=tuple(RE_WINS))) == [30, 30, 0, 0]
    state = after(state, 1, say(Announcement.REKONTRA))
    assert change(state._replace(tricks=tuple(RE_WINS))) == [60, 60, 0, 0]


def test_each_limit_doubles_where_limits_are_announced_for_money() -> None:
    state = after(
        healthy("CQ", "CQ", settlement=Settlement.POT, foxes=False, charlie=False, doppelkopf_trick=False, **DDV),
        1,
        say(Announcement.NO_90),
    )
    assert change(state._replace(tricks=tuple(RE_WINS))) == [60, 60, 0, 0]


def test_premiums_come_from_the_pot_and_are_not_multiplied() -> None:
    tricks = (*RE_WINS, trick("DK DK CJ D9", 1, 3))
    assert score(ended(*tricks)).premiums == ()
    state = ended(*tricks, charlie=True, foxes=True, doppelkopf_trick=True, premium=2, fox_premium=3)
    scored = score(state)
    assert scored.premiums == (
        Premium(1, Merit.DOPPELKOPF, 10),
        Premium(1, Merit.FOX, 15),
        Premium(1, Merit.DOPPELKOPF, 10),
        Premium(1, Merit.DOPPELKOPF, 10),
        Premium(1, Merit.DOPPELKOPF, 10),
        Premium(3, Merit.CHARLIE, 10),
    )
    assert [line.change for line in scored.scores] == [10 + 55, 10, 10, 0]
    assert scored.pot == 400 - 20 - 65


def test_a_fox_of_ones_own_party_earns_no_premium_and_both_of_the_others_earn_two() -> None:
    own = trick("DA DA D9 CJ", 1, 2)
    assert score(ended(own, foxes=True)).premiums == ()
    both = trick("DA DA D9 CJ", 1, 4)
    assert score(ended(both, foxes=True)).premiums == (Premium(4, Merit.FOX, 5),) * 2
    mixed = trick("DA D9 DA CJ", 1, 4)
    assert score(ended(mixed, foxes=True)).premiums == (Premium(4, Merit.FOX, 5),)


def test_a_solo_pays_charlie_from_the_pot_too() -> None:
    state = first_declares(solo(Solo.NORMAL), charlie=True)._replace(tricks=(*RE_WINS, trick("DK DK CJ D9", 1, 3)))
    assert change(state) == [30, -10, -10 + 5, -10]


def test_an_empty_pot_is_filled_by_all_before_it_pays() -> None:
    state = ended(*RE_WINS, seats=5, ante=1)
    scored = score(state)
    assert (scored.antes, scored.pot) == (5, 0)
    assert [line.change for line in scored.scores] == [10, 10, -5, -5, -5]
    assert [line.total for line in scored.scores] == [9, 9, -6, -6, -6]


def test_the_rest_of_the_pot_is_shared_in_the_end_and_what_cannot_be_is_told() -> None:
    state = ended(*RE_WINS, seats=5, ante=101)
    scored, shared = settle(state)
    assert isinstance(scored, DealScored)
    assert shared == PotShared(95, 0, (9, 9, -6, -6, -6))
    state = ended(*RE_WINS, seats=5, base_amount=1)
    assert settle(state)[1] == PotShared(98, 4, (1, 1, -2, -2, -2))


def test_the_pot_is_shared_after_the_last_deal_only() -> None:
    state = ended(*RE_WINS, deals=2)
    assert len(settle(state)) == 1


def test_who_has_most_wins_and_equals_share_the_place() -> None:
    state = played_out(healthy("CQ", "CQ"))
    assert 0 <= state.session.pot < 4
    totals = replace(state.session, totals=(5, -5, 5, -5))
    assert GAME.standings(state._replace(session=totals)) == (
        Standing(1, 1, 5),
        Standing(3, 1, 5),
        Standing(2, 3, -5),
        Standing(4, 3, -5),
    )
    assert sum(state.session.totals) == -state.session.pot
    assert GAME.standings(healthy()) == ()


def test_the_standing_so_far_goes_by_the_deals_that_are_over() -> None:
    state = healthy(deals=2)
    assert {line.rank for line in GAME.so_far(state)} == {1}
    totals = replace(state.session, totals=(-5, 5, -6, 6))
    assert [line.seat for line in GAME.so_far(state._replace(session=totals))] == [4, 2, 1, 3]
