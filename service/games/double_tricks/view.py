"""View: what one seat, or a spectator, may see. It is built by adding what may be seen."""

from dataclasses import dataclass

from service.games.double_tricks.cards import Card, Motif, Suit
from service.games.double_tricks.commands import PlayCard, Reason
from service.games.double_tricks.decide import legal, why_no_card
from service.games.double_tricks.events import CardPlayed, RoundScored
from service.games.double_tricks.score import bank_of
from service.games.double_tricks.state import Phase, State, Trick


@dataclass(frozen=True, slots=True)
class Player:
    """One player as everybody sees it."""

    seat: int
    points: int  # the stake not counted
    bid: int | None
    tricks: int
    cards: int


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in hand, the motifs it may be played with now, or why it may not be played."""

    card: Card
    playable: tuple[Motif, ...]
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may see of the table."""

    phase: Phase
    round: int
    rounds: int
    hand_size: int
    dealer: int
    turn: int
    turn_up: Card | None
    trump: Suit | None
    stock: int
    players: tuple[Player, ...]
    trick: tuple[CardPlayed, ...]
    last_trick: Trick | None
    history: tuple[Trick, ...]
    hand: tuple[HandCard, ...]
    sheet: tuple[RoundScored, ...]
    bank: int | None


def project(state: State, seat: int | None) -> View:
    """Return what the seat, or a spectator, may see."""
    options, now = state.setup.options, state.round
    return View(
        phase=state.phase,
        round=now.number,
        rounds=len(options.hand_sizes),
        hand_size=now.hand_size,
        dealer=now.dealer,
        turn=state.turn,
        turn_up=now.turn_up,
        trump=now.trump,
        stock=len(now.stock),
        players=_players(state),
        trick=state.trick,
        last_trick=state.tricks[-1] if state.tricks else now.trick_before,
        history=state.tricks if options.show_trick_history else (),
        hand=_hand(state, seat) if seat else (),
        sheet=state.sheet,
        bank=bank_of(state),
    )


def _players(state: State) -> tuple[Player, ...]:
    columns = zip(state.points, state.stakes, state.bids, state.made, state.hands, strict=True)
    return tuple(
        Player(seat, points - stake, bid, tricks, len(hand))
        for seat, (points, stake, bid, tricks, hand) in enumerate(columns, start=1)
    )


def _hand(state: State, seat: int) -> tuple[HandCard, ...]:
    hand = state.hands[seat - 1]
    if (reason := why_no_card(state, seat)) is not None:
        return tuple(HandCard(card, (), reason) for card in hand)
    plays = [command for command in legal(state, seat) if isinstance(command, PlayCard)]
    motifs = {card: tuple(play.motif for play in plays if play.card is card) for card in hand}
    return tuple(HandCard(card, motifs[card], None if motifs[card] else Reason.MUST_FOLLOW_SUIT) for card in hand)
