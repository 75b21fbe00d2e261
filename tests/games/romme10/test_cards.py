from itertools import combinations_with_replacement

import pytest

from service.games.romme10.cards import CARDS, JOKER, PACK, Card, in_order, points_of
from service.games.romme10.contracts import CARDS_MAX, CLASSIC10, GROUPS_MAX, SHANGHAI10, Contract
from service.games.romme10.finding import contract_in
from tests.games.romme10.given import cards, texts


def test_the_pack_has_every_card_twice_and_six_jokers() -> None:
    assert len(PACK) == 110
    assert PACK.count(JOKER) == 6
    assert all(PACK.count(card) == 2 for card in CARDS.values() if card is not JOKER)
    assert points_of(PACK) == 1100


@pytest.mark.parametrize("text", ["", "H1", "1H", "hk", "HK#1", "**", "HKHK"])
def test_what_is_no_card_is_told_so(text: str) -> None:
    with pytest.raises(ValueError, match="is no card: give C, S, H or D"):
        Card.parse(text)


def test_a_hand_is_sorted_by_suit_and_rank_with_the_jokers_last() -> None:
    assert texts(in_order(cards("* HA C9 H2 CT * S3"))) == "C9 CT S3 H2 HA * *"


@pytest.mark.parametrize("text", ["", "S2", "R3", "S15", "R14", "S03", "S3 R4 S3 R4 S3", "S3,R4", "s3", "3"])
def test_what_is_no_contract_is_told_so(text: str) -> None:
    with pytest.raises(ValueError, match="is no contract: give 1 to 4 groups such as S3 R7"):
        Contract.parse(text)


def test_a_contract_is_written_as_it_was_read_but_for_spaces() -> None:
    contract = Contract.parse(" S3  R10 S7 ")
    assert str(contract) == "S3 R10 S7"
    assert (contract.sets, contract.runs, contract.groups, contract.cards) == ((7, 3), (10,), 3, 20)


@pytest.mark.parametrize("board", [SHANGHAI10, CLASSIC10])
def test_each_contract_asks_for_one_card_more_than_the_one_before(board: tuple[Contract, ...]) -> None:
    assert [contract.cards for contract in board] == list(range(6, 16))


@pytest.mark.parametrize("text", ["S14 R7", "R13 R8", "R6 R5 R5 R5"])
def test_a_contract_that_hardly_anybody_could_meet_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="needs 21 cards: ask for 20 at most"):
        Contract.parse(text)


GROUPS = (*(f"S{cards}" for cards in range(3, 15)), *(f"R{cards}" for cards in range(4, 14)))


@pytest.mark.parametrize("groups", range(1, GROUPS_MAX + 1))
def test_every_other_contract_can_be_met(groups: int) -> None:
    texts = [" ".join(some) for some in combinations_with_replacement(GROUPS, groups)]
    contracts = [Contract.parse(text) for text in texts if sum(int(group[1:]) for group in text.split()) <= CARDS_MAX]
    assert contracts
    assert all(contract_in(in_order(PACK), contract, adjacent=False) for contract in contracts)
