"""DOUBLE: tricks with two-motif cards, and bids on how many one will make."""

from service.games.double_tricks.commands import Bid, Command, Deal, PlayCard, Reason, Redeal
from service.games.double_tricks.decide import chance, decide, legal
from service.games.double_tricks.default import default
from service.games.double_tricks.events import BidMade, CardPlayed, Dealt, Event, Redealt, RoundScored, TrickWon, see
from service.games.double_tricks.evolve import evolve
from service.games.double_tricks.options import SEATS, Options
from service.games.double_tricks.redealing import redeal
from service.games.double_tricks.score import so_far, standings
from service.games.double_tricks.state import State, start
from service.games.double_tricks.view import View, project
from service.kit.game import Game


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat that must bid or play."""
    return (state.turn,) if state.turn else ()


GAME: Game[State, Command, Event, View, Options] = Game(
    name="double_tricks",
    title="DOUBLE",
    rules="double_tricks/1",
    seats=SEATS,
    options=Options,
    commands=(Bid, PlayCard, Deal, Redeal),
    events=(Dealt, BidMade, CardPlayed, TrickWon, RoundScored, Redealt),
    view=View,
    reason=Reason,
    private=(Deal, Dealt, Redeal, Redealt),
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
