"""Rules: every choice that a profile makes. The profiles are the sheet's and the tournament's."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from service.games.doppelkopf.contract import MarriageMode, Solo


class Profile(Enum):
    """A set of defaults."""

    POT = "the sheet's game for a pot"
    DDV = "the tournament rules, without mandatory solos"
    DDV_TOURNAMENT = "the tournament rules"


class SecondTolle(Enum):
    """When the second ten of hearts beats the first one in a trick, where they are the highest trumps."""

    NEVER = "never"
    ALWAYS = "always"
    EXCEPT_LAST_TRICK = "except in the last trick"


class FollowRule(Enum):
    """What a hand must play."""

    FOLLOW_ONLY = "follow"
    FOLLOW_OR_TRUMP = "follow, or else trump"
    FOLLOW_AND_BEAT = "follow, or else trump, and beat"


class Announcements(Enum):
    """What can be announced."""

    NONE = "nothing"
    KONTRA_REKONTRA = "Kontra, and Rekontra as its reply"
    RE_KONTRA = "Re and Kontra"
    LIMITS = "Re, Kontra, no 90, no 60, no 30 and schwarz"


class Settlement(Enum):
    """What a deal is worth."""

    POT = "money"
    POINTS = "plus and minus points"


class Tie(Enum):
    """Who wins with 120 eyes each, where nobody announced a limit."""

    NOBODY = "nobody"
    KONTRA = "Kontra"
    KONTRA_UNLESS_ALONE_ANNOUNCED = "Kontra, but Re if only Kontra was announced"


@dataclass(frozen=True, slots=True)
class Rules:
    """What is played. `Options` has the same fields and says what each does."""

    nines: bool = True
    tollen: bool = False
    second_tolle_beats_first: SecondTolle = SecondTolle.NEVER
    follow_rule: FollowRule = FollowRule.FOLLOW_OR_TRUMP
    foxes: bool = False
    charlie: bool = False
    doppelkopf_trick: bool = False
    marriage_modes: tuple[MarriageMode, ...] = (MarriageMode.FIRST_FOREIGN_TRICK, MarriageMode.FIRST_CLUB_ACE)
    silent_solo: bool = True
    solo_types: tuple[Solo, ...] = (Solo.NORMAL,)
    mandatory_solo: int = 0
    announcements: Announcements = Announcements.KONTRA_REKONTRA
    settlement: Settlement = Settlement.POT
    tie_120: Tie = Tie.NOBODY
    deal_packets: int = 4


_POT = Rules()
_DDV = Rules(
    tollen=True,
    follow_rule=FollowRule.FOLLOW_ONLY,
    foxes=True,
    charlie=True,
    doppelkopf_trick=True,
    marriage_modes=(MarriageMode.DDV,),
    solo_types=tuple(solo for solo in Solo if solo is not Solo.NORMAL),
    announcements=Announcements.LIMITS,
    settlement=Settlement.POINTS,
    tie_120=Tie.KONTRA_UNLESS_ALONE_ANNOUNCED,
    deal_packets=3,
)

PROFILES: Mapping[Enum, Rules] = MappingProxyType(
    {Profile.POT: _POT, Profile.DDV: _DDV, Profile.DDV_TOURNAMENT: replace(_DDV, mandatory_solo=1)}
)
