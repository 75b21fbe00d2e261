"""Table: what a seat knows of the others: who may be with it, and which cards they may hold."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from service.bots.brain import Sight
from service.bots.doppelkopf.hand import hand_of, order_in
from service.games.doppelkopf.cards import CLUB_QUEEN, Card, pack_of
from service.games.doppelkopf.contract import Contract, Party
from service.games.doppelkopf.events import CardPlayed, Dealt
from service.games.doppelkopf.order import Order

UNDECIDED = 0.5  # how likely a seat is with us while we have no party


class Table(NamedTuple):
    """What the seat that is to play knows."""

    order: Order
    unseen: tuple[Card, ...]  # in the other hands
    held: dict[int, int]  # cards in each other hand
    friends: dict[int, float]  # how likely each seat is with us
    later: tuple[int, ...]  # the seats that play to this trick after us


def table_of(sight: Sight) -> Table:
    """Gather what the seat knows."""
    view = sight.view
    seats = [player.seat for player in view.players if player.playing]
    after = seats[seats.index(sight.seat) + 1 :] + seats[: seats.index(sight.seat)]
    unseen = Counter(pack_of(nines=bool(sight.options.nines)))
    unseen.subtract([*hand_of(sight), *_played(sight)])
    return Table(
        order=order_in(sight, view.made.solo),
        unseen=tuple(unseen.elements()),
        held={player.seat: player.cards for player in view.players},
        friends=_friends(sight),
        later=tuple(after[: len(seats) - 1 - len(view.trick)]),
    )


def _played(sight: Sight) -> Iterator[Card]:
    """Yield the cards of this deal that lie or lay on the table."""
    for event in reversed(sight.happened):
        if isinstance(event, Dealt):
            return
        if isinstance(event, CardPlayed):
            yield event.card


def _friends(sight: Sight) -> dict[int, float]:
    """Return how likely each seat is of our party: where it is not known, by how many of ours are not found yet."""
    own = sight.view.party
    known = {player.seat: player.party for player in sight.view.players if player.playing and player.seat != sight.seat}
    parties = list(known.values())
    hidden = max(0, _partners(sight) - parties.count(own))
    chance = hidden / parties.count(None) if own and None in parties else UNDECIDED
    friends = {seat: chance if party is None else float(party is own) for seat, party in known.items()}
    return friends | {sight.seat: 1.0}


def _partners(sight: Sight) -> int:
    """Return how many play with us, where it is not known who."""
    if sight.view.party is Party.KONTRA:
        return 2
    alone = sight.view.made.contract is Contract.NORMAL and hand_of(sight).count(CLUB_QUEEN) == 2
    return 0 if alone else 1
