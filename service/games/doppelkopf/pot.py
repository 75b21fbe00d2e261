"""Pot: what a deal is worth in money, and who pays it."""

from collections.abc import Iterable

from service.games.doppelkopf.cards import CLUB_QUEEN
from service.games.doppelkopf.contract import Contract, Party
from service.games.doppelkopf.events import Camp, Factors, Merit, Premium
from service.games.doppelkopf.options import Options
from service.games.doppelkopf.outcome import won_by
from service.games.doppelkopf.parties import Parties
from service.games.doppelkopf.state import State

SCHNEIDER = 30
_BY_QUEENS = (Contract.NORMAL, Contract.MARRIAGE)  # where the queens of clubs make a seat Re


def factors_of(
    options: Options, contract: Contract, camps: dict[Party, Camp], winner: Party, *, black: bool
) -> Factors:
    """Return what is multiplied to the amount of each winner. Every announcement doubles it."""
    loser = camps[winner.other]
    grade = 3 if black or loser.tricks == 0 else 2 if loser.eyes < SCHNEIDER else 1
    side = 1
    if winner is Party.KONTRA:
        side = 2 if contract in _BY_QUEENS else options.solo_loss_side
    return Factors(options.base_amount, grade, side, 2 ** sum(camp.level for camp in camps.values()))


def amount_of(factors: Factors) -> int:
    """Return what each winner gets."""
    return factors.base * factors.grade * factors.side * factors.announced


def black_but_for_queens(state: State, contract: Contract) -> bool:
    """Whether Re won with nothing but queens of clubs, in a game that these decide."""
    won = [trick for trick in state.tricks if state.sides.parties[trick.winner - 1] is Party.RE]
    return contract in _BY_QUEENS and all(won_by(trick) is CLUB_QUEEN for trick in won)


def premiums_of(options: Options, earned: Iterable[tuple[int, Merit]]) -> tuple[Premium, ...]:
    """Return what the pot pays for single tricks."""
    return tuple(
        Premium(seat, merit, options.base_amount * (options.fox_premium if merit is Merit.FOX else options.premium))
        for seat, merit in earned
    )


def from_pot(parties: Parties, winner: Party, amount: int) -> list[int]:
    """Return what the pot pays each seat in a game of two against two."""
    return [amount if party is winner else 0 for party in parties]


def from_pockets(parties: Parties, winner: Party, amount: int) -> list[int]:
    """Return what each seat gets, or pays, where one plays alone."""
    sign = 1 if winner is Party.RE else -1
    change = {Party.RE: 3 * sign * amount, Party.KONTRA: -sign * amount, None: 0}
    return [change[party] for party in parties]


def antes_due(pot: int, payment: int, all_antes: int) -> int:
    """Return how often everybody must pay into the pot before it can make the payment."""
    return max(0, -((pot - payment) // all_antes))
