"""Doppelkopf: two unknown parties, by the sheet's rules or the tournament's."""

from service.games.doppelkopf.commands import Announce, Command, Deal, Name, PlayCard, Reason, Redeal, Reserve
from service.games.doppelkopf.dealing import chance
from service.games.doppelkopf.decide import decide, legal
from service.games.doppelkopf.default import default
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
    see,
)
from service.games.doppelkopf.evolve import evolve
from service.games.doppelkopf.options import SEATS, Options
from service.games.doppelkopf.redealing import redeal
from service.games.doppelkopf.score import so_far, standings
from service.games.doppelkopf.state import State, start
from service.games.doppelkopf.view import View, project
from service.kit.game import Game


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat that must speak, name or play. Others may announce, but nobody waits for that."""
    return (state.turn,) if state.turn else ()


GAME: Game[State, Command, Event, View, Options] = Game(
    name="doppelkopf",
    title="Doppelkopf",
    rules="doppelkopf/1",
    seats=SEATS,
    options=Options,
    commands=(Reserve, Name, Announce, PlayCard, Deal, Redeal),
    events=(
        Dealt,
        Reserved,
        Named,
        ContractMade,
        Announced,
        CardPlayed,
        TrickWon,
        MarriageResolved,
        DealScored,
        PotShared,
        Redealt,
    ),
    view=View,
    reason=Reason,
    private=(Deal, Dealt, Name, Named, Redeal, Redealt),
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
