"""What the laws must know of double, the race."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from service.games.double_speed import GAME
from service.games.double_speed.cards import CARDS, Card, all_cards
from service.games.double_speed.commands import Deal, Draw, PlayCard
from service.games.double_speed.deadlock import stuck
from service.games.double_speed.events import CardPlayed, CardsDrawn, Dealt, Event, Reopened, Unblocked
from service.games.double_speed.options import Deadlock, HardDeadlock, Match, Options
from service.games.double_speed.state import State
from service.kit.game import Refused
from tests.games.story import History, Known, take

ROUNDS = 3
SPARSE = 24  # cards of all colours and symbols, of which few fit another
TRIES = 6  # at each number of cards dealt anew


def options(random: Random, seats: int) -> Options:
    chosen = Options(
        starter=random.randint(0, seats),
        rotation=random.random() < 0.7,
        auto_draw=random.random() < 0.3,
        deadlock=random.choice(list(Deadlock)),
        hard_deadlock=random.choice(list(HardDeadlock)),
        match=random.choice(list(Match)),
        rounds=random.randint(1, ROUNDS),
    )
    return replace(chosen, **random.choice((_whole, _small, _sparse))(random, seats))


def _whole(random: Random, seats: int) -> dict[str, Any]:
    return {"hand_limit": random.randint(1, 6)}


def _small(random: Random, seats: int) -> dict[str, Any]:
    copies = random.randint(1, 3)
    return {"colours": 3, "symbols": 3, "copies": copies, "hand_limit": _hand_limit(random, 18 * copies, seats)}


def _sparse(random: Random, seats: int) -> dict[str, Any]:
    deck = tuple(random.choices(all_cards(6, 6), k=SPARSE))
    return {"deck": deck, "hand_limit": _hand_limit(random, SPARSE, seats)}


def _hand_limit(random: Random, cards: int, seats: int) -> int:
    return random.randint(1, min(12, cards // seats - 2))


def pack(state: State) -> tuple[Card, ...]:
    return state.setup.deck.cards if state.round.number else ()


def places(state: State) -> Iterator[Card]:
    for cards in (*state.hands, *state.stacks, state.pile.cards, state.round.box):
        yield from cards


def plain(command: Any) -> Any:
    """Leave out what a seat may add: the pile that it looked at, and how many cards it wants at once."""
    match command:
        case PlayCard():
            return PlayCard(command.card)
        case Draw():
            return Draw()
        case _:
            return command


def redeals(random: Random, start: State, history: History, seat: int | None) -> Iterator[History]:
    """Deal anew what a seat has not seen of the last deal, such that the same deadlocks come of it: they are public."""
    place = max(place for place, (_, command) in enumerate(history) if isinstance(command, Deal))
    before = _told(start, history[:place])[-1][0]
    told = _told(before, history[place:])
    seen = {card for _, events in told for event in events for card in _seen(event, seat)}
    deal = history[place][1]
    hidden = [number for number, card in enumerate(deal.pack) if card not in seen]
    count = len(hidden)
    while count > 1:
        for _ in range(TRIES):
            other = _shuffled(random, deal, random.sample(hidden, count))
            candidate = [(0, other), *history[place + 1 :]]
            if _deadlocks(_told(before, candidate)) == _deadlocks(told):
                yield [*history[:place], *candidate]
        count -= 1 + count // 3


def _told(state: State, history: History) -> list[tuple[State, tuple[Event, ...]]]:
    """Return the states and the events that led to them, as far as nothing is refused."""
    told: list[tuple[State, tuple[Event, ...]]] = [(state, ())]
    for who, command in history:
        try:
            step = take(GAME, state, who, command)
        except Refused:
            break
        state = step.after
        told.append((state, step.events))
    return told


def _seen(event: Event, seat: int | None) -> Sequence[Card]:
    """Return the cards that the seat learns from an event."""
    match event:
        case Dealt():
            return (event.top, *(event.hands[seat - 1].cards if seat else ()))
        case CardsDrawn():
            return event.cards if event.seat == seat else ()
        case CardPlayed() | Unblocked() | Reopened():
            return (event.card,)
        case _:
            return ()


def _shuffled(random: Random, deal: Deal, numbers: list[int]) -> Deal:
    cards = list(deal.pack)
    for number, source in zip(numbers, random.sample(numbers, len(numbers)), strict=True):
        cards[number] = deal.pack[source]
    return Deal(deal.starter, tuple(cards))


def _deadlocks(told: Sequence[tuple[State, tuple[Event, ...]]]) -> list[Any]:
    return [(stuck(state), [type(event) for event in events]) for state, events in told]


KNOWN = Known(
    longest=20_000,
    options=options,
    pack=pack,
    places=places,
    strangers=tuple(CARDS.values()),
    redeals=redeals,
    short=Options(colours=3, symbols=3, hand_limit=2, rounds=2),
    plain=plain,
    dealt_anew=False,
)
