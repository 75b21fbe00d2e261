"""Groups: the sets and runs on the table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from service.games.romme10.cards import HIGHEST, JOKER, LOWEST, Card, card_of
from service.games.romme10.runs import start_of


class Kind(Enum):
    """What a group is."""

    SET = "set"
    RUN = "run"


class End(Enum):
    """The two ends of a run."""

    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card of a group, and the seat that laid it."""

    card: Card
    seat: int
    stands_for: Card | None  # of a joker in a run

    @property
    def meaning(self) -> Card:
        """The card it is, or stands for."""
        return self.stands_for or self.card


@dataclass(frozen=True, slots=True)
class Group:
    """A set, or a run from low to high."""

    number: int  # on the table, from 1
    owner: int
    kind: Kind
    cards: tuple[LaidCard, ...]

    @property
    def jokers(self) -> int:
        """How many jokers are among the cards."""
        return sum(laid.card is JOKER for laid in self.cards)

    @property
    def rank(self) -> int:
        """The rank of a set."""
        return next(laid.card.rank for laid in self.cards if laid.card is not JOKER)

    @property
    def may_take_joker(self) -> bool:
        """Whether there would not be more jokers than other cards."""
        return (self.jokers + 1) * 2 <= len(self.cards) + 1

    def beyond(self, end: End) -> Card | None:
        """Return the card that would come next at an end of a run; None where it cannot go on."""
        outermost = self.cards[0 if end is End.LOW else -1].meaning
        rank = outermost.rank + (-1 if end is End.LOW else 1)
        if outermost.suit is None or not LOWEST <= rank <= HIGHEST:
            return None
        return card_of(outermost.suit, rank)


def laid_run(number: int, seat: int, cards: Sequence[Card]) -> Group:
    """Return a run as it is laid down, from low to high."""
    suit = next(card.suit for card in cards if card.suit is not None)
    places = enumerate(cards, start_of(cards) or LOWEST)
    laid = (LaidCard(card, seat, card_of(suit, rank) if card is JOKER else None) for rank, card in places)
    return Group(number, seat, Kind.RUN, tuple(laid))


def laid_set(number: int, seat: int, cards: Sequence[Card]) -> Group:
    """Return a set as it is laid down."""
    return Group(number, seat, Kind.SET, tuple(LaidCard(card, seat, None) for card in cards))


def extended(group: Group, card: Card, seat: int, end: End | None) -> Group:
    """Return the group with one more card: at an end of a run, or in a set."""
    laid = LaidCard(card, seat, group.beyond(end) if end is not None and card is JOKER else None)
    return replace(group, cards=(laid, *group.cards) if end is End.LOW else (*group.cards, laid))


def swapped(group: Group, position: int, card: Card, seat: int, end: End | None) -> Group:
    """Return the group with the card in the place of its joker, which goes to an end of a run, or last in a set."""
    joker = group.cards[position - 1]
    cards = (*group.cards[: position - 1], LaidCard(card, seat, None), *group.cards[position:])
    return extended(replace(group, cards=cards), JOKER, joker.seat, end)
