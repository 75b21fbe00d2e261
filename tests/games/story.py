"""Stories: whole games played at random, and what the laws must know of a game besides its record."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

from service.draw import SeededDraw
from service.kit.game import CHANCE, AnyGame

OUT_OF_TURN = 0.1  # how often a seat acts that may and need not, where there is one

History = Sequence[tuple[int, Any]]  # seats with their commands


@dataclass(frozen=True)
class Known:
    """What the laws must know of a game. Each game's tests have it as KNOWN in `known.py`."""

    longest: int  # no game has more commands than this
    options: Callable[[Random, int], Any]  # some options that so many seats can play
    pack: Callable[[Any], Iterable[Any]]  # of a state: all cards there are; none where nothing is dealt yet
    places: Callable[[Any], Iterable[Any]]  # of a state: the cards in all places together
    strangers: Sequence[Any]  # values that a command may name and no table of the game holds
    redeals: Callable[[Random, Any, History, int | None], Iterator[History]]
    """From a start: histories that differ only in cards a seat cannot see; the boldest first."""
    short: Any  # options of a game that is soon over, for any number of seats
    choose: Callable[[Random, Sequence[Any]], Any] = Random.choice
    """What a random player does of what is legal: not all of it equally often, where that would make odd games."""
    dealt_anew: bool = True  # whether hidden cards can be dealt anew before a deal is over
    legal_is_complete: bool = True  # whether `legal` lists everything that `decide` accepts
    plain: Callable[[Any], Any] = lambda command: command
    """The command as `legal` would list it: without what a seat may add and need not."""


def known_of(game: AnyGame) -> Known:
    known: Known = import_module(f"tests.games.{game.name}.known").KNOWN
    return known


@dataclass(frozen=True)
class Step:
    """One command in a story."""

    before: Any
    seat: int
    command: Any
    events: tuple[Any, ...]
    after: Any


@dataclass(frozen=True)
class Story:
    """A game from its first deal to its end."""

    options: Any
    seats: int
    start: Any
    steps: tuple[Step, ...]

    @property
    def end(self) -> Any:
        return self.steps[-1].after


def take(game: AnyGame, state: Any, seat: int, command: Any) -> Step:
    """Decide and fold; Refused where the rules say no."""
    events, after = game.decide(state, seat, command), state
    for event in events:
        after = game.evolve(after, event)
    return Step(state, seat, command, events, after)


Choose = Callable[[AnyGame, Known, Any, int, Random], tuple[int, Any] | None]
"""Returns what happens next in a state of so many seats; nothing at the game's end."""


def choose(game: AnyGame, known: Known, state: Any, seats: int, random: Random) -> tuple[int, Any] | None:
    """Return what happens next: a deal, or what one does of the seats waited for, or now and then another that may."""
    deal = game.chance(state, SeededDraw(random.randbytes(32)))
    if deal is not None:
        return CHANCE, deal
    waiting = game.to_act(state)
    if not waiting:
        return None
    legal = {seat: list(game.legal(state, seat)) for seat in range(1, seats + 1)}
    able = [seat for seat in waiting if legal[seat]]
    assert able, f"the table waits for {waiting}, and none of them can do anything"
    out_of_turn = [seat for seat in legal if legal[seat] and seat not in waiting]
    bold = out_of_turn and random.random() < OUT_OF_TURN
    seat = random.choice(out_of_turn if bold else able)
    return seat, known.choose(random, legal[seat])


def by_default(game: AnyGame, _known: Known, state: Any, _seats: int, random: Random) -> tuple[int, Any] | None:
    """Return what happens next where everybody's time has run out: a deal, or what the table does for one."""
    deal = game.chance(state, SeededDraw(random.randbytes(32)))
    if deal is not None:
        return CHANCE, deal
    done = [(seat, command) for seat in game.to_act(state) if (command := game.default(state, seat)) is not None]
    return random.choice(done) if done else None


def tell(game: AnyGame, known: Known, seed: str, choose: Choose = choose) -> Story:
    """Play a game, with options, seats and deals at random, and also what is done if not told otherwise."""
    random = Random(seed)
    seats = random.choice(game.seats)
    options = known.options(random, seats)
    start = game.start(options, seats)
    return Story(options, seats, start, play_on(game, known, start, seats, random, choose))


def play_on(
    game: AnyGame, known: Known, state: Any, seats: int, random: Random, choose: Choose = choose
) -> tuple[Step, ...]:
    """Play to the end."""
    steps: list[Step] = []
    while (chosen := choose(game, known, state, seats, random)) is not None:
        assert len(steps) < known.longest, "the game does not end"
        steps.append(take(game, state, *chosen))
        state = steps[-1].after
    return tuple(steps)
