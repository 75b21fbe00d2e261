"""View: what one seat, or a spectator, may see. It is built by adding what may be seen."""

from dataclasses import dataclass

from service.games.doppelkopf.cards import Card
from service.games.doppelkopf.commands import Answer, Reason
from service.games.doppelkopf.contract import Party
from service.games.doppelkopf.decide import why_no_card, why_not_card
from service.games.doppelkopf.events import Announced, CardPlayed, ContractMade, DealScored, Named
from service.games.doppelkopf.state import Phase, State, Trick


@dataclass(frozen=True, slots=True)
class Player:
    """One player as everybody sees it."""

    seat: int
    playing: bool  # whether it does not sit out
    total: int
    mandatory_solos: int  # left to play
    answer: Answer | None
    party: Party | None  # as far as everybody knows
    cards: int
    tricks: int
    eyes: int | None  # where the options show them


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in hand, and why it may not be played now."""

    card: Card
    trump: bool
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may see of the table."""

    phase: Phase
    deal: int
    deals: int
    dealer: int
    turn: int
    due: int
    made: ContractMade | None
    players: tuple[Player, ...]
    announcements: tuple[Announced, ...]
    trick: tuple[CardPlayed, ...]
    last_trick: Trick | None
    hand: tuple[HandCard, ...]
    party: Party | None
    named: Named | None
    sheet: tuple[DealScored, ...]
    pot: int


def project(state: State, seat: int | None) -> View:
    """Return what the seat, or a spectator, may see."""
    dealing = state.dealing
    return View(
        phase=state.phase,
        deal=dealing.number,
        deals=state.setup.options.deals,
        dealer=dealing.dealer,
        turn=state.turn,
        due=dealing.soloist,
        made=state.bidding.made,
        players=tuple(_player(state, place) for place in range(1, state.setup.seats + 1)),
        announcements=state.sides.calls,
        trick=state.trick,
        last_trick=state.tricks[-1] if state.tricks else dealing.trick_before,
        hand=_hand(state, seat) if seat else (),
        party=state.sides.parties[seat - 1] if seat else None,
        named=next((named for named in state.bidding.named if named.seat == seat), None),
        sheet=state.session.sheet,
        pot=state.session.pot,
    )


def _player(state: State, seat: int) -> Player:
    won = [trick for trick in state.tricks if trick.winner == seat]
    return Player(
        seat=seat,
        playing=seat in state.dealing.playing,
        total=state.session.totals[seat - 1],
        mandatory_solos=state.session.owed[seat - 1],
        answer=state.bidding.answers[seat - 1],
        party=state.sides.known[seat - 1],
        cards=len(state.hands[seat - 1]),
        tricks=len(won),
        eyes=sum(trick.eyes for trick in won) if state.setup.options.show_eyes_during_play else None,
    )


def _hand(state: State, seat: int) -> tuple[HandCard, ...]:
    trumps, waiting = state.bidding.order.trumps, why_no_card(state, seat)
    return tuple(
        HandCard(card, card in trumps, waiting or why_not_card(state, seat, card)) for card in state.hands[seat - 1]
    )
