"""Score: what a deal brings everybody, and who has won."""

from service.games.doppelkopf.contract import Party
from service.games.doppelkopf.events import (
    Camp,
    ContractMade,
    DealScored,
    Factors,
    Point,
    PotShared,
    Premium,
    SeatScore,
)
from service.games.doppelkopf.outcome import camp_of, earned, winner_of
from service.games.doppelkopf.points import changes, points_of, special_points, value_of
from service.games.doppelkopf.pot import (
    amount_of,
    antes_due,
    black_but_for_queens,
    factors_of,
    from_pockets,
    from_pot,
    premiums_of,
)
from service.games.doppelkopf.rules import Settlement
from service.games.doppelkopf.state import Phase, State
from service.kit.game import Standing
from service.kit.standing import ranked


def settle(state: State) -> tuple[DealScored | PotShared, ...]:
    """Score the deal, and after the last one share the pot."""
    camps = {party: camp_of(state, party) for party in Party}
    winner = winner_of(camps[Party.RE], camps[Party.KONTRA], state.setup.rules.tie_120)
    if state.setup.rules.settlement is Settlement.POINTS:
        return (_in_points(state, camps, winner),)
    scored = _in_money(state, camps, winner)
    return (scored, *_share(state, scored))


def so_far(state: State) -> tuple[Standing, ...]:
    """Return the standing now: who has most; equals share the place."""
    return ranked(state.session.totals, state.session.totals)


def standings(state: State) -> tuple[Standing, ...]:
    """Return the final standing."""
    return so_far(state) if state.phase is Phase.OVER else ()


def _in_points(state: State, camps: dict[Party, Camp], winner: Party | None) -> DealScored:
    parties = state.sides.parties
    points = points_of(camps[Party.RE], camps[Party.KONTRA], winner)
    if not _alone(state):
        points = (*points, *special_points(earned(state), parties, winner))
    value = value_of(points)
    return _scored(state, camps, winner, changes(value, parties), points=points, value=value)


def _in_money(state: State, camps: dict[Party, Camp], winner: Party | None) -> DealScored:
    options, session, parties = state.setup.options, state.session, state.sides.parties
    factors, paid, pockets = None, [0] * len(parties), [0] * len(parties)
    if winner is not None:
        contract = _made(state).contract
        factors = factors_of(
            options, contract, camps, winner, black=winner is Party.KONTRA and black_but_for_queens(state, contract)
        )
        if _alone(state):
            pockets = from_pockets(parties, winner, amount_of(factors))
        else:
            paid = from_pot(parties, winner, amount_of(factors))
    premiums = premiums_of(options, earned(state))
    for premium in premiums:
        paid[premium.seat - 1] += premium.amount
    antes = antes_due(session.pot, sum(paid), options.ante * len(parties))
    pot = session.pot + antes * options.ante * len(parties) - sum(paid)
    change = [got + pocket - antes * options.ante for got, pocket in zip(paid, pockets, strict=True)]
    return _scored(state, camps, winner, change, factors=factors, premiums=premiums, antes=antes, pot=pot)


def _scored(  # noqa: PLR0913 -- each settlement has lines of its own
    state: State,
    camps: dict[Party, Camp],
    winner: Party | None,
    change: list[int],
    *,
    points: tuple[Point, ...] = (),
    value: int = 0,
    factors: Factors | None = None,
    premiums: tuple[Premium, ...] = (),
    antes: int = 0,
    pot: int = 0,
) -> DealScored:
    made = _made(state)
    columns = zip(state.sides.parties, change, state.session.totals, strict=True)
    return DealScored(
        contract=made.contract,
        seat=made.seat,
        winner=winner,
        re=camps[Party.RE],
        kontra=camps[Party.KONTRA],
        points=points,
        value=value,
        factors=factors,
        premiums=premiums,
        antes=antes,
        pot=pot,
        scores=tuple(SeatScore(party, got, total + got) for party, got, total in columns),
    )


def _share(state: State, scored: DealScored) -> tuple[PotShared, ...]:
    if state.dealing.number < state.setup.options.deals:
        return ()
    share, rest = divmod(scored.pot, state.setup.seats)
    return (PotShared(share, rest, tuple(score.total + share for score in scored.scores)),)


def _alone(state: State) -> bool:
    return state.sides.parties.count(Party.RE) == 1


def _made(state: State) -> ContractMade:
    assert state.bidding.made is not None, "a deal is scored once it is played"
    return state.bidding.made
