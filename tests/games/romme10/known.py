"""What the laws must know of ROMMÉ 10."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from random import Random
from typing import Any

from service.games.romme10.cards import CARDS, PACK, Card
from service.games.romme10.commands import (
    AnnounceBuy,
    Deal,
    Discard,
    Draw,
    LayContract,
    LayOff,
    Reshuffle,
    SwapJoker,
)
from service.games.romme10.contracts import CLASSIC10, Contract
from service.games.romme10.options import DiscardVisibility, FirstDealer, Options, StockEmpty
from service.games.romme10.piles import DISCARDS, STOCKS, Pile, halves
from service.games.romme10.profiles import Profile
from service.games.romme10.state import State
from tests.games.story import History, Known

FLAGS = (True, False)
IDLE_LAPS = (1, 20)
ROUNDS = 2
THRIFTY = 0.1  # how often one announces something before one draws
BOLD = 0.9  # how often one lays off or swaps what one can
TRIES = 4  # at each number of cards dealt anew
OWN = tuple(map(Contract.parse, ("S3", "R4", "S3 S3", "R4 S3", "R5 S4", "S3 S3 S3 R4")))


def options(random: Random, seats: int) -> Options:
    contracts, rounds = random.choice(((None, 10), (CLASSIC10, 10), (OWN, len(OWN)), (OWN, len(OWN))))
    return Options(
        profile=random.choice(list(Profile)),
        contracts=contracts,
        rounds=tuple(random.choices(range(1, rounds + 1), k=random.randint(1, ROUNDS))),
        hand_size=random.randint(14, 16) if random.random() < 0.3 else 11,
        buy_from_round=random.randint(1, 4),
        buy_max=random.randint(1, 5),
        buy_cost=random.choice((0, 10)),
        layoff_requires_contract=random.choice(FLAGS),
        swap_requires_contract=random.choice(FLAGS),
        joker_layoff_on_sets=random.choice(FLAGS),
        set_max=random.randint(4, 14),
        bonus=random.choice((0, 50)),
        bonus_final_discard=random.choice(FLAGS),
        forbid_return_discard=random.choice(FLAGS),
        adjacent_runs=random.choice(FLAGS),
        first_dealer=random.choice(list(FirstDealer)[: 2 + seats]),
        stock_empty=random.choices(list(StockEmpty), (4, 1))[0],
        max_reshuffles=random.choice((None, None, 0, 3, 6)),
        max_idle_laps=random.randint(*IDLE_LAPS),
        discard_visibility=random.choice(list(DiscardVisibility)),
    )


def choose(random: Random, commands: Sequence[Any]) -> Any:
    """Choose so that rounds are won: lay down what can be laid down, and do not buy whatever there is."""
    if contract := [each for each in commands if isinstance(each, LayContract)]:
        return contract[0]
    laying = [each for each in commands if isinstance(each, LayOff | SwapJoker)]
    announcing = [each for each in commands if isinstance(each, AnnounceBuy)]
    if (laying and random.random() < BOLD) or (announcing and random.random() < THRIFTY):
        return random.choice(laying or announcing)
    return random.choice([each for each in commands if isinstance(each, Draw | Discard)])


def pack(state: State) -> tuple[Card, ...]:
    return PACK if state.round.place else ()


def places(state: State) -> Iterator[Card]:
    yield from chain(*state.hands, *state.piles)
    yield from (laid.card for group in state.table for laid in group.cards)


@dataclass
class Held:
    """A card that was dealt or shuffled: where in the dealer's command it came from, and whether it is no secret."""

    card: Card
    origin: int
    place: int
    known: bool = False


@dataclass
class Followed:
    """Where the cards of a round are: equal cards are told apart by where they came from."""

    hands: dict[int, list[Held]]
    piles: dict[Pile, list[Held]]
    shuffled: dict[int, list[Held]] = field(default_factory=dict)  # by the place of the dealer's command


def redeals(random: Random, start: State, history: History, seat: int | None) -> Iterator[History]:
    """Shuffle ever fewer of the hidden cards anew, in every deal and reshuffle."""
    hidden: dict[int, list[int]] = {}
    deals = [place for place, (_, command) in enumerate(history) if isinstance(command, Deal)]
    for begin, end in zip(deals, [*deals[1:], len(history)], strict=False):
        hidden |= _hidden(start, history, range(begin, end), seat)
    share = 1.0
    while share > 0.02:
        for _ in range(TRIES):
            yield _shuffled(random, history, hidden, share)
        share *= 0.7


def _hidden(start: State, history: History, of_round: range, seat: int | None) -> dict[int, list[int]]:
    """Return for each command of the dealer's in a round the places whose cards the seat has not seen."""
    followed = _dealt(start, history[of_round[0]][1], of_round[0])
    for place in of_round[1:]:
        who, command = history[place]
        if isinstance(command, Reshuffle):
            _reshuffle(followed, command, place)
        elif isinstance(command, Draw):
            held = followed.piles[command.pile].pop()
            held.known |= command.pile in DISCARDS or who == seat
            followed.hands[who].append(held)
        elif isinstance(command, Discard):
            held = _played(followed.hands[who], command.card)
            held.known = True
            followed.piles[command.pile].append(held)
        else:
            for card in _laid(command):
                _played(followed.hands[who], card).known = True
    for held in followed.hands.get(seat or 0, ()):
        held.known = True
    return {
        origin: [held.place for held in shuffled if not held.known] for origin, shuffled in followed.shuffled.items()
    }


def _dealt(start: State, deal: Deal, origin: int) -> Followed:
    held = [Held(card, origin, place) for place, card in enumerate(deal.pack)]
    seats = start.setup.seats
    in_hands = seats * start.setup.options.hand_size
    hands = {(deal.dealer + place) % seats + 1: held[place:in_hands:seats] for place in range(seats)}
    first, second = map(list, halves(held[in_hands:]))
    tops = [[first.pop()], [second.pop()]]
    for (top,) in tops:
        top.known = True
    return Followed(hands, dict(zip(Pile, (first, second, *tops), strict=True)), {origin: held})


def _reshuffle(followed: Followed, command: Reshuffle, origin: int) -> None:
    held = [Held(card, origin, place) for place, card in enumerate(command.cards)]
    for pile in DISCARDS:
        del followed.piles[pile][:-1]
    followed.piles |= dict(zip(STOCKS, map(list, halves(held)), strict=True))
    followed.shuffled[origin] = held


def _played(hand: list[Held], card: Card) -> Held:
    """Take a card from a hand, one that is no secret where there is a choice."""
    held = max((each for each in hand if each.card is card), key=lambda each: each.known)
    hand.remove(held)
    return held


def _laid(command: Any) -> list[Card]:
    match command:
        case LayContract():
            return [card for group in command.groups for card in group.cards]
        case LayOff() | SwapJoker():
            return [command.card]
        case _:
            return []


def _shuffled(random: Random, history: History, hidden: dict[int, list[int]], share: float) -> History:
    """Exchange a share of the hidden cards, at least two, in each of the dealer's commands."""
    changed = list(history)
    for origin, places in hidden.items():
        moved = random.sample(places, min(len(places), max(2, int(len(places) * share))))
        _, command = history[origin]
        name = "pack" if isinstance(command, Deal) else "cards"
        before = getattr(command, name)
        cards = list(before)
        for place, source in zip(moved, random.sample(moved, len(moved)), strict=True):
            cards[place] = before[source]
        changed[origin] = (0, replace(command, **{name: tuple(cards)}))
    return changed


KNOWN = Known(
    longest=20_000,
    options=options,
    pack=pack,
    places=places,
    strangers=tuple(CARDS.values()),
    redeals=redeals,
    short=Options(contracts=OWN[:1], rounds=(1, 1), hand_size=13, max_idle_laps=6),
    choose=choose,
    legal_is_complete=False,
)
