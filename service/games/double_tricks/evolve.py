"""Evolve: the state after an event. It refuses nothing."""

from dataclasses import replace
from typing import assert_never

from service.games.double_tricks.events import BidMade, CardPlayed, Dealt, Event, Redealt, RoundScored, TrickWon
from service.games.double_tricks.state import Phase, Round, State, Trick
from service.kit.seats import next_seat
from service.kit.tuples import with_item, without


def evolve(state: State, event: Event) -> State:
    """Return the state after the event."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case TrickWon():
            return _trick_won(state, event)
        case BidMade():
            return _bid_made(state, event)
        case Dealt():
            return _dealt(state, event)
        case RoundScored():
            return _round_scored(state, event)
        case Redealt():
            hands = tuple(hand.cards for hand in event.hands)
            return state._replace(hands=hands, round=replace(state.round, stock=event.stock))
        case unknown:
            assert_never(unknown)


def _dealt(state: State, event: Dealt) -> State:
    seats, before = state.setup.seats, state.tricks[-1] if state.tricks else None
    return State(
        state.setup,
        state.sheet,
        Round(event.round, event.dealer, event.hand_size, event.turn_up, event.trump, event.stock, before),
        Phase.BID,
        next_seat(event.dealer, seats),
        state.points,
        tuple(hand.cards for hand in event.hands),
        (None,) * seats,
        (),
        (),
    )


def _bid_made(state: State, event: BidMade) -> State:
    return State(
        state.setup,
        state.sheet,
        state.round,
        Phase.PLAY if event.seat == state.round.dealer else Phase.BID,
        next_seat(event.seat, state.setup.seats),
        state.points,
        state.hands,
        with_item(state.bids, event.seat - 1, event.tricks),
        (),
        (),
    )


def _card_played(state: State, event: CardPlayed) -> State:
    seat, hands = event.seat, state.hands
    return State(
        state.setup,
        state.sheet,
        state.round,
        state.phase,
        next_seat(seat, state.setup.seats),
        state.points,
        with_item(hands, seat - 1, without(hands[seat - 1], event.card)),
        state.bids,
        (*state.trick, event),
        state.tricks,
    )


def _trick_won(state: State, event: TrickWon) -> State:
    return State(
        state.setup,
        state.sheet,
        state.round,
        state.phase,
        event.seat,
        state.points,
        state.hands,
        state.bids,
        (),
        (*state.tricks, Trick(state.trick, event.seat)),
    )


def _round_scored(state: State, event: RoundScored) -> State:
    rounds_left = state.round.number < len(state.setup.options.hand_sizes)
    return State(
        state.setup,
        (*state.sheet, event),
        state.round,
        Phase.DEAL if rounds_left else Phase.OVER,
        0,
        tuple(score.points for score in event.scores),
        state.hands,
        state.bids,
        (),
        state.tricks,
    )
