"""Evolve: the state after an event. It refuses nothing."""

from typing import assert_never

from service.games.double_speed.events import (
    CardPlayed,
    CardsDrawn,
    Dealt,
    Event,
    Reopened,
    RoundEnded,
    Unblocked,
)
from service.games.double_speed.score import match_over
from service.games.double_speed.state import Phase, Pile, Round, State
from service.kit.tuples import with_item, without


def evolve(state: State, event: Event) -> State:
    """Return the state after the event."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case CardsDrawn():
            return _cards_drawn(state, event)
        case Unblocked():
            return _unblocked(state)
        case Reopened():
            return _reopened(state, event)
        case Dealt():
            return _dealt(state, event)
        case RoundEnded():
            return _round_ended(state, event)
        case unknown:
            assert_never(unknown)


def _card_played(state: State, event: CardPlayed) -> State:
    seat, pile, hands = event.seat, state.pile, state.hands
    return State(
        state.setup,
        state.sheet,
        state.round,
        state.phase,
        Pile((*pile.cards, event.card), pile.version + 1, 0, 0, event),
        with_item(hands, seat - 1, without(hands[seat - 1], event.card)),
        state.stacks,
    )


def _cards_drawn(state: State, event: CardsDrawn) -> State:
    place, hands, stacks = event.seat - 1, state.hands, state.stacks
    return State(
        state.setup,
        state.sheet,
        state.round,
        state.phase,
        state.pile,
        with_item(hands, place, hands[place] + event.cards),
        with_item(stacks, place, stacks[place][event.count :]),
    )


def _unblocked(state: State) -> State:
    (bottom, *rest), version, turned, reopened, last = state.pile
    return state._replace(pile=Pile((*rest, bottom), version + 1, turned + 1, reopened, last))


def _reopened(state: State, event: Reopened) -> State:
    (bottom, *rest), version, turned, reopened, last = state.pile
    stack = (*state.stacks[event.seat - 1][1:], bottom)
    return state._replace(
        pile=Pile((*rest, event.card), version + 1, turned, reopened + 1, last),
        stacks=with_item(state.stacks, event.seat - 1, stack),
    )


def _dealt(state: State, event: Dealt) -> State:
    return State(
        state.setup,
        state.sheet,
        Round(event.round, event.starter, event.box),
        Phase.RACE,
        Pile((event.top,), state.pile.version + 1, 0, 0, None),
        tuple(hand.cards for hand in event.hands),
        tuple(stack.cards for stack in event.stacks),
    )


def _round_ended(state: State, event: RoundEnded) -> State:
    sheet = (*state.sheet, event)
    over = match_over(state.setup.options, sheet, state.setup.seats)
    return state._replace(sheet=sheet, phase=Phase.OVER if over else Phase.DEAL)
