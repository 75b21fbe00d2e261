"""Talking: reservations and announcements, of a hand that is clearly strong only."""

from service.bots.brain import Sight
from service.bots.doppelkopf.hand import hand_of, order_in, strength
from service.games.doppelkopf.cards import CLUB_ACE, CLUB_QUEEN
from service.games.doppelkopf.commands import Announce, Answer, Name, Reserve
from service.games.doppelkopf.contract import Announcement, Contract, MarriageMode, Solo

STRONG_SOLO, OWED_SOLO, STRONG_PLAY = 0.75, 0.5, 0.35  # shares of the tricks to hope for
MODES = (MarriageMode.FIRST_FOREIGN_TRICK, MarriageMode.FIRST_CLUB_ACE, MarriageMode.DDV)  # the surest first
FIRST_WORDS = (Announcement.RE, Announcement.KONTRA, Announcement.REKONTRA)


def reserve(sight: Sight) -> Reserve:
    """Have a reservation with a strong solo, or with both queens of clubs."""
    owed = sight.view.players[sight.seat - 1].mandatory_solos
    best = max(_solo_strength(sight, solo) for solo in sight.options.solo_types)
    wanted = _can_marry(sight) or best >= (OWED_SOLO if owed else STRONG_SOLO)
    answers: dict[Answer, Reserve] = {command.answer: command for command in sight.legal}
    return answers.get(Answer.RESERVATION if wanted else Answer.HEALTHY) or answers[Answer.RESERVATION]


def name(sight: Sight) -> Name:
    """Name a strong solo, or else a marriage; with neither the best solo there is."""
    solos: dict[Name, float] = {each: _solo_strength(sight, each.solo) for each in sight.legal if each.solo}
    marriages: dict[MarriageMode, Name] = {
        each.mode: each for each in sight.legal if each.contract is Contract.MARRIAGE
    }
    best = max(solos, key=lambda each: solos[each], default=None)
    if best is None or (marriages and solos[best] < STRONG_SOLO):
        return next(marriages[mode] for mode in MODES if mode in marriages)
    return best


def announce(sight: Sight, *, must: bool) -> Announce | None:
    """Say one's party's name with a strong hand; where only announcements are to choose from, the least of them."""
    words: list[Announce] = [command for command in sight.legal if isinstance(command, Announce)]
    if must:
        return words[0]
    first = next((each for each in words if each.announcement in FIRST_WORDS), None)
    made = sight.view.made
    strong = first and strength(hand_of(sight), order_in(sight, made.solo), sight.options) >= STRONG_PLAY
    return first if strong else None


def _can_marry(sight: Sight) -> bool:
    hand, modes = hand_of(sight), set(sight.options.marriage_modes)
    if hand.count(CLUB_ACE) == 2:
        modes.discard(MarriageMode.FIRST_CLUB_ACE)
    return hand.count(CLUB_QUEEN) == 2 and bool(modes)


def _solo_strength(sight: Sight, solo: Solo) -> float:
    return strength(hand_of(sight), order_in(sight, solo), sight.options)
