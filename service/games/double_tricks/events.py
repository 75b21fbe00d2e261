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


@dataclass(frozen=True, slots=True)
class Redealt:
    """In a fork, the cards that nobody but their holder had seen were dealt anew."""

    hands: tuple[Hand, ...]
    stock: tuple[Card, ...]


Event = Dealt | BidMade | CardPlayed | TrickWon | RoundScored | Redealt

_UNSEEN = Hand(())


def see(event: Event, seat: int | None) -> Event:
    """Show a seat its own hand and no other; show a spectator none."""
    match event:
        case Dealt():
            hands = _own(event.hands, seat)
            return Dealt(event.round, event.dealer, event.hand_size, event.turn_up, event.trump, hands, ())
        case Redealt():
            return Redealt(_own(event.hands, seat), ())
        case _:
            return event


def _own(hands: tuple[Hand, ...], seat: int | None) -> tuple[Hand, ...]:
    return tuple(hand if owner == seat else _UNSEEN for owner, hand in enumerate(hands, start=1))
