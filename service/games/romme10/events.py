"""Events: what happened, and what of it a seat may see."""

from dataclasses import dataclass, replace

from service.games.romme10.cards import Card, Cards
from service.games.romme10.groups import End, Group
from service.games.romme10.piles import Pile


@dataclass(frozen=True, slots=True)
class Lot:
    """The card that a seat drew for the first deal."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class LotsDrawn:
    """Seats drew for the first deal; those with the highest card draw again, until one is left."""

    lots: tuple[Lot, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards were dealt, and the first discards turned up."""

    round: int
    dealer: int
    hands: tuple[Cards, ...]
    stocks: tuple[Cards, ...]
    discards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BuyAnnounced:
    """A seat announced how many cards it buys."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew from a draw pile; only the seat itself sees the card."""

    seat: int
    pile: Pile
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardTaken:
    """A seat took the top of a discard pile."""

    seat: int
    pile: Pile
    card: Card


@dataclass(frozen=True, slots=True)
class ContractLaid:
    """A seat laid down its contract."""

    seat: int
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class CardLaidOff:
    """A seat laid off a card on a group."""

    seat: int
    group: int
    card: Card
    end: End | None


@dataclass(frozen=True, slots=True)
class JokerSwapped:
    """A seat put the right card in the place of a joker, which went to an end of the same group."""

    seat: int
    group: int
    position: int
    card: Card
    end: End | None


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """A seat discarded a card."""

    seat: int
    pile: Pile
    card: Card


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The discards below the tops became new draw piles: the cards as shuffled, the top one first."""

    cards: tuple[Card, ...]  # not by pile: where the jokers lie must not show in how long this is


@dataclass(frozen=True, slots=True)
class SeatScore:
    """What a round brought one seat."""

    bought: int  # cards
    change: int
    total: int


@dataclass(frozen=True, slots=True)
class RoundScored:
    """A round was scored."""

    winner: int  # 0 where nobody went out
    points: int  # of the cards in the winner's groups
    bonus: int
    scores: tuple[SeatScore, ...]


@dataclass(frozen=True, slots=True)
class Redealt:
    """In a fork, the cards that nobody but their holder had seen were dealt anew."""

    hands: tuple[Cards, ...]
    stocks: tuple[Cards, ...]


Event = (
    LotsDrawn
    | Dealt
    | BuyAnnounced
    | CardDrawn
    | CardTaken
    | ContractLaid
    | CardLaidOff
    | JokerSwapped
    | CardDiscarded
    | Reshuffled
    | RoundScored
    | Redealt
)

_UNSEEN = Cards(())


def see(event: Event, seat: int | None) -> Event | None:
    """Show a seat its own hand and what it draws, and nobody the draw piles."""
    match event:
        case Dealt() | Redealt():
            hands = tuple(hand if owner == seat else _UNSEEN for owner, hand in enumerate(event.hands, start=1))
            return replace(event, hands=hands, stocks=(_UNSEEN,) * len(event.stocks))
        case Reshuffled():
            return Reshuffled(())
        case CardDrawn():
            return event if event.seat == seat else CardDrawn(event.seat, event.pile, None)
        case _:
            return event
