"""Events: what happened, and what of it a seat may see."""

from dataclasses import dataclass
from typing import assert_never

from service.games.double_speed.cards import Card


@dataclass(frozen=True, slots=True)
class Packet:
    """Some cards of one seat, the top one first."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round was dealt, and the first card turned up from the starter's stack."""

    round: int
    starter: int
    top: Card
    hands: tuple[Packet, ...]
    stacks: tuple[Packet, ...]
    box: tuple[Card, ...]  # what could not be shared out


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played on the pile."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat drew from its stack."""

    seat: int
    count: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Unblocked:
    """The pile's bottom card became its top."""

    seat: int  # who said that nobody can go on; 0 where nobody had to
    card: Card


@dataclass(frozen=True, slots=True)
class Reopened:
    """The pile's bottom card went under a seat's stack, and the top of that stack onto the pile."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round was won, or came to a stalemate."""

    winners: tuple[int, ...]
    stalemate: bool
    left: tuple[int, ...]  # cards of each seat, hand and stack together


Event = Dealt | CardPlayed | CardsDrawn | Unblocked | Reopened | RoundEnded

_UNSEEN = Packet(())


def see(event: Event, seat: int | None) -> Event:
    """Show a seat its own hand and what it draws itself; nobody sees a stack, nor the box."""
    match event:
        case CardsDrawn():
            return event if seat == event.seat else CardsDrawn(event.seat, event.count, ())
        case Dealt():
            hands = tuple(hand if owner == seat else _UNSEEN for owner, hand in enumerate(event.hands, start=1))
            return Dealt(event.round, event.starter, event.top, hands, (), ())
        case CardPlayed() | Unblocked() | Reopened() | RoundEnded():
            return event
        case unknown:
            assert_never(unknown)
