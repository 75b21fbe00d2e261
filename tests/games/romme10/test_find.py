"""Finding a contract, held against a finder that tries everything."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from random import Random

import pytest

from service.games.romme10.cards import JOKER, PACK, Card, Suit, in_order
from service.games.romme10.commands import LayContract
from service.games.romme10.contracts import CLASSIC10, SHANGHAI10, Contract
from service.games.romme10.finding import contract_in
from service.games.romme10.laying import place
from tests.games.romme10.given import after, cards, groups, legal, melding, texts

HANDS = 250  # of each contract
SHAPES = ((2, 7), (3, 4), (4, 3))  # suits and ranks in a row, of which a hand is made
ENOUGH = 5  # hands that hold it, and that do not


def found(hand: str, contract: str, *, adjacent: bool = True) -> str | None:
    """Write the groups found."""
    some = contract_in(in_order(cards(hand)), Contract.parse(contract), adjacent=adjacent)
    return None if some is None else " / ".join(texts(group.cards) for group in some)


@dataclass(frozen=True)
class Laid:
    """A group that some cards of a hand make; of a run its suit, and where it may begin."""

    mask: int
    length: int
    suit: Suit | None
    starts: range


def tried(hand: tuple[Card, ...], contract: Contract, *, adjacent: bool) -> bool:
    """Whether any cards of the hand meet the contract, by trying all of them. It shares nothing with the room."""
    every = [laid for mask in range(1, 1 << len(hand)) if (laid := _laid(hand, mask))]
    wanted = [("S", length) for length in contract.sets] + [("R", length) for length in contract.runs]
    return any(adjacent or _apart(groups) for groups in _chosen(every, wanted, 0))


def _laid(hand: tuple[Card, ...], mask: int) -> Laid | None:
    regular = [card for place, card in enumerate(hand) if mask >> place & 1 and card is not JOKER]
    length = mask.bit_count()
    if length < 3 or len(regular) * 2 < length:
        return None
    ranks, suits = {card.rank for card in regular}, {card.suit for card in regular}
    if len(ranks) == 1:
        return Laid(mask, length, None, range(0))
    starts = range(max(2, max(ranks) - length + 1), min(*ranks, 15 - length) + 1)
    row = len(suits) == 1 and len(ranks) == len(regular) and length >= 4 and starts
    return Laid(mask, length, regular[0].suit, starts) if row else None


def _chosen(every: list[Laid], wanted: list[tuple[str, int]], used: int) -> Iterator[list[Laid]]:
    """Yield the ways to meet what is wanted with cards that are not used."""
    if not wanted:
        yield []
        return
    (kind, least), *others = wanted
    for laid in every:
        if not laid.mask & used and laid.length >= least and (laid.suit is None) is (kind == "S"):
            yield from ([laid, *more] for more in _chosen(every, others, used | laid.mask))


def _apart(groups: list[Laid]) -> bool:
    """Whether the jokers can be placed so that no two runs of a suit touch."""
    runs = [laid for laid in groups if laid.suit]
    return any(
        not any(
            low.suit is high.suit and start + low.length == other
            for (low, start), (high, other) in permutations(zip(runs, starts, strict=True), 2)
        )
        for starts in product(*(run.starts for run in runs))
    )


def few_kinds(random: Random, size: int) -> tuple[Card, ...]:
    """Return a hand of a small part of the pack, in which much fits together."""
    suits, ranks = random.choice(SHAPES)
    wanted, low = random.sample(list(Suit), suits), random.randint(2, 8)
    part = [card for card in PACK if card.suit in wanted and low <= card.rank < low + ranks]
    return in_order(random.sample([*part, *[JOKER] * 6], size))


@pytest.mark.parametrize("adjacent", [True, False])
@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("S3", range(3, 8)),
        ("S5", range(7, 11)),
        ("R4", range(4, 9)),
        ("R5", range(5, 10)),
        ("R7", range(7, 11)),
        ("S3 S3", range(6, 10)),
        ("R4 S3", range(7, 10)),
        ("S4 R5", range(10, 12)),
        ("R4 R4", range(8, 11)),
        ("R5 R4", range(9, 11)),
        ("S3 S3 S3", range(9, 11)),
    ],
)
def test_a_contract_is_found_if_and_only_if_it_is_there(text: str, sizes: range, adjacent: bool) -> None:
    contract, random, there = Contract.parse(text), Random(f"{text} {adjacent}"), 0
    for _ in range(HANDS):
        hand = few_kinds(random, random.choice(sizes))
        some = contract_in(hand, contract, adjacent=adjacent)
        assert (some is not None) == tried(hand, contract, adjacent=adjacent), texts(hand)
        there += some is not None
    assert ENOUGH <= there <= HANDS - ENOUGH, f"found in {there} hands: too many or too few to prove anything"


@pytest.mark.parametrize("adjacent", [True, False])
@pytest.mark.parametrize("contract", dict.fromkeys((*SHANGHAI10, *CLASSIC10)), ids=str)
def test_what_is_found_can_be_laid_down(contract: Contract, adjacent: bool) -> None:
    random, laid = Random(str(contract)), 0
    for size in [*range(contract.cards + 1, 21)] * 4:
        hand = few_kinds(random, size)
        state = melding(texts(hand), "C2", contract=str(contract), adjacent_runs=adjacent)
        for command in legal(state, LayContract):
            assert after(state, 1, command).has_laid(1)
            laid += 1
    assert laid, "no hand held the contract"


def test_a_run_may_have_to_be_longer_than_the_contract_asks_for() -> None:
    assert found("H2 H3 H8 H9 * * * *", "R5") == "H2 H3 * * * * H8 H9"
    assert found("H5 H9 HT * * *", "R5") == "H5 * * * H9 HT"


def test_a_joker_takes_the_place_of_a_card_that_another_group_needs() -> None:
    assert found("H5 H6 H7 H8 S6 *", "R4 S3") is None
    assert found("H5 H6 H7 H8 S6 * *", "R4 S3") == "H5 * H7 H8 / S6 H6 *"


def test_a_set_leaves_cards_to_another_of_its_rank() -> None:
    assert found("H7 S7 C7 D7 * *", "S3 S3") == "C7 S7 * / H7 D7 *"


def test_runs_that_must_not_touch_may_be_longer_or_elsewhere() -> None:
    hand = "C2 C3 C4 C5 C6 C6 C7 C8 C9"
    assert found(hand, "R4 R4") is not None
    assert found("C2 C3 C4 C5 C6 C7 C8 C9", "R4 R4", adjacent=False) is None
    some = found(hand, "R4 R4", adjacent=False)
    assert some is not None
    assert place(1, 1, groups(some), adjacent=False) is not None


def test_too_few_cards_hold_no_contract() -> None:
    assert found("H7 S7 C7 D7 *", "S3 S3") is None


def test_a_seat_that_holds_its_contract_is_told_one_way_to_lay_it_down() -> None:
    (command,) = legal(melding("D7 H7 S7 C2 C3 C4 C5 DK", "C2", contract="R4 S3"), LayContract)
    assert command == LayContract(groups("C2 C3 C4 C5 / S7 H7 D7"))
    assert not legal(melding("D7 H7 S8 C2 C3 C4 C5 DK", "C2", contract="R4 S3"), LayContract)
