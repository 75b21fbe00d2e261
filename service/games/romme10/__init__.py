"""ROMMÉ 10: contract rummy, ten rounds with a contract each."""

from service.games.romme10.commands import (
    AnnounceBuy,
    Command,
    Deal,
    Discard,
    Draw,
    DrawLots,
    LayContract,
    LayOff,
    Reason,
    Redeal,
    Reshuffle,
    SwapJoker,
)
from service.games.romme10.dealing import chance
from service.games.romme10.decide import decide, legal
from service.games.romme10.default import default
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
    see,
)
from service.games.romme10.evolve import evolve
from service.games.romme10.options import SEATS, Options
from service.games.romme10.redealing import redeal
from service.games.romme10.score import so_far, standings
from service.games.romme10.state import State, start
from service.games.romme10.view import View, project
from service.kit.game import Game


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat that must draw, or lay down and discard."""
    return (state.acting,) if state.acting else ()


GAME: Game[State, Command, Event, View, Options] = Game(
    name="romme10",
    title="ROMMÉ 10",
    rules="romme10/1",
    seats=SEATS,
    options=Options,
    commands=(AnnounceBuy, Draw, LayContract, LayOff, SwapJoker, Discard, DrawLots, Deal, Reshuffle, Redeal),
    events=(
        LotsDrawn,
        Dealt,
        BuyAnnounced,
        CardDrawn,
        CardTaken,
        ContractLaid,
        CardLaidOff,
        JokerSwapped,
        CardDiscarded,
        Reshuffled,
        RoundScored,
        Redealt,
    ),
    view=View,
    reason=Reason,
    private=(Deal, Dealt, CardDrawn, Reshuffle, Reshuffled, Redeal, Redealt),
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
)
