"""View: what one seat, or a spectator, may see. It is built by adding what may be seen."""

from dataclasses import dataclass

from service.games.double_speed.cards import Card
from service.games.double_speed.commands import Reason
from service.games.double_speed.deadlock import stuck
from service.games.double_speed.decide import why_not_card
from service.games.double_speed.events import CardPlayed, RoundEnded
from service.games.double_speed.score import wins
from service.games.double_speed.state import Phase, State


@dataclass(frozen=True, slots=True)
class Player:
    """One player as everybody sees it."""

    seat: int
    hand: int  # cards
    stack: int  # cards
    wins: int


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in hand, and why it may not be played now."""

    card: Card
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may see of the table."""

    phase: Phase
    round: int
    starter: int
    top: Card | None
    pile: int  # cards
    pile_version: int
    deadlock: bool
    last_play: CardPlayed | None
    players: tuple[Player, ...]
    hand: tuple[HandCard, ...]
    sheet: tuple[RoundEnded, ...]


def project(state: State, seat: int | None) -> View:
    """Return what the seat, or a spectator, may see."""
    pile = state.pile
    return View(
        phase=state.phase,
        round=state.round.number,
        starter=state.round.starter,
        top=pile.top if pile.cards else None,
        pile=len(pile.cards),
        pile_version=pile.version,
        deadlock=stuck(state),
        last_play=pile.last,
        players=_players(state),
        hand=tuple(HandCard(card, why_not_card(state, card)) for card in state.hands[seat - 1]) if seat else (),
        sheet=state.sheet,
    )


def _players(state: State) -> tuple[Player, ...]:
    columns = zip(state.hands, state.stacks, wins(state.sheet, state.setup.seats), strict=True)
    return tuple(Player(seat, len(hand), len(stack), won) for seat, (hand, stack, won) in enumerate(columns, start=1))
