"""Events: what happened, and what of it a seat may see."""

from dataclasses import dataclass
from enum import Enum

from service.games.doppelkopf.cards import Card
from service.games.doppelkopf.commands import Answer
from service.games.doppelkopf.contract import Announcement, Contract, MarriageMode, Party, Solo


@dataclass(frozen=True, slots=True)
class Hand:
    """Some cards of one seat."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards were dealt. A mandatory solo may be due: then nobody is asked for reservations."""

    deal: int
    dealer: int
    playing: tuple[int, ...]  # from forehand on
    soloist: int  # the seat whose mandatory solo is due, or 0
    hands: tuple[Hand, ...]


@dataclass(frozen=True, slots=True)
class Reserved:
    """A seat said whether it has a reservation."""

    seat: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Named:
    """A seat named its reservation; only the seat itself sees this."""

    seat: int
    contract: Contract
    solo: Solo | None
    mode: MarriageMode | None


@dataclass(frozen=True, slots=True)
class ContractMade:
    """It is settled what is played, and by whom if not by the holders of the queens of clubs."""

    contract: Contract
    seat: int
    solo: Solo | None
    mode: MarriageMode | None


@dataclass(frozen=True, slots=True)
class Announced:
    """A seat announced something for its party, which is known from then on."""

    seat: int
    party: Party
    announcement: Announcement


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick was won by a seat, which leads the next."""

    seat: int


@dataclass(frozen=True, slots=True)
class MarriageResolved:
    """The holder of both queens of clubs found a partner, or plays alone."""

    seat: int
    partner: int  # 0 for none


@dataclass(frozen=True, slots=True)
class Camp:
    """What a party won and announced."""

    eyes: int
    tricks: int
    level: int  # 0 for nothing, 1 for its own name, then one more for each limit, skipped ones included


class Merit(Enum):
    """What a party, or a player, earns something for."""

    WON = "won"
    UNDER_90 = "the others are under 90"
    UNDER_60 = "the others are under 60"
    UNDER_30 = "the others are under 30"
    NO_TRICK = "the others have no trick"
    RE_ANNOUNCED = "Re announced"
    KONTRA_ANNOUNCED = "Kontra announced"
    LIMITS_ANNOUNCED = "limits announced"
    REACHED_120 = "120 against no 90"
    REACHED_90 = "90 against no 60"
    REACHED_60 = "60 against no 30"
    REACHED_30 = "30 against schwarz"
    AGAINST_RE = "won against the queens of clubs"
    DOPPELKOPF = "a trick of 40 eyes"
    FOX = "a fox caught"
    CHARLIE = "the last trick won with a jack of clubs"


@dataclass(frozen=True, slots=True)
class Point:
    """Points of a party."""

    party: Party
    merit: Merit
    points: int


@dataclass(frozen=True, slots=True)
class Factors:
    """What is multiplied to the amount that each winner gets."""

    base: int
    grade: int
    side: int
    announced: int


@dataclass(frozen=True, slots=True)
class Premium:
    """What the pot pays to one player."""

    seat: int
    merit: Merit
    amount: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """What one deal brought one seat."""

    party: Party | None  # None for one who sat out
    change: int
    total: int


@dataclass(frozen=True, slots=True)
class DealScored:
    """A deal was scored."""

    contract: Contract
    seat: int
    winner: Party | None
    re: Camp
    kontra: Camp
    points: tuple[Point, ...]
    value: int  # of the points, from Re's side
    factors: Factors | None
    premiums: tuple[Premium, ...]
    antes: int  # how often everybody had to fill the pot before it could pay
    pot: int
    scores: tuple[SeatScore, ...]


@dataclass(frozen=True, slots=True)
class PotShared:
    """The rest of the pot was shared at the end."""

    share: int  # of every seat
    rest: int  # that cannot be shared
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Redealt:
    """In a fork, the cards that nobody but their holders had seen were dealt anew."""

    hands: tuple[Hand, ...]


Event = (
    Dealt
    | Reserved
    | Named
    | ContractMade
    | Announced
    | CardPlayed
    | TrickWon
    | MarriageResolved
    | DealScored
    | PotShared
    | Redealt
)

_UNSEEN = Hand(())


def see(event: Event, seat: int | None) -> Event | None:
    """Show a seat its own hand and reservation, and no other's."""
    match event:
        case Dealt():
            return Dealt(event.deal, event.dealer, event.playing, event.soloist, _own(event.hands, seat))
        case Redealt():
            return Redealt(_own(event.hands, seat))
        case Named():
            return event if event.seat == seat else None
        case _:
            return event


def _own(hands: tuple[Hand, ...], seat: int | None) -> tuple[Hand, ...]:
    return tuple(hand if owner == seat else _UNSEEN for owner, hand in enumerate(hands, start=1))
