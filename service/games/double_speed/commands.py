"""Commands: what a seat, or the dealer, asks for; and why the rules refuse one."""

from dataclasses import dataclass
from enum import Enum

from service.games.double_speed.cards import Card


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card on the pile; where `seen_version` is given, only if the pile still has that version."""

    card: Card
    seen_version: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw so many cards from one's own stack, or as many as there are and fit into the hand; one, if not told."""

    count: int | None = None


@dataclass(frozen=True, slots=True)
class Unblock:
    """Say that nobody can go on."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal a round from the shuffled pack, the top card first."""

    starter: int
    pack: tuple[Card, ...]


Command = PlayCard | Draw | Unblock | Deal


class Reason(Enum):
    """Why the rules refuse a command."""

    GAME_OVER = "The game is over."
    NOT_A_PLAYER = "Only who has a seat at the table plays."
    NOT_DEALT = "The cards are not dealt yet."
    CARD_NOT_IN_HAND = "This card is not in your hand; name it as your hand shows it."
    STALE = "The pile has changed since you looked at it."
    CARD_DOES_NOT_FIT = "Both halves of a card must meet a half of the top card, by colour or by symbol."
    DRAW_BELOW_ONE = "Draw at least one card."
    HAND_FULL = "Your hand is full."
    STACK_EMPTY = "Your stack is empty."
    NO_DEADLOCK = "Somebody can still draw or play."
    NOT_THE_DEALER = "Only the dealer deals."
    NOT_TIME_TO_DEAL = "The dealer deals when a round begins."
    WRONG_PACK = "The dealer must deal exactly the table's deck."
    WRONG_STARTER = "Another seat's stack gives the first card of this round."
