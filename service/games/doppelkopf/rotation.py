"""Rotation: who deals, who plays, and whose mandatory solo is due."""

from service.games.doppelkopf.cards import SEATS_PLAYING
from service.games.doppelkopf.contract import Contract
from service.games.doppelkopf.state import State
from service.kit.seats import next_seat


def playing(dealer: int, seats: int) -> tuple[int, ...]:
    """Return the four seats left of the dealer; at a table of four the dealer is the last of them."""
    return tuple((dealer + place) % seats + 1 for place in range(SEATS_PLAYING))


def next_dealer(state: State) -> int:
    """Return the seat that deals next; 0 for one by lot. Where a solo is due, one who owes it must be playing."""
    dealing, made, seats = state.dealing, state.bidding.made, state.setup.seats
    if made is None:
        return state.setup.options.first_dealer
    again = made.contract is Contract.MANDATORY_SOLO and not dealing.soloist
    dealer = dealing.dealer if again else next_seat(dealing.dealer, seats)
    while solos_are_due(state) and not soloist(state, dealer):
        dealer = next_seat(dealer, seats)
    return dealer


def soloist(state: State, dealer: int) -> int:
    """Return the seat whose mandatory solo is due when this one deals; 0 for none."""
    if not solos_are_due(state):
        return 0
    owing = (seat for seat in playing(dealer, state.setup.seats) if state.session.owed[seat - 1])
    return next(owing, 0)


def solos_are_due(state: State) -> bool:
    """Whether only as many deals are left as mandatory solos."""
    return 0 < sum(state.session.owed) == state.setup.options.deals - state.dealing.number
