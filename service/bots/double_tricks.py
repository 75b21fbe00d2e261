"""DOUBLE: bid what the hand promises, then play such that exactly that many tricks are the most likely end.

Each card is taken to make a trick by itself, independently of the others, as likely as no unseen card beats it.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from service.bots.brain import Sight
from service.games.double_tricks.cards import Card, Motif, Suit
from service.games.double_tricks.commands import Bid, Command, PlayCard
from service.games.double_tricks.events import CardPlayed, Dealt
from service.games.double_tricks.options import Options
from service.games.double_tricks.tricks import winner
from service.games.double_tricks.view import View
from service.kit.tuples import without

OUT_OF_SUIT = 0.5  # how likely a motif that is neither trump nor special finds its suit led


class Unseen(NamedTuple):
    """How many motifs there are of each kind that the seat has not seen, and how many cards bear them."""

    motifs: Counter[Motif]
    cards: int
    trump: Suit | None


def steady(sight: Sight, _dice: Random) -> Command:
    """Bid for the most points to be expected; play for exactly what was bid."""
    view: View = sight.view
    unseen, hand = _unseen(sight), tuple(held.card for held in view.hand)
    others = len(view.players) - 1
    promise = {card: _promise(unseen, card, others) for card in hand}
    bids = [command for command in sight.legal if isinstance(command, Bid)]
    if bids:
        likely = _tricks(tuple(promise[card] for card in hand))
        return max(bids, key=lambda bid: _points(sight.options, likely, bid.tricks))
    player = view.players[sight.seat - 1]
    missing = (player.bid or 0) - player.tricks

    def exact(play: PlayCard) -> float:
        """Return how likely exactly the missing tricks are made after this play."""
        likely = _tricks(tuple(promise[card] for card in without(hand, play.card)))
        wins = _wins(unseen, view.trick, play, others - len(view.trick))
        return wins * _at(likely, missing - 1) + (1 - wins) * _at(likely, missing)

    return max((command for command in sight.legal if isinstance(command, PlayCard)), key=exact)


def _unseen(sight: Sight) -> Unseen:
    """Return what the pack holds besides the own hand, the card turned up and the cards played in this round."""
    options, view = sight.options, sight.view
    seen = [held.card for held in view.hand] + [view.turn_up]
    for event in reversed(sight.happened):
        if isinstance(event, Dealt):
            break
        if isinstance(event, CardPlayed):
            seen.append(event.card)
    motifs = Counter(motif for card in options.deck_pairs * options.sets for motif in card.motifs)
    motifs.subtract(motif for card in seen for motif in card.motifs)
    return Unseen(motifs, len(options.deck_pairs) * options.sets - len(seen), view.trump)


def _promise(unseen: Unseen, card: Card, others: int) -> float:
    """Return how likely the card makes a trick some time: with its better motif."""
    return max(_lasts(unseen, motif, others) * _chosen(unseen, motif) for motif in card.motifs)


def _chosen(unseen: Unseen, motif: Motif) -> float:
    return 1 if motif.suit is None or motif.suit is unseen.trump else OUT_OF_SUIT


def _wins(unseen: Unseen, trick: Sequence[CardPlayed], play: PlayCard, later: int) -> float:
    """Return how likely the play wins this trick, with so many seats still to play."""
    motifs = [*(played.motif for played in trick), play.motif]
    if winner(motifs, unseen.trump) < len(trick):
        return 0
    return _lasts(unseen, play.motif, later)


def _lasts(unseen: Unseen, motif: Motif, later: int) -> float:
    """Return how likely none of so many unseen cards beats the motif."""
    beaters = sum(count for other, count in unseen.motifs.items() if _beats(other, motif, unseen.trump))
    return (1 - min(1, beaters / max(1, unseen.cards))) ** later


def _beats(other: Motif, motif: Motif, trump: Suit | None) -> bool:
    return winner((motif, other), trump) == 1


def _tricks(chances: tuple[float, ...]) -> list[float]:
    """Return how likely each number of tricks is, from 0 on."""
    likely = [1.0]
    for chance in chances:
        made, missed = [0.0, *(each * chance for each in likely)], [*(each * (1 - chance) for each in likely), 0.0]
        likely = [one + other for one, other in zip(made, missed, strict=True)]
    return likely


def _at(likely: list[float], tricks: int) -> float:
    return likely[tricks] if 0 <= tricks < len(likely) else 0


def _points(options: Options, likely: list[float], bid: int) -> float:
    """Return the points that a bid brings on average: its stake is lost where it is not exact."""
    return likely[bid] * (options.exact_bonus + bid) - (1 - likely[bid]) * bid
