"""Announcing: what a party may announce, and until when."""

from collections.abc import Mapping

from service.games.doppelkopf.commands import Announce, Reason
from service.games.doppelkopf.contract import Announcement, Contract, Party
from service.games.doppelkopf.events import Announced
from service.games.doppelkopf.parties import party_of
from service.games.doppelkopf.rules import Announcements
from service.games.doppelkopf.state import Phase, Said, State

_LIMITS = (Announcement.NO_90, Announcement.NO_60, Announcement.NO_30, Announcement.SCHWARZ)
_RE, _KONTRA = Announcement.RE, Announcement.KONTRA

LADDERS: Mapping[Announcements, Mapping[Party, tuple[Announcement, ...]]] = {
    Announcements.NONE: {Party.RE: (), Party.KONTRA: ()},
    Announcements.KONTRA_REKONTRA: {Party.RE: (Announcement.REKONTRA,), Party.KONTRA: (_KONTRA,)},
    Announcements.RE_KONTRA: {Party.RE: (_RE,), Party.KONTRA: (_KONTRA,)},
    Announcements.LIMITS: {Party.RE: (_RE, *_LIMITS), Party.KONTRA: (_KONTRA, *_LIMITS)},
}
"""What each party can announce, in order; the place in it is its level, from 1 on."""

_ANNOUNCE = {each: Announce(each) for each in Announcement}


def announceable(state: State, seat: int) -> tuple[Announce, ...]:
    """Return all that the seat may announce now."""
    sides, cards, least = state.sides, len(state.hands[seat - 1]), first_minimum(state)
    too_late = cards < least - max(sides.re.level, sides.kontra.level)  # asked first, as it is so for most of a deal
    if too_late or why_no_announcement(state, seat) is not None:
        return ()
    party = party_of(state.sides.parties, seat)
    own, other = said_by(state, party), said_by(state, party.other)
    ladder = LADDERS[state.setup.rules.announcements][party]
    return tuple(
        [
            _ANNOUNCE[each]
            for level, each in enumerate(ladder, 1)
            if why_not_level(level, cards, own, other, least) is None and not _unasked(each, other)
        ]
    )


def why_no_announcement(state: State, seat: int) -> Reason | None:
    """Return why the seat may not announce anything now."""
    if state.phase is Phase.OVER:
        return Reason.GAME_OVER
    if seat not in state.dealing.playing:
        return Reason.SITTING_OUT
    return Reason.TOO_EARLY_TO_ANNOUNCE if state.phase is not Phase.PLAY or state.unresolved else None


def why_not_announced(state: State, seat: int, announcement: Announcement) -> Reason | None:
    """Return why the seat may not announce this now."""
    if (reason := why_no_announcement(state, seat)) is not None:
        return reason
    party, ladders = party_of(state.sides.parties, seat), LADDERS[state.setup.rules.announcements]
    if announcement not in ladders[party]:
        return Reason.OTHER_PARTYS_WORD if announcement in ladders[party.other] else Reason.NOT_ANNOUNCED_HERE
    own, other = said_by(state, party), said_by(state, party.other)
    if _unasked(announcement, other):
        return Reason.NOTHING_TO_ANSWER
    level, cards = ladders[party].index(announcement) + 1, len(state.hands[seat - 1])
    return why_not_level(level, cards, own, other, first_minimum(state))


def why_not_level(level: int, cards: int, own: Said, other: Said, least: int) -> Reason | None:
    """Return why a seat that holds so many cards may not announce a level; `least` is what the first level needs."""
    if level <= own.level:
        return Reason.ALREADY_ANNOUNCED
    if own.late:
        return Reason.AFTER_LATE_REPLY
    if in_time(cards, own, least) or (level == 1 and other.level and cards >= least - other.level):
        return None
    return Reason.TOO_LATE_TO_ANNOUNCE


def in_time(cards: int, own: Said, least: int) -> bool:
    """Whether the party's next level is in time, and so all above it: each of those may be announced later."""
    return cards >= least - own.level


def announced(state: State, seat: int, announcement: Announcement) -> Announced:
    """Return the announcement with the party that it is made for."""
    return Announced(seat, party_of(state.sides.parties, seat), announcement)


def said_with(state: State, event: Announced) -> Said:
    """Return what the party has said with this announcement."""
    level = LADDERS[state.setup.rules.announcements][event.party].index(event.announcement) + 1
    timely = in_time(len(state.hands[event.seat - 1]), said_by(state, event.party), first_minimum(state))
    return Said(level, late=not timely)


def said_by(state: State, party: Party) -> Said:
    """Return what the party has announced."""
    return state.sides.re if party is Party.RE else state.sides.kontra


def first_minimum(state: State) -> int:
    """Return the cards one needs for the first level: one less for each trick that a marriage took to resolve."""
    least, made = state.setup.hand_size - 1, state.bidding.made
    delayed = made is not None and made.contract is Contract.MARRIAGE
    if not delayed or state.setup.rules.announcements is Announcements.KONTRA_REKONTRA:
        return least
    return least - max(0, state.sides.resolved - 1)


def _unasked(announcement: Announcement, other: Said) -> bool:
    return announcement is Announcement.REKONTRA and other.level == 0
