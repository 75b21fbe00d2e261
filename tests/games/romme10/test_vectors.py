"""The worked examples of the rules, each by its id."""

import json
from pathlib import Path
from typing import Any

import pytest

from service.games.romme10.cards import PACK
from service.games.romme10.commands import AnnounceBuy, Deal
from service.games.romme10.contracts import Contract
from service.games.romme10.groups import End, Kind
from service.games.romme10.laying import kind_of, meets, why_no_group
from service.games.romme10.options import FirstDealer
from service.games.romme10.piles import STOCKS
from service.games.romme10.profiles import PROFILES, Profile
from service.games.romme10.runs import RUN_MIN, start_of
from service.kit.game import CHANCE, Refused
from tests.games.romme10.given import (
    after,
    cards,
    dealt,
    groups,
    legal,
    melding,
    on_table,
    start,
    swap,
    texts,
)

VECTORS = {each["id"]: each for each in json.loads(Path(__file__).with_name("vectors.json").read_text())}


def the_fewest_cards_of_each_contract(given: Any) -> Any:
    for profile, contracts in ((Profile.SHANGHAI10, given["shanghai10"]), (Profile.CLASSIC10, given["classic10"])):
        assert list(map(str, PROFILES[profile].contracts)) == contracts
    return [[Contract.parse(text).cards for text in given[board]] for board in ("shanghai10", "classic10")]


def whether_they_are_sets(given: Any) -> Any:
    return [kind_of(cards(text)) is Kind.SET and why_no_group(cards(text), set_max=8) is None for text in given["sets"]]


def whether_they_are_runs_as_they_stand(given: Any) -> Any:
    runs = map(cards, given["runs (low to high)"])
    return [start_of(run) is not None and len(run) >= RUN_MIN and why_no_group(run, set_max=8) is None for run in runs]


def whether_they_meet_the_contract(given: Any) -> Any:
    met = []
    for contract, some in given["[contract, groups]"]:
        laid = groups(" / ".join(some))
        valid = all(why_no_group(group.cards, set_max=8) is None for group in laid)
        met.append(valid and meets(Contract.parse(contract), laid))
    return met


def swapped(table: str, card: str, end: End | None) -> list[str] | None:
    """Return the group after a swap of its first joker; None where it is refused."""
    state = on_table(melding("H2 H3 " + card, "C2"), 2, table)
    position = [str(laid.card) for laid in state.table[0].cards].index("*") + 1
    try:
        return texts(after(state, 1, swap(1, position, card, end)).table[0].cards).split()
    except Refused:
        return None


def the_run_after_a_swap(given: Any) -> Any:
    return [swapped(given["run"], given["card"], End(end)) for end in given["ends"]]


def the_longest_run_after_a_swap(given: Any) -> Any:
    (ends,) = given.values()
    return [swapped("C2 C3 C4 C5 C6 C7 C8 * CT CJ CQ CK CA", "C9", End(end)) for end in ends]


def the_set_after_a_swap(given: Any) -> Any:
    ((table, some),) = given.items()
    return [swapped(table.removeprefix("set "), card, None) for card in some]


def the_values(given: Any) -> Any:
    return [card.points for card in cards(" ".join(given["cards"]))]


def what_can_be_bought(given: Any) -> Any:
    """Where nothing can be announced, one buys nothing."""
    turns = (dealt("H2", "H3", number=number) for number in given["rounds"])
    return [[command.cards for command in legal(turn, AnnounceBuy)] or [0] for turn in turns]


def the_cards_left_to_draw(given: Any) -> Any:
    left = []
    for seats in range(2, 7):
        state = start(seats, first_dealer=FirstDealer.SEAT_1)
        dealt_out = after(state, CHANCE, Deal(1, PACK))
        left.append(sum(len(dealt_out.piles[pile.value]) for pile in STOCKS))
    return left


ASKED = {
    "ROM-01": the_fewest_cards_of_each_contract,
    "ROM-02": whether_they_are_sets,
    "ROM-03": whether_they_are_runs_as_they_stand,
    "ROM-04": whether_they_meet_the_contract,
    "ROM-07": the_run_after_a_swap,
    "ROM-08": the_longest_run_after_a_swap,
    "ROM-10": the_set_after_a_swap,
    "ROM-12": the_values,
    "ROM-13": what_can_be_bought,
    "ROM-15": the_cards_left_to_draw,
}


@pytest.mark.parametrize("example", VECTORS)
def test_the_worked_example_comes_out(example: str) -> None:
    assert ASKED[example](VECTORS[example]["given"]) == VECTORS[example]["expect"]
