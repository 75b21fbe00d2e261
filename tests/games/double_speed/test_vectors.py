"""The worked examples of the rules, each by its id."""

import json
from pathlib import Path
from typing import Any

import pytest

from service.games.double_speed import GAME
from service.games.double_speed.cards import HALVES, all_cards
from service.games.double_speed.commands import Draw, Reason
from service.games.double_speed.deck import deck_of
from service.games.double_speed.events import CardsDrawn, Unblocked
from service.games.double_speed.score import has_won
from tests.games.double_speed.given import card, cards, dealt, race, refusal, start, texts, when

VECTORS = {each["id"]: each for each in json.loads(Path(__file__).with_name("vectors.json").read_text())}
PACK = " ".join(map(str, all_cards(4, 4)))


def the_default_deck(given: Any) -> Any:
    pack = all_cards(4, 4)
    on = {sum(half in each.halves for each in pack) for half in HALVES if half[0] in "RGBY" and half[1] in "oqts"}
    fits = {len(fitting - {top}) for top, fitting in deck_of(pack, rotation=True).fits.items()}
    (each_half_on,), (fits_per_card,) = on, fits
    return {"cards": len(pack), "each_half_on": each_half_on, "fits_per_card": fits_per_card}


def whether_a_card_fits(given: Any) -> Any:
    pairs = [(card(top), card(played)) for top, played in given["[top,card]"]]
    decks = (deck_of(all_cards(4, 4), rotation=rotation) for rotation in given["rotation"])
    return [[played in deck.fits[top] for top, played in pairs] for deck in decks]


def the_shares(given: Any) -> Any:
    states = [dealt(start(players)) for players in given["players"]]
    return [
        {
            "each": len(state.stacks[1]) + len(state.hands[1]),
            "box": len(state.round.box),
            "stack_starter": len(state.stacks[0]),
            "stack_others": len(state.stacks[1]),
        }
        for state in states
    ]


def share(hand: int, stack: int) -> str:
    names = PACK.split()
    return f"{' '.join(names[:hand])} | {' '.join(names[-stack:] if stack else ())}"


def whether_that_wins(given: Any) -> Any:
    return [
        has_won(race("Ro-Gq", share(hand, stack), share(4, 9)), 1)
        for stack, hand in given["[stack,hand] after the action"]
    ]


def the_turned_pile(given: Any) -> Any:
    letters = dict(zip(given["pile bottom->top"], ("Ro-Gq", "Ro-Bt", "Ro-Ys"), strict=True))
    names = {name: letter for letter, name in letters.items()}
    state, piles = race(" ".join(letters.values()), "Bt-Ys |", "Gq-Bt Gq-Ys |"), []
    for _ in given["pile bottom->top"]:
        state = GAME.evolve(state, Unblocked(1, state.pile.cards[0]))
        piles.append([names[text] for text in texts(state.pile.cards).split()])
    return piles


def how_many_are_drawn(given: Any) -> Any:
    return [drawn(*numbers) for numbers in given["hand,stack,ask"]]


def drawn(hand: int, stack: int, ask: int) -> int:
    state = race("Ro-Gq", share(hand, stack), share(4, 9))
    if Draw() not in GAME.legal(state, 1):
        assert refusal(state, 1, Draw(ask)) is Reason.HAND_FULL
        return 0
    (event,) = when(state, 1, Draw(ask))
    assert isinstance(event, CardsDrawn)
    return event.count


ASKED = {
    "DUO-01": the_default_deck,
    "DUO-02": whether_a_card_fits,
    "DUO-03": the_shares,
    "DUO-04": whether_that_wins,
    "DUO-06": the_turned_pile,
    "DUO-08": how_many_are_drawn,
}


@pytest.mark.parametrize("example", VECTORS)
def test_the_worked_example_comes_out(example: str) -> None:
    assert ASKED[example](VECTORS[example]["given"]) == VECTORS[example]["expect"]


def test_the_default_deck_is_what_the_game_plays_with() -> None:
    assert GAME.start(GAME.options(), 4).setup.deck.cards == cards(PACK)
