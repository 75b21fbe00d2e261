"""Given, when, then: a game of ROMMÉ 10 at exactly the point a test speaks of."""

from dataclasses import replace
from typing import Any, TypeVar

import pytest

from service.games.romme10 import GAME
from service.games.romme10.cards import Card, Cards, in_order
from service.games.romme10.commands import Command, Discard, Draw, LayContract, LayOff, Reason, SwapJoker
from service.games.romme10.contracts import Contract
from service.games.romme10.events import Dealt, Event, RoundScored
from service.games.romme10.groups import End, Group
from service.games.romme10.laying import place
from service.games.romme10.options import FirstDealer, Options
from service.games.romme10.piles import Pile
from service.games.romme10.state import Phase, State, Turn
from service.kit.game import Refused
from tests.games.story import take

Kind = TypeVar("Kind")  # of command

LOW, HIGH = End.LOW, End.HIGH
D1, D2, X1, X2 = Pile


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def texts(some: Any) -> str:
    """Write cards, or what holds one each, in order."""
    return " ".join(str(getattr(each, "card", each)) for each in some)


def groups(text: str) -> tuple[Cards, ...]:
    """Read groups with strokes between them."""
    return tuple(Cards(cards(each)) for each in text.split("/"))


def options(**chosen: Any) -> Options:
    return replace(Options(), **chosen)


def start(seats: int = 4, **chosen: Any) -> State:
    return GAME.start(options(**chosen), seats)


def dealt(
    *hands: str,
    contract: str = "S3 S3",
    number: int = 1,
    rounds: int = 1,
    piles: tuple[str, str, str, str] = ("C2 C3", "D2 D3", "SK", "HK"),
    **chosen: Any,
) -> State:
    """Return the first turn of a round with this contract: seat 1 is to draw. A pile's top card is the last one."""
    contracts, played = (Contract.parse(contract),) * number, (number,) * rounds
    dealer = {"first_dealer": FirstDealer(len(hands))}
    state = start(len(hands), **(dealer | {"contracts": contracts, "rounds": played, "hand_size": 20} | chosen))
    first, second, *discards = map(cards, piles)
    event = Dealt(
        1,
        len(hands),
        tuple(Cards(in_order(cards(hand))) for hand in hands),
        (Cards(first), Cards(second)),
        cards("SK HK"),
    )
    return GAME.evolve(state, event)._replace(piles=(first, second, *discards))


def melding(*hands: str, **chosen: Any) -> State:
    """Return the turn of seat 1 when it has drawn."""
    return dealt(*hands, **chosen)._replace(phase=Phase.MELD, now=Turn(drawn=1))


def on_table(state: State, owner: int, text: str) -> State:
    """Put more groups on the table before a seat."""
    laid = place(len(state.table) + 1, owner, groups(text), adjacent=True)
    assert laid is not None
    return state._replace(table=(*state.table, *laid))


def group(text: str) -> Group:
    (laid,) = place(1, 1, groups(text), adjacent=True) or ()
    return laid


def when(state: State, seat: int, command: Command) -> tuple[Event, ...]:
    return GAME.decide(state, seat, command)


def after(state: State, seat: int, *commands: Command) -> State:
    for command in commands:
        state = take(GAME, state, seat, command).after
    return state


def drawn(state: State, *piles: Pile) -> State:
    """Let the seat on turn draw."""
    return after(state, state.turn, *map(Draw, piles))


def lay(text: str) -> LayContract:
    return LayContract(groups(text))


def lay_off(number: int, card: str, end: End | None = None) -> LayOff:
    return LayOff(number, Card.parse(card), end)


def swap(number: int, position: int, card: str, end: End | None = None) -> SwapJoker:
    return SwapJoker(number, position, Card.parse(card), end)


def discard(card: str, pile: Pile = X1) -> Discard:
    return Discard(Card.parse(card), pile)


def refusal(state: State, seat: int, command: Command) -> Reason:
    """Return why the command is refused; it must be."""
    with pytest.raises(Refused) as refused:
        when(state, seat, command)
    assert isinstance(refused.value.reason, Reason)
    return refused.value.reason


def legal(state: State, kind: type[Kind]) -> list[Kind]:
    """Return what the seat on turn may do of a kind."""
    return [command for command in GAME.legal(state, state.turn) if isinstance(command, kind)]


def scored(events: tuple[Event, ...]) -> RoundScored:
    """Return how the round was scored; it must be over."""
    last = events[-1]
    assert isinstance(last, RoundScored)
    return last
