"""Commands: what a seat, or the dealer, asks for; and why the rules refuse one."""

from dataclasses import dataclass
from enum import Enum

from service.games.romme10.cards import Card, Cards
from service.games.romme10.groups import End
from service.games.romme10.piles import Pile


@dataclass(frozen=True, slots=True)
class AnnounceBuy:
    """Announce how many cards one buys besides the one that one draws."""

    cards: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of a pile; what was bought is drawn in the same way."""

    pile: Pile


@dataclass(frozen=True, slots=True)
class LayContract:
    """Lay down the contract: all its groups, in any order."""

    groups: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class LayOff:
    """Lay off a card on a group: at an end of a run, which can be left out where there is one only."""

    group: int
    card: Card
    end: End | None


@dataclass(frozen=True, slots=True)
class SwapJoker:
    """Put a card in the place of the joker that stands for it; the joker goes to an end of the same group."""

    group: int
    position: int  # from 1
    card: Card
    end: End | None


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card, which ends the turn."""

    card: Card
    pile: Pile


@dataclass(frozen=True, slots=True)
class DrawLots:
    """Let each seat that may still be the first dealer draw a card, in seat order."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal from the shuffled pack, the top card first."""

    dealer: int
    pack: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """Make new draw piles of the shuffled discards, the top card first."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Redeal:
    """Deal anew what nobody but its holder has seen: the hands in seat order, then the draw piles."""

    cards: tuple[Card, ...]


Command = AnnounceBuy | Draw | LayContract | LayOff | SwapJoker | Discard | DrawLots | Deal | Reshuffle | Redeal


class Reason(Enum):
    """Why the rules refuse a command."""

    GAME_OVER = "The game is over."
    NOT_YOUR_TURN = "It is not your turn."
    NO_BUYING_NOW = "No cards can be bought in this round."
    TOO_MANY_BOUGHT = "You cannot buy so many cards in a turn."
    BUY_BEFORE_DRAWING = "Announce once what you buy, and before you draw."
    DRAWN_ALREADY = "You have drawn all your cards for this turn."
    PILE_EMPTY = "This pile is empty: draw from another."
    DRAW_FIRST = "Draw first; what you have bought, too."
    CARD_NOT_IN_HAND = "You do not hold this."
    CONTRACT_ALREADY_LAID = "You have laid down your contract; lay off other cards on the groups on the table."
    WRONG_NUMBER_OF_GROUPS = "Lay down exactly the groups of the contract, all at once."
    NOT_A_GROUP = "A set is three cards or more of one rank, a run four or more of one suit in a row, up to the ace."
    TOO_MANY_JOKERS = "A group cannot have more jokers than other cards."
    SET_FULL = "A set cannot have so many cards."
    CONTRACT_NOT_MET = "These are not the groups of the contract: some are too short, or of the wrong kind."
    RUNS_TOUCH = "Two runs of one suit must not touch here."
    CONTRACT_FIRST = "Lay down your contract first."
    NO_SUCH_GROUP = "There is no group with this number."
    DOES_NOT_FIT = "This card does not fit there."
    NO_JOKERS_ON_SETS = "Jokers are laid off on runs only."
    WHICH_END = "Say at which end of the run."
    NO_ENDS = "A set has no ends: name none."
    NO_JOKER_THERE = "There is no joker at this position."
    NOT_THE_JOKERS_CARD = "The joker does not stand for this card."
    NOWHERE_FOR_JOKER = "The joker must stay in its run, which has no room for it there."
    KEEP_TWO_CARDS = "Until your contract is on the table you must keep two cards: one to discard, and one more."
    NOT_A_DISCARD_PILE = "Discard onto one of the two discard piles."
    JUST_TAKEN = "You have just taken this card from a discard pile: discard another one."
    NOT_THE_DEALER = "Only the dealer does this."
    NOTHING_TO_DEAL = "The dealer has nothing of the kind to do now."
    WRONG_CARDS = "The dealer must use exactly the cards that are there."
    WRONG_DEALER = "Another seat deals now."
