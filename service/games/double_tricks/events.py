"""Events: what happened, and what of it a seat may see."""

from dataclasses import dataclass

from service.games.double_tricks.cards import Card, Motif, Suit


@dataclass(frozen=True, slots=True)
class Hand:
    """Some cards of one seat."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round was dealt and its trump turned up."""

    round: int
    dealer: int
    hand_size: int
    turn_up: Card
    trump: Suit | None
    hands: tuple[Hand, ...]
    stock: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat said how many tricks it will make."""

    seat: int
    tricks: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played."""

    seat: int
    card: Card
    motif: Motif


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick was won by a seat, which leads the next."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """What one round brought one seat. The stake counts in `change` only when it is lost."""

    bid: int
    tricks: int
    change: int
    points: int


@dataclass(frozen=True, slots=True)
class RoundScored:
    """A round was scored."""

    scores: tuple[SeatScore, ...]


Event = Dealt | BidMade | CardPlayed | TrickWon | RoundScored

_UNSEEN = Hand(())


def see(event: Event, seat: int | None) -> Event:
    """Show a seat its own hand and no other; show a spectator none."""
    if not isinstance(event, Dealt):
        return event
    hands = tuple(hand if owner == seat else _UNSEEN for owner, hand in enumerate(event.hands, start=1))
    return Dealt(event.round, event.dealer, event.hand_size, event.turn_up, event.trump, hands, ())
