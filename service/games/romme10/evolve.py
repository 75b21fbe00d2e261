"""Evolve: the state after an event. It refuses nothing."""

from collections.abc import Iterable
from typing import assert_never

from service.games.romme10.cards import Card, in_order
from service.games.romme10.drawing import drawing
from service.games.romme10.events import (
    BuyAnnounced,
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    CardTaken,
    ContractLaid,
    Dealt,
    Event,
    JokerSwapped,
    LotsDrawn,
    Redealt,
    Reshuffled,
    RoundScored,
)
from service.games.romme10.groups import Group, extended, swapped
from service.games.romme10.piles import DISCARDS, halves
from service.games.romme10.state import Phase, Round, State, Turn
from service.kit.seats import next_seat
from service.kit.tuples import with_item, without


def evolve(state: State, event: Event) -> State:  # noqa: PLR0911, C901 -- one line an event
    """Return the state after the event."""
    match event:
        case CardDrawn() | CardTaken():
            return _drawn(state, event)
        case CardDiscarded():
            return _discarded(state, event)
        case CardLaidOff():
            group = extended(state.table[event.group - 1], event.card, event.seat, event.end)
            return _used(state, event.seat, (event.card,), (group,))
        case JokerSwapped():
            group = swapped(state.table[event.group - 1], event.position, event.card, event.seat, event.end)
            return _used(state, event.seat, (event.card,), (group,))
        case ContractLaid():
            return _contract_laid(state, event)
        case BuyAnnounced():
            return state._replace(now=state.now._replace(announced=event.cards))
        case Reshuffled():
            return _reshuffled(state, event)
        case Dealt():
            return _dealt(state, event)
        case Redealt():
            stocks, hands = (stock.cards for stock in event.stocks), (hand.cards for hand in event.hands)
            return state._replace(hands=tuple(hands), piles=(*stocks, *state.piles[len(event.stocks) :]))
        case LotsDrawn():
            return _lots_drawn(state, event)
        case RoundScored():
            return _round_scored(state, event)
        case unknown:
            assert_never(unknown)


def _drawn(state: State, event: CardDrawn | CardTaken) -> State:
    """Move the top card of the pile to the hand; what is more than one in a turn has been bought."""
    place, seat, now = event.pile.value, event.seat, state.now
    *rest, card = state.piles[place]
    bought, taken = state.bought, state.taken
    if now.drawn:
        bought = with_item(bought, seat - 1, bought[seat - 1] + 1)
    if isinstance(event, CardTaken):
        taken = with_item(taken, seat - 1, (*taken[seat - 1], card))
        now = now._replace(taken=(*now.taken, card))
    return drawing(
        state._replace(
            now=now._replace(drawn=now.drawn + 1),
            hands=with_item(state.hands, seat - 1, in_order((*state.hands[seat - 1], card))),
            piles=with_item(state.piles, place, tuple(rest)),
            bought=bought,
            taken=taken,
        )
    )


def _discarded(state: State, event: CardDiscarded) -> State:
    place, seat, hands = event.pile.value, event.seat, state.hands
    return drawing(
        state._replace(
            turn=next_seat(seat, state.setup.seats),
            now=Turn(),
            hands=with_item(hands, seat - 1, without(hands[seat - 1], event.card)),
            piles=with_item(state.piles, place, (*state.piles[place], event.card)),
            idle=state.idle + 1 if state.now.idle else 0,
        )
    )


def _contract_laid(state: State, event: ContractLaid) -> State:
    after = _used(state, event.seat, [laid.card for group in event.groups for laid in group.cards], event.groups)
    return after._replace(now=after.now._replace(laid=True))


def _used(state: State, seat: int, cards: Iterable[Card], groups: Iterable[Group]) -> State:
    """Move cards from the hand to the table, where groups are new or have changed; just taken ones first."""
    hand, taken, table = state.hands[seat - 1], state.now.taken, list(state.table)
    for card in cards:
        hand = without(hand, card)
        taken = without(taken, card) if card in taken else taken
    for group in groups:
        table[group.number - 1 : group.number] = [group]
    return state._replace(
        hands=with_item(state.hands, seat - 1, hand),
        table=tuple(table),
        now=state.now._replace(taken=taken, idle=False),
        idle=0,
    )


def _reshuffled(state: State, event: Reshuffled) -> State:
    tops = (state.piles[pile.value][-1:] for pile in DISCARDS)
    return drawing(state._replace(piles=(*halves(event.cards), *tops), reshuffles=state.reshuffles + 1))


def _lots_drawn(state: State, event: LotsDrawn) -> State:
    highest = max(lot.card.rank for lot in event.lots)
    alone = sum(lot.card.rank == highest for lot in event.lots) == 1
    return state._replace(lots=(*state.lots, event), phase=Phase.DEAL if alone else Phase.LOTS)


def _dealt(state: State, event: Dealt) -> State:
    seats, board = state.setup.seats, state.setup.board
    number = board.rounds[event.round - 1]
    return state._replace(
        round=Round(event.round, number, board.contracts[number - 1], event.dealer, state.table),
        phase=Phase.DRAW,
        turn=next_seat(event.dealer, seats),
        now=Turn(),
        hands=tuple(hand.cards for hand in event.hands),
        piles=(*(stock.cards for stock in event.stocks), *((top,) for top in event.discards)),
        table=(),
        bought=(0,) * seats,
        taken=((),) * seats,
        reshuffles=0,
        idle=0,
    )


def _round_scored(state: State, event: RoundScored) -> State:
    rounds_left = state.round.place < len(state.setup.board.rounds)
    return state._replace(
        sheet=(*state.sheet, event),
        totals=tuple(score.total for score in event.scores),
        phase=Phase.DEAL if rounds_left else Phase.OVER,
        turn=0,
        now=Turn(),
    )
