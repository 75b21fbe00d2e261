"""Score: who has won a round, and who the match."""

from collections.abc import Sequence

from service.games.double_speed.events import RoundEnded
from service.games.double_speed.options import Match, Options
from service.games.double_speed.state import Phase, State
from service.kit.game import Standing
from service.kit.standing import ranked


def has_won(state: State, seat: int) -> bool:
    """Whether the seat has nothing left but one card in its hand."""
    return not state.stacks[seat - 1] and len(state.hands[seat - 1]) == 1


def won(state: State, seat: int) -> RoundEnded:
    """Return the round as won by a seat."""
    return RoundEnded((seat,), stalemate=False, left=_left(state))


def stalemate(state: State) -> RoundEnded:
    """Return the round as won by all who have the fewest cards left."""
    left = _left(state)
    fewest = min(left)
    return RoundEnded(tuple(seat for seat, cards in enumerate(left, 1) if cards == fewest), stalemate=True, left=left)


def wins(sheet: Sequence[RoundEnded], seats: int) -> tuple[int, ...]:
    """Return how many rounds each seat has won; a stalemate may have several winners."""
    return tuple(sum(seat in ended.winners for ended in sheet) for seat in range(1, seats + 1))


def match_over(options: Options, sheet: Sequence[RoundEnded], seats: int) -> bool:
    """Whether it is decided who wins: best of so many rounds ends once nobody can catch up with the leader."""
    second, leader = sorted(wins(sheet, seats))[-2:]
    if options.match is Match.FIRST_TO:
        return leader >= options.rounds
    left = options.rounds - len(sheet)
    return left == 0 or leader - second > left


def so_far(state: State) -> tuple[Standing, ...]:
    """Return the standing now: most rounds won; in a race, as in a stalemate, then the fewest cards left."""
    scores = wins(state.sheet, state.setup.seats)
    if state.phase is not Phase.RACE:
        return ranked(scores, scores)
    return ranked(scores, [(won, -left) for won, left in zip(scores, _left(state), strict=True)])


def standings(state: State) -> tuple[Standing, ...]:
    """Return the final standing."""
    return so_far(state) if state.phase is Phase.OVER else ()


def _left(state: State) -> tuple[int, ...]:
    return tuple(len(hand) + len(stack) for hand, stack in zip(state.hands, state.stacks, strict=True))
