"""Hand: what a seat holds, and what it may do with cards on the table."""

from service.bots.brain import Sight
from service.games.romme10.adding import why_not_on
from service.games.romme10.cards import Card


def hand_of(sight: Sight) -> tuple[Card, ...]:
    """Return the cards in hand."""
    return tuple([held.card for held in sight.view.hand])


def has_laid(sight: Sight) -> bool:
    """Whether the seat's contract is on the table."""
    laid: bool = sight.view.players[sight.seat - 1].laid
    return laid


def fits_table(sight: Sight, card: Card) -> bool:
    """Whether the card can be laid off on some group."""
    return any(why_not_on(group, card, sight.options) is None for group in sight.view.groups)
