"""Options: how a table is played."""

from dataclasses import dataclass
from enum import Enum

from service.games.double_speed.cards import COLOURS, SYMBOLS, Card, all_cards, upright
from service.kit.game import BadOptions
from service.kit.options import check_ranges, option

SEATS = range(2, 5)
CARDS_MAX = 200  # in a deck
SHARE_MIN = 3  # cards for each player: one for the hand, one for the stack, one for the pile


class Deadlock(Enum):
    """Who notices that nobody can go on."""

    CLAIM = "any player"
    AUTO = "the table"


class HardDeadlock(Enum):
    """What happens when no card of the pile helps."""

    REOPEN = "a card from a stack does"
    STALEMATE = "the round is over"


class Match(Enum):
    """How many rounds make a match."""

    BEST_OF = "so many"
    FIRST_TO = "until somebody has won so many"


@dataclass(frozen=True, slots=True)
class Options:
    """How a table is played."""

    colours: int = option(
        "How many colours there are.",
        default=4,
        least=3,
        most=len(COLOURS),
        refused_when=f"The deck must not have more than {CARDS_MAX} cards.",
    )
    symbols: int = option(
        "How many symbols there are.",
        default=4,
        least=3,
        most=len(SYMBOLS),
        refused_when=f"The deck must not have more than {CARDS_MAX} cards.",
    )
    copies: int = option(
        "How often each card is in the deck.",
        default=1,
        least=1,
        most=4,
        refused_when=f"The deck must not have more than {CARDS_MAX} cards.",
    )
    deck: tuple[Card, ...] = option(
        "The cards by name, each as often as it is in the deck; empty for all that the colours and symbols make.",
        default=(),
        items=range(CARDS_MAX + 1),
        refused_when="There must be 3 cards for every player. Where cards may be turned, each has one name: "
        "its halves in the order of the colours R, G, B, Y, V, W.",
    )
    hand_limit: int = option(
        "How many cards a hand may have.",
        default=4,
        least=1,
        most=12,
        refused_when="Every player's share of the deck must be 2 cards more, so that he has a stack to draw from.",
    )
    starter: int = option(
        "The seat whose stack gives the first card; 0 for one by lot. In a match the next seat follows.",
        default=1,
        least=0,
        most=SEATS[-1],
        refused_when="The table must have that seat.",
    )
    rotation: bool = option("Whether a card may be turned, so that either half may meet either.", default=True)
    auto_draw: bool = option("Whether a hand is filled up by itself after a card is played.", default=False)
    deadlock: Deadlock = option(
        "Whether a player must say that nobody can go on, or the table turns the pile by itself.",
        default=Deadlock.CLAIM,
    )
    hard_deadlock: HardDeadlock = option(
        "Whether a card is turned up from a stack when no card of the pile helps, or the round is over.",
        default=HardDeadlock.REOPEN,
    )
    match: Match = option(
        "Whether whoever wins the most of so many rounds wins, or who is the first to win so many.",
        default=Match.BEST_OF,
    )
    rounds: int = option("That number of rounds; 1 for a single one.", default=1, least=1, most=15)


def cards_of(options: Options) -> tuple[Card, ...]:
    """Return the cards that are played with."""
    return options.deck or all_cards(options.colours, options.symbols) * options.copies


def check(options: Options, seats: int) -> None:
    """Refuse what cannot be played."""
    if seats not in SEATS:
        raise BadOptions("seats", f"choose {SEATS[0]} to {SEATS[-1]} players, not {seats}")
    check_ranges(options)
    if options.starter > seats:
        raise BadOptions("starter", f"choose a seat from 1 to {seats}, or 0 for one by lot")
    for card in options.deck if options.rotation else ():
        if card is not upright(card):
            raise BadOptions("deck", f"cards may be turned, so write {upright(card)} instead of {card}")
    cards = len(cards_of(options))
    if cards > CARDS_MAX:
        raise BadOptions("colours", f"that makes {cards} cards; take fewer colours, symbols or copies, for {CARDS_MAX}")
    share = cards // seats
    if share < SHARE_MIN:
        raise BadOptions("deck", f"{seats} players need {SHARE_MIN * seats} cards or more, not {cards}")
    if options.hand_limit > share - 2:
        raise BadOptions("hand_limit", f"of {cards} cards each of {seats} players has {share}; choose 1 to {share - 2}")
