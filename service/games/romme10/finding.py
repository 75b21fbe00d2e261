"""Finding: the contract in a hand, if it is there.

A set never needs more cards than the contract asks for: one that is longer can lose a joker, or any other card.
A run may: H2 H3 * * * * H8 H9 meets R5, and no five of these cards do. It can lose an end unless it has as many jokers
as other cards and no joker at either end; and where runs must not touch, any length may be the one that does not.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from service.games.romme10.cards import (
    HIGHEST,
    JOKER,
    LOWEST,
    PACK,
    Card,
    Cards,
    Suit,
    card_of,
)
from service.games.romme10.contracts import Contract
from service.games.romme10.held import Held, held

HANDS_MAX = 4096  # whose contracts are remembered: views of one hand are made more than once
WINDOWS_MAX = 2048  # looks at a suit that are remembered

_SUITS = tuple(Suit)
_RANKS = HIGHEST - LOWEST + 1

Sets = tuple[tuple[int, int], ...]  # of each its rank, and how many of its cards are no jokers


class Window(NamedTuple):
    """A run in some suit."""

    low: int
    length: int
    regular: int  # the ranks that are no jokers, as bits

    @property
    def jokers(self) -> int:
        """How many jokers it needs."""
        return self.length - self.regular.bit_count()


class Run(NamedTuple):
    """A run, the place of its suit, and the cards that the contract asks for."""

    suit: int
    window: Window
    least: int


class Found(NamedTuple):
    """What meets a contract."""

    runs: tuple[Run, ...]
    sets: Sets


@lru_cache(maxsize=HANDS_MAX)
def contract_in(hand: tuple[Card, ...], contract: Contract, *, adjacent: bool) -> tuple[Cards, ...] | None:
    """Return groups that meet the contract; None if the hand has none."""
    if len(hand) < contract.cards:
        return None
    found = _find(held(hand), contract.runs, contract.sets, (), adjacent=adjacent)
    return None if found is None else tuple(_groups(hand, contract, found))


def _find(
    left: Held,
    runs: Sequence[int],
    sets: Sequence[int],
    chosen: tuple[Run, ...],
    *,
    adjacent: bool,
) -> Found | None:
    """Choose the runs, and then the sets. It gives up as soon as there are not enough jokers for all of them."""
    counts = left.counts()
    fewest = [_fewest_jokers(left, length, any_length=not adjacent) for length in runs]
    found = _with_fewest_jokers(counts, left.jokers - sum(fewest), sets)
    if found is None or not runs:
        return None if found is None else Found(chosen, found)
    jokers = left.jokers - sum(fewest[1:]) - sum(sets) + sum(regular for _, regular in found)
    ranks = sum(1 << rank for rank, _ in counts) if sets else 0
    for run in _runs(left, runs, jokers, ranks, any_length=not adjacent):
        if _comes_after(run, chosen) and (adjacent or not _touches(run, chosen)):
            rest = left.without(run.suit, run.window.regular, run.window.jokers)
            if (more := _find(rest, runs[1:], sets, (*chosen, run), adjacent=adjacent)) is not None:
                return more
    return None


def _fewest_jokers(left: Held, length: int, *, any_length: bool) -> int:
    """Return how many jokers a run needs, even if it has its choice of all cards."""
    windows = (_windows(present, length, left.jokers, any_length=any_length) for present in left.once)
    return min((each[0].jokers for each in windows if each), default=left.jokers + 1)


def _runs(left: Held, runs: Sequence[int], jokers: int, ranks: int, *, any_length: bool) -> Iterator[Run]:
    """Yield the ways to lay down the first run, first those without jokers in the place of cards that are there."""
    least = runs[0]
    two = (least + 1) // 2 + (runs[-1] + 1) // 2 if runs[1:] else len(PACK)
    windows = []
    for suit, present in enumerate(left.once):
        may_have_two = present.bit_count() + left.twice[suit].bit_count() >= two
        wanted = present if may_have_two else present & ranks  # a joker is of use only where other groups need the card
        windows += [
            (suit, window, window.regular & wanted)
            for window in _windows(present, least, jokers, any_length=any_length)
        ]
    for more in range(jokers + 1):
        for suit, window, wanted in windows:
            for filled in _filled(window, more, jokers, wanted):
                if filled.length == least or any_length or _cannot_lose_an_end(filled):
                    yield Run(suit, filled, least)


def _comes_after(run: Run, chosen: Sequence[Run]) -> bool:
    """Whether runs of one length come in order, so that none are looked at twice."""
    if not chosen or chosen[-1].least != run.least:
        return True
    return (run.suit, run.window.low) >= (chosen[-1].suit, chosen[-1].window.low)


@lru_cache(maxsize=WINDOWS_MAX)
def _windows(present: int, least: int, jokers: int, *, any_length: bool) -> tuple[Window, ...]:
    """Return the runs that a suit has, with jokers in the gaps only; those with few of them first."""
    windows = (
        Window(low, length, present & ((1 << length) - 1) << low)
        for length in range(least, _RANKS + 1 if any_length else max(least, 2 * jokers) + 1)
        for low in range(LOWEST, HIGHEST - length + 2)
    )
    enough = (window for window in windows if window.jokers <= min(jokers, window.length // 2))
    return tuple(sorted(enough, key=lambda window: window.jokers))


def _filled(window: Window, more: int, jokers: int, wanted: int) -> Iterator[Window]:
    """Yield the ways to put more jokers into a run, in the place of cards that are wanted elsewhere."""
    if not more:
        yield window
    elif window.jokers + more <= min(jokers, window.length // 2):
        spared = [1 << rank for rank in range(window.low, window.low + window.length) if wanted >> rank & 1]
        for ranks in combinations(spared, more):
            yield window._replace(regular=window.regular - sum(ranks))


def _cannot_lose_an_end(window: Window) -> bool:
    ends = 1 << window.low | 1 << window.low + window.length - 1
    return window.jokers * 2 == window.length and window.regular & ends == ends


def _touches(run: Run, chosen: Sequence[Run]) -> bool:
    low, after = run.window.low, run.window.low + run.window.length
    return any(
        other.suit == run.suit and (other.window.low == after or other.window.low + other.window.length == low)
        for other in chosen
    )


def _with_fewest_jokers(counts: Sequence[tuple[int, int]], jokers: int, sets: Sequence[int]) -> Sets | None:
    """Choose the sets with as few jokers as can be."""
    chosen = (_sets(counts, number, sets) for number in range(jokers + 1))
    return next((found for found in chosen if found is not None), None)


def _sets(counts: Sequence[tuple[int, int]], jokers: int, sets: Sequence[int]) -> Sets | None:
    """Choose the sets among ranks and the number of their cards; ranks with as many cards are alike."""
    if not sets:
        return ()
    length, tried = sets[0], set()
    for index, (rank, count) in enumerate(counts):
        if count in tried:
            continue
        tried.add(count)
        for regular in range(min(count, length), max((length + 1) // 2, length - jokers) - 1, -1):
            rest = [*counts[:index], (rank, count - regular), *counts[index + 1 :]]
            if (more := _sets(rest, jokers - length + regular, sets[1:])) is not None:
                return ((rank, regular), *more)
    return None


def _groups(hand: Sequence[Card], contract: Contract, found: Found) -> Iterator[Cards]:
    left = list(hand)
    for suit, window, _ in found.runs:
        ranks = range(window.low, window.low + window.length)
        run = [card_of(_SUITS[suit], rank) if window.regular >> rank & 1 else JOKER for rank in ranks]
        yield _taken(left, run)
    for length, (rank, regular) in zip(contract.sets, found.sets, strict=True):
        cards = [card for card in left if card.rank == rank][:regular]
        yield _taken(left, [*cards, *[JOKER] * (length - regular)])


def _taken(left: list[Card], cards: list[Card]) -> Cards:
    """Take the cards from what is left."""
    for card in cards:
        left.remove(card)
    return Cards(tuple(cards))
