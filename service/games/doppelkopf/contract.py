"""Contracts: what can be played for, and the two parties that play."""

from enum import Enum


class Contract(Enum):
    """What a deal is played as."""

    NORMAL = "normal"
    MARRIAGE = "marriage"
    SOLO = "solo"
    MANDATORY_SOLO = "mandatory solo"


class Solo(Enum):
    """The trumps of a declared solo."""

    NORMAL = "normal"
    CLUBS = "clubs"
    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    QUEENS = "queens"
    JACKS = "jacks"
    MEATLESS = "meatless"


class MarriageMode(Enum):
    """How the holder of both club queens finds a partner."""

    FIRST_FOREIGN_TRICK = "the first leader whose trick the holder wins"
    FIRST_CLUB_ACE = "the first other seat that plays a club ace"
    DDV = "the first other winner of the first three tricks"


class Party(Enum):
    """The two parties of a deal."""

    RE = "re"
    KONTRA = "kontra"

    @property
    def other(self) -> "Party":
        """The party that this one plays against."""
        return Party.KONTRA if self is Party.RE else Party.RE


class Announcement(Enum):
    """What a party can announce."""

    RE = "Re"
    KONTRA = "Kontra"
    REKONTRA = "Rekontra"
    NO_90 = "no 90"
    NO_60 = "no 60"
    NO_30 = "no 30"
    SCHWARZ = "schwarz"
