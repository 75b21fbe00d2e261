"""Given, when, then: a game of DOUBLE at exactly the point a test speaks of."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from service.games.double_tricks import GAME
from service.games.double_tricks.cards import Card, Motif
from service.games.double_tricks.commands import Bid, Command, Deal, PlayCard, Reason
from service.games.double_tricks.events import Event
from service.games.double_tricks.options import Options
from service.games.double_tricks.state import State
from service.kit.game import Refused
from tests.games.story import take

NO_TRUMP = "H8/FOOL"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def play(text: str) -> PlayCard:
    """Read `CA/H2:CA`."""
    card, motif = text.split(":")
    return PlayCard(Card.parse(card), Motif.parse(motif))


def texts(commands: Any) -> list[str]:
    """Write plays as `CA/H2:CA`, sorted."""
    return sorted(f"{command.card}:{command.motif}" for command in commands)


def options(**chosen: Any) -> Options:
    return replace(Options(), **chosen)


def stacked(state: State, *hands: str, turn_up: str, dealer: int) -> Deal:
    """Return the deal of the next round that gives these hands, seat 1's first."""
    seats, dealt = len(hands), [cards(hand) for hand in hands]
    in_order = [dealt[(dealer + place) % seats] for place in range(seats)]
    top = [card for layer in zip(*in_order, strict=True) for card in layer] + [Card.parse(turn_up)]
    rest = Counter(state.setup.pack)
    rest.subtract(top)
    assert min(rest.values()) >= 0, "the pack does not hold these cards"
    return Deal(dealer, (*top, *rest.elements()))


def dealt(*hands: str, turn_up: str = NO_TRUMP, dealer: int | None = None, **chosen: Any) -> State:
    """Return a game in its only round, dealt these hands; the last seat deals, so seat 1 starts."""
    chosen.setdefault("hand_sizes", (len(hands[0].split()),))
    state = GAME.start(options(**chosen), len(hands))
    return after(state, 0, stacked(state, *hands, turn_up=turn_up, dealer=dealer or len(hands)))


def when(state: State, seat: int, command: Command) -> tuple[Event, ...]:
    return GAME.decide(state, seat, command)


def after(state: State, seat: int, command: Command) -> State:
    after: State = take(GAME, state, seat, command).after
    return after


def bid(state: State, *tricks: int) -> State:
    """Let the seats bid in turn."""
    for number in tricks:
        state = after(state, state.turn, Bid(number))
    return state


def played(state: State, *plays: str) -> State:
    """Let the seats play in turn."""
    for text in plays:
        state = after(state, state.turn, play(text))
    return state


def refusal(state: State, seat: int, command: Command) -> Reason:
    """Return why the command is refused; it must be."""
    with pytest.raises(Refused) as refused:
        when(state, seat, command)
    assert isinstance(refused.value.reason, Reason)
    return refused.value.reason
