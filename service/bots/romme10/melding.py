"""Melding: down with the contract, then with whatever fits; and the least useful card ends the turn."""

from collections.abc import Sequence
from random import Random

from service.bots.brain import Sight
from service.bots.romme10.hand import fits_table, hand_of, has_laid
from service.bots.romme10.planning import unneeded
from service.games.romme10.cards import JOKER, Card
from service.games.romme10.commands import Command, Discard, LayContract, LayOff, SwapJoker

NEAR = 2  # ranks from each other, of cards that a run may need both of


def meld(sight: Sight, dice: Random) -> Command:
    """Lay down the contract, lay off and swap all that it can, and discard."""
    for command in sight.legal:
        if isinstance(command, LayContract):
            return command
    adding = [command for command in sight.legal if isinstance(command, LayOff | SwapJoker)]
    if adding and has_laid(sight):
        return max(adding, key=lambda command: _worth(sight, command))
    return _discard(sight, dice)


def _worth(sight: Sight, adding: LayOff | SwapJoker) -> tuple[bool, bool, int]:
    """Jokers wait, as they fit in many places; and what lies before oneself counts for oneself."""
    own = sight.view.groups[adding.group - 1].owner == sight.seat
    return adding.card is not JOKER, own, adding.card.points


def _discard(sight: Sight, dice: Random) -> Discard:
    commands = [command for command in sight.legal if isinstance(command, Discard)]
    hand = hand_of(sight)
    free = hand if has_laid(sight) else unneeded(hand, sight.view.contract)
    least = min([_use(sight, command.card, hand, free) for command in commands])
    return dice.choice([each for each in commands if _use(sight, each.card, hand, free) == least])


def _use(sight: Sight, card: Card, hand: Sequence[Card], free: Sequence[Card]) -> tuple[bool, bool, bool, int, int]:
    """Return how much one would like to keep a card: most of all a joker, then what the contract needs."""
    near = sum(_near(card, other) for other in hand)
    return card is JOKER, card not in free, fits_table(sight, card), near, card.points


def _near(card: Card, other: Card) -> bool:
    return card.rank == other.rank or (card.suit is other.suit and abs(card.rank - other.rank) <= NEAR)
