"""Options: how a table is played, and which options cannot be."""

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from service.games.double_tricks.cards import CARDS_IN_A_SET, COMPLEMENT16, Card
from service.kit.game import BadOptions
from service.kit.options import check_ranges, option

SEATS = range(2, 9)
SEATS_WITH_ONE_SET = 5
BOX = 340  # points in chips, all that a material bank and the players have together


class Bank(Enum):
    """What pays the players."""

    UNLIMITED = "unlimited"
    MATERIAL = "material"


class TieBreak(Enum):
    """Who wins among players with equal points."""

    SHARED = "shared"
    EXACT_ROUNDS = "exact rounds"


@dataclass(frozen=True, slots=True)
class Options:
    """How a table is played."""

    sets: int = option(
        "How many sets of 27 cards are in the pack.",
        default=2,
        least=1,
        most=2,
        refused_when="One set is for at most 5 players.",
    )
    deck_pairs: tuple[Card, ...] = option(
        "The cards of a set, two motifs each.",
        default=COMPLEMENT16,
        items=range(CARDS_IN_A_SET, CARDS_IN_A_SET + 1),
        refused_when="Each of the 54 motifs must be there once.",
    )
    hand_sizes: tuple[int, ...] = option(
        "How many cards each player receives, round by round.",
        default=(1, 2, 3, 4, 5, 5, 4, 3, 2, 1),
        least=1,
        most=26,
        items=range(1, 21),
        refused_when="The pack must have the cards for all players, and one more to turn up.",
    )
    start_points: int = option(
        "The points that every player starts with.",
        default=15,
        least=0,
        most=1000,
        refused_when="With a material bank the players cannot start with more than the 340 points in the box.",
    )
    exact_bonus: int = option(
        "The points that an exact bid earns besides itself.",
        default=5,
        least=0,
        most=100,
    )
    specials_anytime: bool = option(
        "Whether POPE and FOOL may be played although the suit led could be followed.",
        default=True,
    )
    dealer_restriction: bool = option(
        "Whether the last bidder must keep the bids from adding up to the number of tricks, if any bid does.",
        default=False,
    )
    bank: Bank = option(
        "Whether the bank can run out, as the 340 points in the box can.",
        default=Bank.UNLIMITED,
    )
    tie_break: TieBreak = option(
        "Whether equal points share the place, or exact bids in more rounds win.",
        default=TieBreak.SHARED,
    )
    first_dealer: int = option(
        "The seat that deals first; 0 for one by lot.",
        default=0,
        least=0,
        most=SEATS[-1],
        refused_when="The table must have that seat.",
    )
    show_trick_history: bool = option(
        "Whether all tricks of the round stay visible, not only the last.",
        default=False,
    )


def check(options: Options, seats: int) -> None:
    """Refuse what cannot be played."""
    if seats not in SEATS:
        raise BadOptions("seats", f"choose {SEATS[0]} to {SEATS[-1]} players, not {seats}")
    check_ranges(options)
    if options.sets == 1 and seats > SEATS_WITH_ONE_SET:
        raise BadOptions("sets", f"one set is for at most {SEATS_WITH_ONE_SET} players; take two for {seats}")
    motifs = Counter(motif for card in options.deck_pairs for motif in card.motifs)
    if twice := [str(motif) for motif, count in motifs.items() if count > 1]:
        raise BadOptions("deck_pairs", f"each of the 54 motifs must be there once; {twice[0]} is there twice or more")
    if not pack_suffices(seats, options.sets, max(options.hand_sizes)):
        most = (CARDS_IN_A_SET * options.sets - 1) // seats
        raise BadOptions("hand_sizes", f"{seats} players can receive at most {most} cards each from this pack")
    if options.bank is Bank.MATERIAL and options.start_points * seats > BOX:
        raise BadOptions(
            "start_points", f"the box has {BOX} points: at most {BOX // seats} for each of {seats} players"
        )
    if options.first_dealer > seats:
        raise BadOptions("first_dealer", f"choose a seat from 1 to {seats}, or 0 for one by lot")


def pack_suffices(seats: int, sets: int, hand_size: int) -> bool:
    """Whether all can be dealt their cards, and one is left to turn up."""
    return seats * hand_size < CARDS_IN_A_SET * sets
