"""View: what one seat, or a spectator, may see. It is built by adding what may be seen."""

from dataclasses import dataclass

from service.games.romme10.cards import Card
from service.games.romme10.commands import Reason
from service.games.romme10.contracts import Contract
from service.games.romme10.decide import why_no_meld
from service.games.romme10.discarding import why_not_discarded
from service.games.romme10.events import LotsDrawn, RoundScored
from service.games.romme10.groups import Group
from service.games.romme10.options import DiscardVisibility
from service.games.romme10.piles import DISCARDS, Pile
from service.games.romme10.state import Phase, State


@dataclass(frozen=True, slots=True)
class Player:
    """One player as everybody sees it."""

    seat: int
    total: int
    cards: int
    laid: bool  # whether its contract is on the table
    bought: int  # cards in this round
    taken: tuple[Card, ...]  # from discard piles in this round


@dataclass(frozen=True, slots=True)
class ShownPile:
    """A pile as everybody sees it."""

    pile: Pile
    size: int
    shown: tuple[Card, ...]  # the top one last


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in hand, and why it may not be discarded now."""

    card: Card
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may see of the table."""

    phase: Phase
    round: int
    contracts: tuple[Contract, ...]
    contract_number: int
    contract: Contract | None
    dealer: int
    turn: int
    can_buy: int
    announced: int | None
    to_draw: int
    piles: tuple[ShownPile, ...]
    groups: tuple[Group, ...]
    last_groups: tuple[Group, ...]
    players: tuple[Player, ...]
    hand: tuple[HandCard, ...]
    reshuffles: int
    lots: tuple[LotsDrawn, ...]
    sheet: tuple[RoundScored, ...]
    idle_turns: int


def project(state: State, seat: int | None) -> View:
    """Return what the seat, or a spectator, may see."""
    board, now = state.setup.board, state.round
    return View(
        phase=state.phase,
        round=now.place,
        contracts=tuple(board.contracts[number - 1] for number in board.rounds),
        contract_number=now.number,
        contract=now.contract,
        dealer=now.dealer,
        turn=state.acting,
        can_buy=state.can_buy,
        announced=state.now.announced,
        to_draw=state.now.left if state.phase in (Phase.DRAW, Phase.BUY) else 0,
        piles=tuple(_pile(state, pile) for pile in Pile),
        groups=state.table,
        last_groups=() if state.table else now.groups_before,
        players=tuple(_player(state, place) for place in range(1, state.setup.seats + 1)),
        hand=_hand(state, seat) if seat else (),
        reshuffles=state.reshuffles,
        lots=state.lots,
        sheet=state.sheet,
        idle_turns=state.idle,
    )


def _pile(state: State, pile: Pile) -> ShownPile:
    cards = state.piles[pile.value]
    shown = cards if state.setup.options.discard_visibility is DiscardVisibility.ALL else cards[-1:]
    return ShownPile(pile, len(cards), shown if pile in DISCARDS else ())


def _player(state: State, seat: int) -> Player:
    return Player(
        seat=seat,
        total=state.totals[seat - 1],
        cards=len(state.hands[seat - 1]),
        laid=state.has_laid(seat),
        bought=state.bought[seat - 1],
        taken=state.taken[seat - 1],
    )


def _hand(state: State, seat: int) -> tuple[HandCard, ...]:
    waiting = why_no_meld(state, seat)
    return tuple(HandCard(card, waiting or why_not_discarded(state, seat, card)) for card in state.hands[seat - 1])
