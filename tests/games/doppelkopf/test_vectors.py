"""The worked examples of the rules, each by its id. Plays count from 1."""

import json
from pathlib import Path
from typing import Any

import pytest

from service.games.doppelkopf.announcing import in_time, why_not_level
from service.games.doppelkopf.cards import ALL_EYES, pack_of
from service.games.doppelkopf.commands import Reason
from service.games.doppelkopf.contract import Contract, Party, Solo
from service.games.doppelkopf.events import Camp
from service.games.doppelkopf.options import Options
from service.games.doppelkopf.order import order_of
from service.games.doppelkopf.outcome import winner_of
from service.games.doppelkopf.points import changes, points_of, special_points, value_of
from service.games.doppelkopf.pot import amount_of, factors_of
from service.games.doppelkopf.rules import FollowRule, Tie
from service.games.doppelkopf.state import Said
from service.games.doppelkopf.tricks import playable, winner
from tests.games.doppelkopf.given import cards

VECTORS = {each["id"]: each for each in json.loads(Path(__file__).with_name("vectors.json").read_text())}
LEVELS: dict[int | None, int] = {None: 0, 120: 1, 90: 2, 60: 3, 30: 4, 0: 5}
RE, KONTRA = Party.RE, Party.KONTRA


def the_parts_of_the_pack(given: Any) -> Any:
    parts = []
    for nines, tollen in given["nines_tollen"]:
        pack, trumps = pack_of(nines=nines), order_of(Solo.NORMAL, tollen=tollen).trumps
        number = sum(card in trumps for card in pack)
        parts.append([len(pack), number, len(pack) - number, sum(card.eyes for card in pack)])
    return parts


def the_trumps(given: Any) -> Any:
    return list(map(str, order_of(Solo.NORMAL, tollen=given["tollen"]).trumps))


def the_cards_a_hand_may_play(given: Any) -> Any:
    return [
        sorted(
            map(
                str,
                playable(
                    cards(given["hand"]),
                    cards(given["trick"]),
                    order_of(Solo.NORMAL, tollen=tollen),
                    FollowRule.FOLLOW_OR_TRUMP,
                    second_tolle=False,
                ),
            )
        )
        for tollen in given["tollen"]
    ]


def the_winning_play(given: Any) -> Any:
    return winner(cards(given["trick"]), order_of(Solo.NORMAL, tollen=False), second_tolle=False) + 1


def camps(given: Any) -> tuple[Camp, Camp]:
    eyes, tricks = given["re"]
    re = Camp(eyes, tricks, given.get("re_level", 0))
    return re, Camp(ALL_EYES - eyes, 12 - tricks, given.get("kontra_level", 0))


def name(party: Party | None) -> str | None:
    return party and party.name


def the_money(given: Any) -> Any:
    re, kontra = camps(given)
    won = winner_of(re, kontra, Tie.NOBODY)
    if won is None:
        return [None, 0]
    contract = Contract[given.get("contract", "NORMAL")]
    factors = factors_of(Options(), contract, {RE: re, KONTRA: kontra}, won, black=False)
    return [name(won), amount_of(factors)]


def the_points(given: Any) -> Any:
    re, kontra = camps(given)
    won = winner_of(re, kontra, Tie.KONTRA_UNLESS_ALONE_ANNOUNCED)
    points = points_of(re, kontra, won)
    if "contract" in given:
        parties: tuple[Party, ...] = (RE, KONTRA, KONTRA, KONTRA)
    else:
        parties = (RE, RE, KONTRA, KONTRA)
        points = (*points, *special_points((), parties, won))
    value = value_of(points)
    assert sum(changes(value, parties)) == 0
    return [name(won), value, changes(value, parties)[0]]


def the_number_of_trumps(given: Any) -> Any:
    pack = pack_of(nines=True)
    return [sum(card in order_of(Solo[kind], tollen=True).trumps for card in pack) for kind in given["kind"]]


def the_windows(given: Any) -> Any:
    return [window(*case) for case in given["level_cards_own_opp"]]


def window(level: int, held: int, own: int | None = None, opponents: int | None = None) -> str:
    ours, theirs = Said(LEVELS[own]), Said(LEVELS[opponents])
    match why_not_level(LEVELS[level], held, ours, theirs, 11):
        case None:
            return "yes" if in_time(held, ours, 11) else "reply only"
        case Reason.TOO_LATE_TO_ANNOUNCE:
            return "no (late)"
        case Reason.ALREADY_ANNOUNCED:
            return "no (repeated)"
        case reason:
            return str(reason)


ASKED = {
    "DKP-01": the_parts_of_the_pack,
    "DKP-02": the_trumps,
    "DKP-03": the_trumps,
    "DKP-05": the_cards_a_hand_may_play,
    "DKP-06": the_winning_play,
    "DKP-07": the_winning_play,
    **dict.fromkeys((each for each in VECTORS if "DKP-10" <= each <= "DKP-22"), the_money),
    **dict.fromkeys((each for each in VECTORS if "DDV-01" <= each <= "DDV-13"), the_points),
    "DDV-16": the_number_of_trumps,
    "DDV-17": the_windows,
}


@pytest.mark.parametrize("example", VECTORS)
def test_the_worked_example_comes_out(example: str) -> None:
    assert ASKED[example](VECTORS[example]["given"]) == VECTORS[example]["expect"]
