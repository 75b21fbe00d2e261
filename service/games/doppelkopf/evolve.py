"""Evolve: the state after an event. It refuses nothing."""

from dataclasses import replace
from typing import assert_never

from service.games.doppelkopf.announcing import said_with
from service.games.doppelkopf.commands import Answer
from service.games.doppelkopf.contract import Contract, Party, Solo
from service.games.doppelkopf.events import (
    Announced,
    CardPlayed,
    ContractMade,
    DealScored,
    Dealt,
    Event,
    MarriageResolved,
    Named,
    PotShared,
    Redealt,
    Reserved,
    TrickWon,
)
from service.games.doppelkopf.order import order_of
from service.games.doppelkopf.parties import divided, known_after, of_contract, revealed
from service.games.doppelkopf.state import Dealing, Phase, Session, State, Trick, no_bidding, no_sides
from service.kit.tuples import with_item, without


def evolve(state: State, event: Event) -> State:  # noqa: PLR0911, C901 -- one line an event
    """Return the state after the event."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case TrickWon():
            return _trick_won(state, event)
        case Announced():
            return _announced(state, event)
        case Dealt():
            return _dealt(state, event)
        case Reserved():
            return _reserved(state, event)
        case Named():
            return _named(state, event)
        case ContractMade():
            return _contract_made(state, event)
        case MarriageResolved():
            return _marriage_resolved(state, event)
        case DealScored():
            return _deal_scored(state, event)
        case Redealt():
            return _redealt(state, event)
        case PotShared():
            return state._replace(session=replace(state.session, totals=event.totals, pot=event.rest))
        case unknown:
            assert_never(unknown)


def next_player(state: State, seat: int) -> int:
    """Return the next seat clockwise that does not sit out."""
    playing = state.dealing.playing
    return playing[(playing.index(seat) + 1) % len(playing)]


def _dealt(state: State, event: Dealt) -> State:
    setup, before = state.setup, state.tricks[-1] if state.tricks else None
    return State(
        setup,
        state.session,
        Dealing(event.deal, event.dealer, event.playing, event.soloist, before),
        no_bidding(setup),
        no_sides(setup.seats),
        Phase.NAME if event.soloist else Phase.RESERVE,
        event.soloist or event.playing[0],
        tuple(hand.cards for hand in event.hands),
        (),
        (),
    )


def _redealt(state: State, event: Redealt) -> State:
    after, made = state._replace(hands=tuple(hand.cards for hand in event.hands)), state.bidding.made
    if made is None or made.contract is not Contract.NORMAL:
        return after
    return after._replace(sides=of_contract(after, made))  # the queens of clubs may have gone to others


def _reserved(state: State, event: Reserved) -> State:
    answers = with_item(state.bidding.answers, event.seat - 1, event.answer)
    bidding = state.bidding._replace(answers=answers)
    if event.seat != state.dealing.playing[-1]:
        return state._replace(bidding=bidding, turn=next_player(state, event.seat))
    return state._replace(bidding=bidding, phase=Phase.NAME, turn=_next_to_name(state, answers, 0))


def _named(state: State, event: Named) -> State:
    bidding = state.bidding._replace(named=(*state.bidding.named, event))
    return state._replace(bidding=bidding, turn=_next_to_name(state, bidding.answers, event.seat))


def _next_to_name(state: State, answers: tuple[Answer | None, ...], seat: int) -> int:
    """Return the next seat in turn that has a reservation; 0 if there is none."""
    playing = state.dealing.playing
    left = playing[playing.index(seat) + 1 :] if seat else playing
    return next((other for other in left if answers[other - 1] is Answer.RESERVATION), 0)


def _contract_made(state: State, event: ContractMade) -> State:
    order = order_of(event.solo or Solo.NORMAL, tollen=state.setup.rules.tollen)
    leads = event.seat if event.contract is Contract.MANDATORY_SOLO else state.dealing.playing[0]
    bidding = state.bidding._replace(made=event, order=order)
    return state._replace(bidding=bidding, sides=of_contract(state, event), phase=Phase.PLAY, turn=leads)


def _announced(state: State, event: Announced) -> State:
    said, known = said_with(state, event), revealed(state, state.sides.known, event.seat, event.party)
    sides = state.sides._replace(calls=(*state.sides.calls, event), known=known)
    return state._replace(sides=sides._replace(re=said) if event.party is Party.RE else sides._replace(kontra=said))


def _card_played(state: State, event: CardPlayed) -> State:
    seat, sides, made = event.seat, state.sides, state.bidding.made
    hands = with_item(state.hands, seat - 1, without(state.hands[seat - 1], event.card))
    if made is not None and made.contract is Contract.NORMAL:
        known = known_after(state, event, hands)
        if known is not sides.known:
            sides = sides._replace(known=known)
    return State(
        state.setup,
        state.session,
        state.dealing,
        state.bidding,
        sides,
        Phase.PLAY,
        next_player(state, seat),
        hands,
        (*state.trick, event),
        state.tricks,
    )


def _trick_won(state: State, event: TrickWon) -> State:
    return State(
        state.setup,
        state.session,
        state.dealing,
        state.bidding,
        state.sides,
        Phase.PLAY,
        event.seat,
        state.hands,
        (),
        (*state.tricks, Trick(state.trick, event.seat)),
    )


def _marriage_resolved(state: State, event: MarriageResolved) -> State:
    parties = divided((event.seat, event.partner), state.dealing.playing, state.setup.seats)
    return state._replace(sides=state.sides._replace(parties=parties, known=parties, resolved=len(state.tricks)))


def _deal_scored(state: State, event: DealScored) -> State:
    session, solo = state.session, event.contract is Contract.MANDATORY_SOLO
    owed = with_item(session.owed, event.seat - 1, session.owed[event.seat - 1] - 1) if solo else session.owed
    totals = tuple(score.total for score in event.scores)
    deals_left = state.dealing.number < state.setup.options.deals
    return state._replace(
        session=Session((*session.sheet, event), totals, event.pot, owed),
        sides=state.sides._replace(known=state.sides.parties),
        phase=Phase.DEAL if deals_left else Phase.OVER,
        turn=0,
    )
