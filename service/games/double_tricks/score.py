"""Score: what a round pays, and who has won."""

from collections.abc import Sequence

from service.games.double_tricks.events import SeatScore
from service.games.double_tricks.options import BOX, Bank, TieBreak
from service.games.double_tricks.state import Phase, State
from service.kit.game import Standing
from service.kit.seats import next_seat
from service.kit.standing import ranked


def settle(state: State, made: Sequence[int]) -> tuple[SeatScore, ...]:
    """Score the round: the bank first takes all lost stakes, then pays from the start player on."""
    options, seats, points = state.setup.options, state.setup.seats, state.points
    bids = state.stakes
    bank = BOX - sum(points) + sum(bid for bid, tricks in zip(bids, made, strict=True) if bid != tricks)
    changes = [-bid for bid in bids]
    seat = state.round.dealer
    for _ in range(seats):
        seat = next_seat(seat, seats)
        bid = bids[seat - 1]
        if bid == made[seat - 1]:
            due = options.exact_bonus + bid
            paid = min(due, bank) if options.bank is Bank.MATERIAL else due
            bank -= paid
            changes[seat - 1] = paid
    return tuple(
        SeatScore(bid, tricks, change, before + change)
        for bid, tricks, change, before in zip(bids, made, changes, points, strict=True)
    )


def bank_of(state: State) -> int | None:
    """Return what is left in the bank, where it is limited."""
    if state.setup.options.bank is Bank.UNLIMITED:
        return None
    return BOX - sum(state.points)


def so_far(state: State) -> tuple[Standing, ...]:
    """Return the standing now: most points, then by choice most exact rounds, then a shared place."""
    points = state.points
    if state.setup.options.tie_break is TieBreak.SHARED:
        return ranked(points, points)
    exact = [0] * len(points)
    for scored in state.sheet:
        exact = [before + (score.bid == score.tricks) for before, score in zip(exact, scored.scores, strict=True)]
    return ranked(points, list(zip(points, exact, strict=True)))


def standings(state: State) -> tuple[Standing, ...]:
    """Return the final standing."""
    return so_far(state) if state.phase is Phase.OVER else ()
