"""Points: what a deal is worth by the tournament rules."""

from collections.abc import Iterable, Iterator

from service.games.doppelkopf.contract import Party
from service.games.doppelkopf.events import Camp, Merit, Point
from service.games.doppelkopf.outcome import limits_of
from service.games.doppelkopf.parties import Parties, party_of

_UNDER = {90: Merit.UNDER_90, 60: Merit.UNDER_60, 30: Merit.UNDER_30}
_REACHED = {90: Merit.REACHED_120, 60: Merit.REACHED_90, 30: Merit.REACHED_60, 0: Merit.REACHED_30}
_STEP = 30  # what a party must have above the limit that the other missed


def points_of(re: Camp, kontra: Camp, winner: Party | None) -> tuple[Point, ...]:
    """Return the points that eyes, tricks and announcements bring."""
    return (*_won(re, kontra, winner), *_announced(re, kontra, winner), *_reached(re, kontra))


def special_points(earned: Iterable[tuple[int, Merit]], parties: Parties, winner: Party | None) -> Iterator[Point]:
    """Yield what a game of two against two brings besides."""
    if winner is Party.KONTRA:
        yield Point(winner, Merit.AGAINST_RE, 1)
    for seat, merit in earned:
        yield Point(party_of(parties, seat), merit, 1)


def value_of(points: Iterable[Point]) -> int:
    """Return what all points come to, from Re's side."""
    return sum(point.points if point.party is Party.RE else -point.points for point in points)


def changes(value: int, parties: Parties) -> list[int]:
    """Return what each seat gets: those who play alone three times as much, so the sum is 0."""
    alone = 3 if parties.count(Party.RE) == 1 else 1
    change = {Party.RE: value * alone, Party.KONTRA: -value, None: 0}
    return [change[party] for party in parties]


def _won(re: Camp, kontra: Camp, winner: Party | None) -> Iterator[Point]:
    if winner is not None:
        yield Point(winner, Merit.WON, 1)
    for party, other in ((Party.RE, kontra), (Party.KONTRA, re)):
        if winner in (None, party):
            yield from (Point(party, merit, 1) for limit, merit in _UNDER.items() if other.eyes < limit)
            if other.tricks == 0:
                yield Point(party, Merit.NO_TRICK, 1)


def _announced(re: Camp, kontra: Camp, winner: Party | None) -> Iterator[Point]:
    if winner is None:
        return
    for camp, merit in ((re, Merit.RE_ANNOUNCED), (kontra, Merit.KONTRA_ANNOUNCED)):
        if camp.level:
            yield Point(winner, merit, 2)
    if limits := len(limits_of(re)) + len(limits_of(kontra)):
        yield Point(winner, Merit.LIMITS_ANNOUNCED, limits)


def _reached(re: Camp, kontra: Camp) -> Iterator[Point]:
    for party, own, other in ((Party.RE, re, kontra), (Party.KONTRA, kontra, re)):
        for limit in limits_of(other):
            if own.eyes >= limit + _STEP:
                yield Point(party, _REACHED[limit], 1)
