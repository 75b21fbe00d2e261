"""Options: how a table is played, and which options cannot be."""

from dataclasses import dataclass
from enum import Enum

from service.games.romme10.cards import PACK
from service.games.romme10.contracts import Contract
from service.games.romme10.profiles import PROFILES, Board, Profile
from service.kit.game import BadOptions
from service.kit.options import check_ranges, option, settled

SEATS = range(2, 7)
PILES = 4
CONTRACTS_MAX = 20


class FirstDealer(Enum):
    """Who deals first."""

    DRAW = "the seat that draws the highest card"
    RANDOM = "a seat by lot"
    SEAT_1 = 1
    SEAT_2 = 2
    SEAT_3 = 3
    SEAT_4 = 4
    SEAT_5 = 5
    SEAT_6 = 6


class StockEmpty(Enum):
    """What happens when both draw piles are empty."""

    RESHUFFLE = "the discards are shuffled"
    END_ROUND = "the round ends, and nobody wins it"


class DiscardVisibility(Enum):
    """Which discards all can see."""

    TOP = "the top of each pile"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Options:
    """How a table is played. What is None is as the profile has it."""

    profile: Profile = option(
        "Which contracts are played, and how many, where nothing else is chosen.", default=Profile.SHANGHAI10
    )
    contracts: tuple[Contract, ...] | None = option(
        "The contracts, numbered from 1, each with 1 to 4 groups and 20 cards at most: such as S3 R7 for a set of 3 "
        "and a run of 7 cards or more.",
        default=None,
        profiles=PROFILES,
        items=range(1, CONTRACTS_MAX + 1),
        refused_when="No set may be longer than sets can be, and who plays a contract of more cards than are dealt and "
        "one drawn must be able to buy.",
    )
    rounds: tuple[int, ...] | None = option(
        "The numbers of the contracts that are played, round by round; with contracts of your own, all of them if left "
        "out.",
        default=None,
        profiles=PROFILES,
        least=1,
        most=CONTRACTS_MAX,
        items=range(1, CONTRACTS_MAX + 1),
        refused_when="There must be contracts with these numbers.",
    )
    hand_size: int = option(
        "How many cards each player receives.",
        default=11,
        least=3,
        most=20,
        refused_when="The 110 cards must suffice for all hands and for each of the four piles. See contracts: they "
        "need enough cards.",
    )
    buy_from_round: int = option(
        "The number of the first contract at which cards can be bought.",
        default=4,
        least=1,
        most=CONTRACTS_MAX,
        refused_when="See contracts: some need bought cards.",
    )
    buy_max: int = option(
        "How many cards can be bought in a turn; 0 for none.",
        default=2,
        least=0,
        most=5,
        refused_when="See contracts: some need bought cards.",
    )
    buy_cost: int = option("The points that each bought card costs.", default=0, least=0, most=100)
    layoff_requires_contract: bool = option(
        "Whether one must have laid down the contract before one lays off a card.", default=True
    )
    swap_requires_contract: bool = option(
        "Whether one must have laid down the contract before one swaps a joker.", default=False
    )
    joker_layoff_on_sets: bool = option("Whether jokers can be laid off on sets, too.", default=False)
    set_max: int = option(
        "How many cards a set can have, jokers included.",
        default=8,
        least=3,
        most=14,
        refused_when="The contracts' sets must fit.",
    )
    bonus: int = option(
        "The points for laying down the contract and going out in the same turn.", default=50, least=0, most=1000
    )
    bonus_final_discard: bool = option("Whether there is the bonus, too, if the last card was discarded.", default=True)
    forbid_return_discard: bool = option(
        "Whether a card taken from a discard pile cannot be discarded in the same turn, if there is another.",
        default=False,
    )
    adjacent_runs: bool = option(
        "Whether two runs of a contract can touch, as clubs 2 to 5 and 6 to 9 do.", default=True
    )
    first_dealer: FirstDealer = option(
        "Who deals first.", default=FirstDealer.DRAW, refused_when="The table must have that seat."
    )
    stock_empty: StockEmpty = option(
        "Whether the discards are shuffled when both draw piles are empty, or the round ends with that turn.",
        default=StockEmpty.RESHUFFLE,
    )
    max_reshuffles: int | None = option(
        "How often the discards are shuffled in a round before it ends; without a limit, if left out.",
        default=None,
        least=0,
        most=100,
    )
    discard_visibility: DiscardVisibility = option(
        "Whether all discards stay visible, or only the top ones.", default=DiscardVisibility.TOP
    )
    max_idle_laps: int = option(
        "How often all may have their turn with nothing laid down before the round ends, and nobody wins it.",
        default=20,
        least=1,
        most=100,
    )

    def __post_init__(self) -> None:
        """Play all of somebody's own contracts, where nothing else is chosen: a profile counts its own only."""
        if self.contracts is not None and self.rounds is None:
            object.__setattr__(self, "rounds", tuple(range(1, len(self.contracts) + 1)))


def board_of(options: Options) -> Board:
    """Return what is played: what was chosen, and for the rest the profile."""
    chosen = settled(options)
    return Board(chosen.contracts, chosen.rounds)


def most_bought(options: Options, number: int) -> int:
    """Return how many cards can be bought in a turn at the contract with this number."""
    return options.buy_max if number >= options.buy_from_round else 0


def check(options: Options, seats: int) -> None:
    """Refuse what cannot be played."""
    if seats not in SEATS:
        raise BadOptions("seats", f"choose {SEATS[0]} to {SEATS[-1]} players, not {seats}")
    check_ranges(options)
    if seats * options.hand_size > len(PACK) - PILES:
        most = (len(PACK) - PILES) // seats
        raise BadOptions("hand_size", f"{seats} players can receive at most {most} cards each")
    if isinstance(options.first_dealer.value, int) and options.first_dealer.value > seats:
        raise BadOptions("first_dealer", f"choose one of the seats 1 to {seats}, or have it drawn")
    board = board_of(options)
    if max(board.rounds) > len(board.contracts):
        raise BadOptions(
            "rounds", f"there are contracts 1 to {len(board.contracts)}: play those, not {max(board.rounds)}"
        )
    for number in board.rounds:
        _check_contract(options, number, board.contracts[number - 1])


def _check_contract(options: Options, number: int, contract: Contract) -> None:
    if contract.sets and contract.sets[0] > options.set_max:
        raise BadOptions("set_max", f"contract {number}, {contract}, needs sets of {contract.sets[0]} cards")
    if contract.cards > options.hand_size + 1 and not most_bought(options, number):
        raise BadOptions(
            "buy_from_round" if options.buy_max else "buy_max",
            f"contract {number}, {contract}, needs {contract.cards} cards, and who cannot buy never has more than "
            f"{options.hand_size + 1}: let cards be bought, or deal more",
        )
