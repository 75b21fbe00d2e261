"""Score: what a round brings, and who has won."""

from service.games.romme10.cards import points_of
from service.games.romme10.events import RoundScored, SeatScore
from service.games.romme10.state import Phase, State
from service.kit.game import Standing
from service.kit.standing import ranked


def settle(state: State, winner: int, *, bonus: bool) -> RoundScored:
    """Score a round: for the winner what lies before him, for all what they bought."""
    options = state.setup.options
    points = sum(points_of(laid.card for laid in group.cards) for group in state.table if group.owner == winner)
    extra = options.bonus if bonus else 0
    scores = []
    for seat, (bought, total) in enumerate(zip(state.bought, state.totals, strict=True), start=1):
        change = (points + extra if seat == winner else 0) - bought * options.buy_cost
        scores.append(SeatScore(bought, change, total + change))
    return RoundScored(winner, points, extra, tuple(scores))


def so_far(state: State) -> tuple[Standing, ...]:
    """Return the standing now: who has most; equals share the place."""
    return ranked(state.totals, state.totals)


def standings(state: State) -> tuple[Standing, ...]:
    """Return the final standing."""
    return so_far(state) if state.phase is Phase.OVER else ()
