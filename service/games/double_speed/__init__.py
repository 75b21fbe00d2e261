"""double, the race: no turns, every card must meet the top of one common pile with both halves."""

from service.games.double_speed.commands import Command, Deal, Draw, PlayCard, Reason, Unblock
from service.games.double_speed.dealing import chance, redeal
from service.games.double_speed.decide import decide, legal
from service.games.double_speed.default import default
from service.games.double_speed.events import (
    CardPlayed,
    CardsDrawn,
    Dealt,
    Event,
    Reopened,
    RoundEnded,
    Unblocked,
    see,
)
from service.games.double_speed.evolve import evolve
from service.games.double_speed.options import SEATS, Options
from service.games.double_speed.score import so_far, standings
from service.games.double_speed.state import Phase, State, start
from service.games.double_speed.view import View, project
from service.kit.game import Game


def to_act(state: State) -> tuple[int, ...]:
    """Return all seats while they race: which of them can do something is their secret."""
    return tuple(range(1, state.setup.seats + 1)) if state.phase is Phase.RACE else ()


GAME: Game[State, Command, Event, View, Options] = Game(
    name="double_speed",
    title="double, the race",
    rules="double_speed/1",
    seats=SEATS,
    options=Options,
    commands=(PlayCard, Draw, Unblock, Deal),
    events=(Dealt, CardPlayed, CardsDrawn, Unblocked, Reopened, RoundEnded),
    view=View,
    reason=Reason,
    private=(Deal, Dealt, CardsDrawn),
    start=start,
    decide=decide,
    evolve=evolve,
    project=project,
    see=see,
    legal=legal,
    chance=chance,
    redeal=redeal,
    to_act=to_act,
    default=default,
    so_far=so_far,
    standings=standings,
    races=True,
)
