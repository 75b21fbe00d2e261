"""How long it takes to find a contract in a hand of ROMMÉ 10, or that there is none: nothing is remembered."""

import random
import time

from service.games.romme10.cards import JOKER, PACK, REGULAR, Card, in_order
from service.games.romme10.contracts import CLASSIC10, SHANGHAI10, Contract
from service.games.romme10.finding import contract_in
from tests.bench.figures import Figure

HANDS = 2_000  # of each contract
SIZES = range(11, 17)
JOKERS = range(3, 7)  # of a hand with many
QUANTILES = (("median", 0.5), ("99.9 %", 0.999), ("worst", 1.0))
MS = 1000


async def contracts() -> list[Figure]:
    """Return milliseconds a hand, at random hands and at such with many jokers; the spread is over the contracts."""
    figures = []
    for name, many in (("random hands", False), ("3 to 6 jokers", True)):
        for board, known in (("shanghai10", SHANGHAI10), ("classic10", CLASSIC10)):
            times = [sorted(_times(contract, many_jokers=many)) for contract in known]
            figures += [
                Figure(f"romme10: contract in {name}, {board}: {label}", "ms", tuple(_at(each, part) for each in times))
                for label, part in QUANTILES
            ]
    return figures


def _times(contract: Contract, *, many_jokers: bool) -> list[float]:
    """Return how long each hand took."""
    chooser, times = random.Random(str(contract)), []
    for _ in range(HANDS):
        hand = _hand(chooser, many_jokers=many_jokers)
        began = time.thread_time()
        contract_in.__wrapped__(hand, contract, adjacent=True)
        times.append((time.thread_time() - began) * MS)
    return times


def _hand(chooser: random.Random, *, many_jokers: bool) -> tuple[Card, ...]:
    size = chooser.choice(SIZES)
    if not many_jokers:
        return in_order(chooser.sample(PACK, size))
    jokers = chooser.choice(JOKERS)
    return in_order([*chooser.sample(REGULAR * 2, size - jokers), *[JOKER] * jokers])


def _at(times: list[float], part: float) -> float:
    """Return the time that this part of them do not exceed."""
    return times[min(len(times) - 1, int(len(times) * part))]
