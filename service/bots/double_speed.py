"""double, the race: play whenever a card fits, for drawing can wait, and keep cards that suit what may come.

Every card has to be drawn and played, so each act brings one as near to the end as any other; only a moment in which
nothing can be done is lost. Whoever draws only when nothing fits has the fewest of them.
"""

from collections.abc import Set
from functools import lru_cache
from random import Random

from service.bots.brain import Sight
from service.games.double_speed.cards import Card
from service.games.double_speed.commands import Command, PlayCard
from service.games.double_speed.deck import DECKS_MAX, Deck, deck_of
from service.games.double_speed.options import Options, cards_of
from service.kit.tuples import without

UNDISTURBED = 0.5  # how likely one's own card is still on top at the next look


def steady(sight: Sight, _dice: Random) -> Command:
    """Play the card which leaves the most hopeful hand; without any, draw, or say that nobody can go on."""
    plays: list[PlayCard] = [command for command in sight.legal if isinstance(command, PlayCard)]
    if not plays:
        only: Command = sight.legal[0]
        return only
    deck, hand = _deck(sight.options), tuple(held.card for held in sight.view.hand)
    return max(plays, key=lambda play: _hope(deck, play.card, without(hand, play.card)))


def _hope(deck: Deck, top: Card, rest: tuple[Card, ...]) -> float:
    """Return how likely something will fit at the next look: on the card played, or on what the others play on it."""
    suited: Set[Card] = frozenset[Card]().union(*(deck.fits[card] for card in rest))
    followers = deck.fits[top]
    others = len(followers & suited) / len(followers) if followers else 0
    return UNDISTURBED * (top in suited) + (1 - UNDISTURBED) * others


@lru_cache(DECKS_MAX)
def _deck(options: Options) -> Deck:
    return deck_of(cards_of(options), rotation=options.rotation)
