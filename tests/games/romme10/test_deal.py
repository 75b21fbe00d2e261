from typing import Any

import pytest

from service.draw import SeededDraw
from service.games.romme10 import GAME
from service.games.romme10.cards import JOKER, PACK
from service.games.romme10.commands import Deal, Draw, DrawLots, Reason, Reshuffle
from service.games.romme10.dealing import LOTS
from service.games.romme10.events import Dealt
from service.games.romme10.options import FirstDealer
from service.games.romme10.piles import Pile
from service.games.romme10.state import Phase, State
from service.kit.game import CHANCE
from tests.games.romme10.given import (
    D1,
    D2,
    X1,
    X2,
    after,
    cards,
    dealt,
    discard,
    drawn,
    legal,
    refusal,
    start,
    texts,
    when,
)

DRAW = SeededDraw(b"any seed")


def lots(text: str) -> DrawLots:
    return DrawLots(cards(text))


def dealt_by(dealer: int, seats: int = 4, **chosen: Any) -> Dealt:
    (event,) = when(start(seats, first_dealer=FirstDealer(dealer), **chosen), CHANCE, Deal(dealer, PACK))
    assert isinstance(event, Dealt)
    return event


def dealer_chosen(state: State, seed: bytes = b"any seed") -> int:
    command = GAME.chance(state, SeededDraw(seed))
    assert isinstance(command, Deal)
    return command.dealer


def test_the_highest_card_drawn_makes_the_first_dealer() -> None:
    state = after(start(), CHANCE, lots("H2 HA DK CQ"))
    assert state.phase is Phase.DEAL
    assert dealer_chosen(state) == 2


def test_equal_highest_cards_are_drawn_again_by_those_who_have_them() -> None:
    state = after(start(), CHANCE, lots("HA H2 DA CQ"))
    assert state.phase is Phase.LOTS
    command = GAME.chance(state, DRAW)
    assert isinstance(command, DrawLots)
    assert len(command.cards) == 2
    state = after(state, CHANCE, lots("C3 C3"), lots("C3 C4"))
    assert dealer_chosen(state) == 3
    assert [[lot.seat for lot in each.lots] for each in GAME.project(state, None).lots] == [
        [1, 2, 3, 4],
        [1, 3],
        [1, 3],
    ]


def test_lots_are_drawn_without_jokers() -> None:
    assert JOKER not in LOTS
    assert refusal(start(), CHANCE, lots("H2 * H3 H4")) is Reason.WRONG_CARDS


@pytest.mark.parametrize("text", ["H2 H3 H4", "H2 H3 H4 H5 H6", "H2 H2 H2 H3"])
def test_lots_that_cannot_have_been_drawn_are_refused(text: str) -> None:
    assert refusal(start(), CHANCE, lots(text)) is Reason.WRONG_CARDS


@pytest.mark.parametrize("seat", range(1, 5))
def test_a_seat_can_deal_first_by_choice(seat: int) -> None:
    assert dealer_chosen(start(first_dealer=FirstDealer(seat))) == seat


def test_the_first_dealer_can_be_chosen_by_lot() -> None:
    state = start(first_dealer=FirstDealer.RANDOM)
    dealers = {dealer_chosen(state, bytes([seed])) for seed in range(10)}
    assert len(dealers) > 1
    assert dealers <= {1, 2, 3, 4}
    assert after(state, CHANCE, Deal(3, PACK)).round.dealer == 3


def test_cards_are_dealt_singly_from_the_dealers_left() -> None:
    event = dealt_by(2, seats=3, hand_size=3, buy_from_round=1)
    assert [texts(hand.cards) for hand in event.hands] == ["C3 C6 C9", "C4 C7 CT", "C2 C5 C8"]


def test_the_rest_makes_two_draw_piles_with_a_card_turned_up_from_each() -> None:
    event = dealt_by(1, seats=3)
    assert [len(stock.cards) for stock in event.stocks] == [38, 37]
    rest = PACK[33:]
    assert event.discards == (rest[0], rest[39])
    assert event.stocks[0].cards[-1] is rest[1]
    assert event.stocks[1].cards[0] is rest[-1]


def test_the_dealers_left_neighbour_begins_and_the_next_seat_deals_next() -> None:
    state = dealt("H2", "H3", "H4", rounds=2)
    assert state.turn == 1
    state = after(drawn(state._replace(hands=((), *state.hands[1:])), D1), 1, discard("C3"))
    assert state.phase is Phase.DEAL
    assert dealer_chosen(state) == 1
    state = after(state, CHANCE, Deal(1, PACK))
    assert (state.round.place, state.turn, state.table, state.reshuffles) == (2, 2, (), 0)


def test_only_the_dealer_deals_and_only_what_is_due() -> None:
    state = start(first_dealer=FirstDealer.SEAT_1)
    assert refusal(state, 1, Deal(1, PACK)) is Reason.NOT_THE_DEALER
    assert refusal(state, CHANCE, lots("H2 H3 H4 H5")) is Reason.NOTHING_TO_DEAL
    assert refusal(state, CHANCE, Reshuffle(())) is Reason.NOTHING_TO_DEAL
    assert refusal(dealt("H2", "H3"), CHANCE, Deal(1, PACK)) is Reason.NOTHING_TO_DEAL
    over = state._replace(phase=Phase.OVER)
    assert refusal(over, CHANCE, Deal(1, PACK)) is Reason.GAME_OVER


def test_the_dealer_deals_the_whole_pack_and_nothing_else() -> None:
    state = start(first_dealer=FirstDealer.SEAT_1)
    assert refusal(state, CHANCE, Deal(1, PACK[1:])) is Reason.WRONG_CARDS
    assert refusal(state, CHANCE, Deal(1, (*PACK[1:], JOKER))) is Reason.WRONG_CARDS
    assert refusal(state, CHANCE, Deal(2, PACK)) is Reason.WRONG_DEALER
    assert refusal(start(first_dealer=FirstDealer.RANDOM), CHANCE, Deal(5, PACK)) is Reason.WRONG_DEALER


def emptied(**chosen: Any) -> State:
    """Return a round whose draw piles have just been emptied, when seat 1 is to discard."""
    state = dealt("H2 H3", "H4", piles=("C2", "", "C9 S9 SK", "D9 HK"), **chosen)
    return drawn(state, D1)


def test_when_both_draw_piles_are_empty_the_discards_but_the_tops_are_shuffled() -> None:
    state = after(emptied(), 1, discard("C2"))
    assert state.phase is Phase.RESHUFFLE
    assert GAME.to_act(state) == ()
    assert GAME.legal(state, 2) == ()
    command = GAME.chance(state, DRAW)
    assert isinstance(command, Reshuffle)
    assert sorted(texts(command.cards).split()) == ["C9", "D9", "S9", "SK"]
    assert refusal(state, CHANCE, Reshuffle(command.cards[1:])) is Reason.WRONG_CARDS
    state = after(state, CHANCE, Reshuffle(cards("C9 D9 S9 SK")))
    assert [texts(pile) for pile in state.piles] == ["D9 C9", "SK S9", "C2", "HK"]
    assert (state.phase, state.turn, state.reshuffles) == (Phase.DRAW, 2, 1)


def test_an_odd_card_goes_to_the_first_draw_pile() -> None:
    state = after(emptied()._replace(piles=((), (), cards("C9 S9 SK"), cards("HK"))), 1, discard("C2"))
    state = after(state, CHANCE, Reshuffle(cards("C9 S9 SK")))
    assert [len(state.piles[pile.value]) for pile in Pile] == [2, 1, 1, 1]


def test_one_empty_draw_pile_is_only_not_available() -> None:
    state = dealt("H2", "H3", piles=("", "D2 D3", "SK S9", "HK"))
    assert GAME.chance(state, DRAW) is None
    assert [command.pile for command in legal(state, Draw)] == [D2, X1, X2]
    assert refusal(state, 1, Draw(D1)) is Reason.PILE_EMPTY
