"""Commands: what a seat, or the dealer, asks for; and why the rules refuse one."""

from dataclasses import dataclass
from enum import Enum

from service.games.doppelkopf.cards import Card
from service.games.doppelkopf.contract import Announcement, Contract, MarriageMode, Solo


class Answer(Enum):
    """What a seat says when it is asked for reservations."""

    HEALTHY = "healthy"
    RESERVATION = "reservation"


@dataclass(frozen=True, slots=True)
class Reserve:
    """Say whether one wants to play something other than a normal game."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Name:
    """Name one's reservation, for the dealer's ear only: a solo with its type, or a marriage with its mode."""

    contract: Contract
    solo: Solo | None
    mode: MarriageMode | None


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce something for one's party, on turn or not."""

    announcement: Announcement


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal from the shuffled pack, the top card first."""

    dealer: int
    pack: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Redeal:
    """Deal anew what nobody but its holder has seen: the hands in seat order."""

    cards: tuple[Card, ...]


Command = Reserve | Name | Announce | PlayCard | Deal | Redeal


class Reason(Enum):
    """Why the rules refuse a command."""

    GAME_OVER = "The game is over."
    NOT_YOUR_TURN = "It is not your turn."
    SITTING_OUT = "You sit out this deal."
    NO_RESERVATIONS_NOW = "Reservations are asked for before anything else, and only once a deal."
    NOTHING_TO_NAME = "Reservations are named once all have been asked for them, and before the first card."
    CONTRACT_NOT_MADE = "Cards are played once it is settled what is played."
    MUST_RESERVE = "With both queens of clubs you must make a reservation here."
    NAME_ONE_THING = "Name a solo with its type and nothing else, or a marriage with its mode and nothing else."
    MARRIAGE_NEEDS_BOTH_QUEENS = "A marriage needs both queens of clubs."
    MODE_NOT_PLAYED = "This way to find a partner is not played at this table."
    BOTH_CLUB_ACES = "You have both aces of clubs, so nobody else can play one."
    SOLO_NOT_PLAYED = "This solo is not played at this table."
    MANDATORY_SOLO_FIRST = "You may choose a solo freely once you have played your mandatory ones."
    NO_MANDATORY_SOLO_LEFT = "You have no mandatory solo left to play."
    MANDATORY_SOLO_DUE = "Your mandatory solo is due in this deal: name its type."
    CARD_NOT_IN_HAND = "This card is not in your hand."
    MUST_FOLLOW = "You can follow what was led, so you must."
    MUST_TRUMP = "You cannot follow what was led but have a trump, so you must play one."
    MUST_BEAT = "You can beat the best card of the trick, so you must."
    TOO_EARLY_TO_ANNOUNCE = "Announcements are made once it is settled what is played, and with whom."
    NOT_ANNOUNCED_HERE = "This is not announced at this table."
    OTHER_PARTYS_WORD = "This is for the other party to announce."
    ALREADY_ANNOUNCED = "Your party has announced this, or more, already."
    NOTHING_TO_ANSWER = "Rekontra answers Kontra, and nobody has said that."
    TOO_LATE_TO_ANNOUNCE = "You have too few cards left to announce this."
    AFTER_LATE_REPLY = "Your party only replied, too late for anything more."
    NOT_THE_DEALER = "Only the dealer deals."
    NOT_TIME_TO_DEAL = "The dealer deals when a deal begins."
    WRONG_PACK = "The dealer must deal exactly the table's pack."
    WRONG_DEALER = "Another seat deals now."
