"""Planning: which groups a hand is nearest to, and which of its cards they do not need."""

from collections.abc import Iterable
from functools import cache, lru_cache
from heapq import nsmallest
from typing import NamedTuple

from service.games.romme10.cards import HIGHEST, JOKER, LOWEST, REGULAR, Card, Suit
from service.games.romme10.contracts import Contract

BEAM = 6  # plans that are followed up, group by group
HANDS_MAX = 1024  # whose plans are remembered: a turn looks at the same hand more than once

_RANKS = HIGHEST - LOWEST + 1
_BITS = {card: 1 << place for place, card in enumerate(REGULAR)}  # of the first copy; those of the second are above
_SECOND = len(REGULAR)
_OF_RANK = tuple(
    sum(bit | bit << _SECOND for card, bit in _BITS.items() if card.rank == rank) for rank in range(LOWEST, HIGHEST + 1)
)


class Plan(NamedTuple):
    """Groups that a hand can grow into; the best plan is the smallest."""

    missing: int  # cards, with jokers not counted yet
    left: int  # the cards that are in no group, as bits


def missing(hand: tuple[Card, ...], contract: Contract) -> int:
    """Return how many cards the hand lacks for the contract."""
    return max(0, _best(hand, contract).missing - hand.count(JOKER))


def unneeded(hand: tuple[Card, ...], contract: Contract) -> tuple[Card, ...]:
    """Return the cards of the hand, but no joker, that the contract does not need."""
    left = _best(hand, contract).left
    return tuple(card for card, bit in _BITS.items() if left & (bit | bit << _SECOND))


@lru_cache(maxsize=HANDS_MAX)
def _best(hand: tuple[Card, ...], contract: Contract) -> Plan:
    plans = [Plan(0, _bits(hand))]
    for length in contract.runs:
        plans = nsmallest(BEAM, {_with_run(plan, run) for plan in plans for run in _runs(length)})
    for length in contract.sets:
        plans = nsmallest(BEAM, {_with_set(plan, rank, length) for plan in plans for rank in _OF_RANK})
    return plans[0]


def _bits(hand: Iterable[Card]) -> int:
    bits = 0
    for card in hand:
        if card is not JOKER:
            bits |= _BITS[card] << (_SECOND if bits & _BITS[card] else 0)
    return bits


@cache
def _runs(length: int) -> tuple[int, ...]:
    """Return the cards of each run of this length."""
    run = (1 << length) - 1
    suits, lows = range(len(Suit)), range(_RANKS - length + 1)
    return tuple(run << suit * _RANKS + low for suit in suits for low in lows)


def _with_run(plan: Plan, run: int) -> Plan:
    """Take the cards of a run, second copies first: a card that is left is always a first one."""
    second = plan.left & run << _SECOND
    taken = second | plan.left & run & ~(second >> _SECOND)
    return Plan(plan.missing + run.bit_count() - taken.bit_count(), plan.left ^ taken)


def _with_set(plan: Plan, rank: int, length: int) -> Plan:
    """Take so many cards of a rank at most, the highest bits first."""
    taken = plan.left & rank
    while taken.bit_count() > length:
        taken &= taken - 1
    return Plan(plan.missing + length - taken.bit_count(), plan.left ^ taken)
