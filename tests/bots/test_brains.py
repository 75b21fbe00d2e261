"""Every brain, in games of all kinds: it may do what it does, and can know only what its seat sees."""

from collections.abc import Iterator
from random import Random

import pytest

from service.bots import BOTS
from service.bots.brain import Sight, Strength
from service.games import GAMES
from service.kit.game import AnyGame, Refused
from tests.games.story import History, Story, known_of, tell
from tests.tournament.board import Board

STORIES = 6
MOMENTS = 40  # of a story, at which all seats are asked that may do something

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
each_strength = pytest.mark.parametrize("strength", Strength, ids=lambda strength: strength.name.lower())


def test_every_game_has_bots_of_every_strength() -> None:
    assert {name: set(brains) for name, brains in BOTS.items()} == {name: set(Strength) for name in GAMES}


@each_game
@each_strength
def test_a_brain_does_what_is_legal_and_the_same_for_the_same_dice(game: AnyGame, strength: Strength) -> None:
    brain = BOTS[game.name][strength]
    for number in range(STORIES):
        story = tell(game, known_of(game), f"brains {number}")
        for sight in _sights(game, story, Random(number)):
            chosen = brain(sight, Random(number))
            assert chosen in sight.legal, f"story {number}: {chosen} is not legal"
            assert brain(sight, Random(number)) == chosen, f"story {number}: the same dice, and not the same choice"


@each_game
@each_strength
def test_a_brain_heeds_nothing_from_before_the_last_deal(game: AnyGame, strength: Strength) -> None:
    brain = BOTS[game.name][strength]
    story = tell(game, known_of(game), "brains")
    for sight in _sights(game, story, Random("brains")):
        older = sight._replace(happened=[*sight.happened[1:], *sight.happened])  # a deal whose beginning is not known
        assert brain(older, Random(1)) == brain(sight, Random(1))


@each_game
@each_strength
def test_a_brain_chooses_the_same_whatever_its_seat_cannot_see(game: AnyGame, strength: Strength) -> None:
    brain, known, compared = BOTS[game.name][strength], known_of(game), 0
    for number in range(STORIES):
        story, random = tell(game, known, f"brains {number}"), Random(number)
        history = [(step.seat, step.command) for step in story.steps[: random.randint(1, len(story.steps))]]
        here = _replayed(game, story, history)
        for seat in (seat for seat in here.seats if game.legal(here.state, seat)):
            redeals = known.redeals(random, story.start, history, seat)
            there = next((world for world in _boards(game, story, redeals) if world.state != here.state), None)
            if there is not None:
                assert brain(here.sight(seat), Random(number)) == brain(there.sight(seat), Random(number))
                compared += 1
    assert compared >= STORIES / 2, "too few games could be dealt anew for this to prove anything"


def _sights(game: AnyGame, story: Story, random: Random) -> Iterator[Sight]:
    """Return what the seats see that may do something, at some moments of a story."""
    board = Board(game, story.options, story.seats)
    asked = set(random.sample(range(len(story.steps)), min(MOMENTS, len(story.steps))))
    for number, step in enumerate(story.steps):
        if number in asked:
            sights = map(board.sight, board.seats)
            yield from (sight for sight in sights if sight.legal)
        board.take(step.seat, step.command)


def _boards(game: AnyGame, story: Story, histories: Iterator[History]) -> Iterator[Board]:
    """Return the boards of those histories which can be played."""
    for history in histories:
        try:
            yield _replayed(game, story, history)
        except Refused:
            continue


def _replayed(game: AnyGame, story: Story, history: History) -> Board:
    board = Board(game, story.options, story.seats)
    for seat, command in history:
        board.take(seat, command)
    return board
