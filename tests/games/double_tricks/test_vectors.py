"""The worked examples of the rules, each by its id. Plays count from 1."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from service.games.double_tricks.cards import COMPLEMENT16, Card, Motif, Suit, trump_of
from service.games.double_tricks.options import pack_suffices
from service.games.double_tricks.score import settle
from service.games.double_tricks.tricks import playable, winner
from tests.games.double_tricks.given import bid, cards, dealt, texts

VECTORS = {each["id"]: each for each in json.loads(Path(__file__).with_name("vectors.json").read_text())}


def suit(letter: str | None) -> Suit | None:
    return Suit(letter) if letter else None


def the_default_pairing(_given: Any) -> Any:
    pairs = Counter(frozenset(card.suits) for card in COMPLEMENT16 if None not in card.suits)
    motifs = {motif for card in COMPLEMENT16 for motif in card.motifs}
    return {"cards": len(COMPLEMENT16), "motifs": len(motifs), "suit_pairs": sorted(pairs.values())}


def the_trump_turned_up(given: Any) -> Any:
    trumps = [trump_of(Card.parse(text)) for text in given["turn_up"]]
    return [trump and trump.value for trump in trumps]


def the_plays_a_hand_allows(given: Any) -> Any:
    return texts(playable(cards(" ".join(given["hand"])), Motif.parse(given["led"]), specials_anytime=True))


def the_winning_play(given: Any) -> Any:
    return winner([Motif.parse(text) for text in given["plays"]], suit(given["trump"])) + 1


def the_changes_of_points(given: Any) -> Any:
    changes = []
    for stake, tricks in given["bid_tricks"]:
        state = bid(dealt("CA/H2 SA/D2 HA/C2 DA/S2 CK/S3", "SK/H3 HK/D3 DK/C3 CQ/D4 SQ/C4"), stake, 0)
        changes.append(settle(state, (tricks, 5 - tricks))[0].change)
    return changes


def which_packs_suffice(given: Any) -> Any:
    return [pack_suffices(players, sets, hand_size=5) for players, sets in given["players_sets"]]


ASKED = {
    "DBL-01": the_default_pairing,
    "DBL-02": the_trump_turned_up,
    "DBL-03": the_plays_a_hand_allows,
    "DBL-04": the_plays_a_hand_allows,
    "DBL-05": the_plays_a_hand_allows,
    "DBL-07": the_plays_a_hand_allows,
    "DBL-08": the_winning_play,
    "DBL-09": the_winning_play,
    "DBL-10": the_winning_play,
    "DBL-12": the_winning_play,
    "DBL-14": the_changes_of_points,
    "DBL-16": which_packs_suffice,
}


@pytest.mark.parametrize("name", VECTORS)
def test_the_worked_example_comes_out(name: str) -> None:
    assert ASKED[name](VECTORS[name]["given"]) == VECTORS[name]["expect"]
