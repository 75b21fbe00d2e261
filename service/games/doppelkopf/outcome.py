"""Outcome: what each party has won, who wins the deal, and what single tricks earn."""

from collections.abc import Iterator

from service.games.doppelkopf.announcing import said_by
from service.games.doppelkopf.cards import ALL_EYES, CLUB_JACK, FOX, Card
from service.games.doppelkopf.contract import Party
from service.games.doppelkopf.events import Camp, Merit
from service.games.doppelkopf.parties import Parties
from service.games.doppelkopf.rules import Tie
from service.games.doppelkopf.state import State, Trick

_LIMITS = (90, 60, 30, 0)  # from the second level on
_HALF = ALL_EYES // 2
DOPPELKOPF_EYES = 40


def camp_of(state: State, party: Party) -> Camp:
    """Return what the party won and announced."""
    won = [trick for trick in state.tricks if state.sides.parties[trick.winner - 1] is party]
    return Camp(sum([trick.eyes for trick in won]), len(won), said_by(state, party).level)


def limits_of(camp: Camp) -> tuple[int, ...]:
    """Return the limits that the party announced, skipped ones included; 0 is schwarz."""
    return _LIMITS[: max(0, camp.level - 1)]


def winner_of(re: Camp, kontra: Camp, tie: Tie) -> Party | None:
    """Return who wins; nobody if both announced more than they could do, or by choice with 120 eyes each."""
    kontra_alone = kontra.level > 0 and re.level == 0
    tied: Party | None = None
    if tie is not Tie.NOBODY:
        tied = Party.RE if kontra_alone and tie is Tie.KONTRA_UNLESS_ALONE_ANNOUNCED else Party.KONTRA
    for party, own, other in ((Party.RE, re, kontra), (Party.KONTRA, kontra, re)):
        if _wins(own, other, _HALF if tied is party else _HALF + 1):
            return party
    return None


def earned(state: State) -> Iterator[tuple[int, Merit]]:
    """Yield what single tricks earn their winners, where the rules have it."""
    rules, parties = state.setup.rules, state.sides.parties
    for trick in state.tricks:
        if rules.doppelkopf_trick and trick.eyes >= DOPPELKOPF_EYES:
            yield trick.winner, Merit.DOPPELKOPF
        if rules.foxes:
            yield from ((trick.winner, Merit.FOX) for _ in range(_foxes_caught(trick, parties)))
    last = state.tricks[-1]
    if rules.charlie and won_by(last) is CLUB_JACK:
        yield last.winner, Merit.CHARLIE


def won_by(trick: Trick) -> Card:
    """Return the card that won the trick."""
    return next(play.card for play in trick.plays if play.seat == trick.winner)


def _foxes_caught(trick: Trick, parties: Parties) -> int:
    party = parties[trick.winner - 1]
    return sum(play.card is FOX and parties[play.seat - 1] is not party for play in trick.plays)


def _wins(own: Camp, other: Camp, least: int) -> bool:
    """Whether a party wins: the lowest limit it announced counts, or else the other party's."""
    if limits := limits_of(own):
        return own.eyes > ALL_EYES - limits[-1] if limits[-1] else other.tricks == 0
    if limits := limits_of(other):
        return own.eyes >= limits[-1] if limits[-1] else own.tricks > 0
    return own.eyes >= least
