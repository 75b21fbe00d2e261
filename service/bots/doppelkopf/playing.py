"""Playing: the card with which one may hope for most eyes, and that one can best do without."""

from collections.abc import Sequence
from random import Random

from service.bots.brain import Sight
from service.bots.doppelkopf.table import Table, table_of
from service.games.doppelkopf.cards import FOX, Card
from service.games.doppelkopf.commands import PlayCard
from service.games.doppelkopf.rules import SecondTolle
from service.games.doppelkopf.tricks import winner

EYES_TO_COME = 4  # in a card that is still to be played
FOX_EYES = 10  # what a fox is worth besides its eyes
TRUMP_KEPT, ACE_KEPT = 9, 4  # eyes that the highest trump, and a plain ace, can earn later


def play(sight: Sight, plays: Sequence[PlayCard], dice: Random) -> PlayCard:
    """Play the most promising card."""
    table = table_of(sight)
    worth = {command: _worth(sight, table, command.card) for command in plays}
    best = max(worth.values())
    return dice.choice([command for command in plays if worth[command] == best])


def _worth(sight: Sight, table: Table, card: Card) -> float:
    """Return the eyes to hope for: won if it is ours, lost if not, less what the card could earn later."""
    trick = [play.card for play in sight.view.trick]
    eyes: int = sum(each.eyes for each in trick) + card.eyes + EYES_TO_COME * len(table.later)
    if card is FOX and sight.options.foxes and FOX in table.order.trumps:
        eyes += FOX_EYES
    return (2 * _ours(sight, table, card) - 1) * eyes - _kept(table, card)


def _ours(sight: Sight, table: Table, card: Card) -> float:
    """Return how likely our party wins the trick with this card in it."""
    trick = (*(play.card for play in sight.view.trick), card)
    seats = (*(play.seat for play in sight.view.trick), sight.seat)
    place = winner(trick, table.order, second_tolle=_second_tolle(sight))
    ours = table.friends[seats[place]]
    for seat in table.later:
        beaten, friend = _beaten(table, trick[0], trick[place], table.held[seat]), table.friends[seat]
        ours = ours * (1 - beaten * (1 - friend)) + (1 - ours) * beaten * friend
    return ours


def _second_tolle(sight: Sight) -> bool:
    """Whether the second Tolle beats the first one in this trick."""
    rule = sight.options.second_tolle_beats_first
    return rule is SecondTolle.ALWAYS or (rule is SecondTolle.EXCEPT_LAST_TRICK and len(sight.view.hand) > 1)


def _beaten(table: Table, led: Card, best: Card, held: int) -> float:
    """Return how likely a hand of so many unseen cards beats the best one of the trick."""
    order, unseen = table.order, table.unseen
    absent = 1 - held / max(held, len(unseen))  # how likely one unseen card is not in that hand
    higher = sum(
        order.suit[each] is order.suit[best] and order.strength[each] > order.strength[best] for each in unseen
    )
    if order.suit[led] is None:
        return 1 - absent**higher
    void = absent ** sum(order.suit[each] is order.suit[led] for each in unseen)
    if order.suit[best] is None:
        return void * (1 - absent**higher)
    trumps = sum(order.suit[each] is None for each in unseen)
    return void * (1 - absent**trumps) + (1 - void) * (1 - absent**higher)


def _kept(table: Table, card: Card) -> float:
    """Return what the card is worth in hand."""
    trumps = table.order.trumps
    if card in trumps:
        return TRUMP_KEPT * (1 - trumps.index(card) / len(trumps))
    return ACE_KEPT if card.rank == "A" else 0
