"""Commands: what a seat, or the dealer, asks for; and why the rules refuse one."""

from dataclasses import dataclass
from enum import Enum

from service.games.double_tricks.cards import Card, Motif


@dataclass(frozen=True, slots=True)
class Bid:
    """Say how many tricks one will make, and stake as many points."""

    tricks: int


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card; from then on only the chosen motif counts."""

    card: Card
    motif: Motif


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal a round from the shuffled pack, the top card first."""

    dealer: int
    pack: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Redeal:
    """Deal anew what nobody but its holder has seen: the hands in seat order, then the stock."""

    cards: tuple[Card, ...]


Command = Bid | PlayCard | Deal | Redeal


class Reason(Enum):
    """Why the rules refuse a command."""

    GAME_OVER = "The game is over."
    NOT_YOUR_TURN = "It is not your turn."
    BIDDING_NOT_OVER = "Cards are played once everybody has bid."
    BIDDING_OVER = "All bids are made; now cards are played."
    BID_BELOW_ZERO = "A bid is at least 0."
    BID_ABOVE_HAND = "You cannot make more tricks than you have cards."
    BID_ABOVE_POINTS = "A bid is staked, and you cannot stake more points than you have."
    BIDS_ADD_UP = "The last bidder must not make the bids add up to the number of tricks."
    CARD_NOT_IN_HAND = "This card is not in your hand."
    MOTIF_NOT_ON_CARD = "This motif is not on the card."
    MUST_FOLLOW_SUIT = "You have a motif of the suit led, so you must play one."
    NOT_THE_DEALER = "Only the dealer deals."
    NOT_TIME_TO_DEAL = "The dealer deals when a round begins."
    WRONG_PACK = "The dealer must deal exactly the table's pack."
    WRONG_DEALER = "Another seat deals this round."
