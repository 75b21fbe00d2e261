"""Default: what the table does for a seat whose time has run out."""

from service.games.romme10.cards import JOKER
from service.games.romme10.commands import Discard, Draw
from service.games.romme10.decide import why_wait
from service.games.romme10.discarding import discards
from service.games.romme10.drawing import draws
from service.games.romme10.state import Phase, State


def default(state: State, seat: int) -> Draw | Discard | None:
    """Buy and lay nothing: draw, from a draw pile where there is one, and discard the card that counts most."""
    if why_wait(state, seat) is not None:
        return None
    if state.phase is not Phase.MELD:
        return draws(state)[0]
    return max(discards(state, seat), key=_count)


def _count(discard: Discard) -> int:
    """Return what the card counts; a joker nothing, as it would help whoever takes it most."""
    return 0 if discard.card is JOKER else discard.card.points
