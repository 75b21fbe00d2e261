"""Given, when, then: a game of double at exactly the point a test speaks of."""

from dataclasses import replace
from typing import Any

import pytest

from service.draw import SeededDraw
from service.games.double_speed import GAME
from service.games.double_speed.cards import Card
from service.games.double_speed.commands import Command, PlayCard, Reason
from service.games.double_speed.events import Event
from service.games.double_speed.options import Deadlock, HardDeadlock, Options
from service.games.double_speed.state import Phase, Pile, Round, State
from service.kit.game import CHANCE, Refused
from tests.games.story import take

AUTO: dict[str, Any] = {"deadlock": Deadlock.AUTO}
STALEMATE: dict[str, Any] = {"hard_deadlock": HardDeadlock.STALEMATE}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def card(text: str) -> Card:
    return Card.parse(text)


def texts(some: Any) -> str:
    """Write cards, or plays of them, in order."""
    return " ".join(str(getattr(each, "card", each)) for each in some)


STRANGERS = cards(
    "Ro-Gq Ro-Bt Ro-Ys Ro-Vd Ro-Wh Gq-Bt Gq-Ys Gq-Vd Gq-Wh Bt-Ys Bt-Vd Bt-Wh Ys-Vd Ys-Wh Vd-Wh"
)  # none of them fits another


def options(**chosen: Any) -> Options:
    return replace(Options(), **chosen)


def start(seats: int = 2, **chosen: Any) -> State:
    return GAME.start(options(**chosen), seats)


def race(pile: str, *shares: str, starter: int = 1, **chosen: Any) -> State:
    """Return a race with this pile, its bottom first, and for each seat `hand | stack`, its top first."""
    hands, stacks = zip(*((cards(text) for text in share.split("|")) for share in shares), strict=True)
    return start(len(shares), **chosen)._replace(
        phase=Phase.RACE,
        round=Round(1, starter, ()),
        pile=Pile(cards(pile), 1, 0, 0, None),
        hands=hands,
        stacks=stacks,
    )


def dealt(state: State, seed: bytes = b"cards") -> State:
    """Return the game after the deal that is due."""
    deal = GAME.chance(state, SeededDraw(seed))
    assert deal is not None
    return after(state, CHANCE, deal)


def when(state: State, seat: int, command: Command) -> tuple[Event, ...]:
    return GAME.decide(state, seat, command)


def after(state: State, seat: int, *commands: Command) -> State:
    for command in commands:
        state = take(GAME, state, seat, command).after
    return state


def played(state: State, seat: int, text: str) -> State:
    """Let a seat play cards, one after the other."""
    return after(state, seat, *map(PlayCard, cards(text)))


def refusal(state: State, seat: int, command: Command) -> Reason:
    """Return why the command is refused; it must be."""
    with pytest.raises(Refused) as refused:
        when(state, seat, command)
    assert isinstance(refused.value.reason, Reason)
    return refused.value.reason
