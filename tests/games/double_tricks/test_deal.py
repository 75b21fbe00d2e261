from dataclasses import replace

import pytest

from service.draw import SeededDraw
from service.games.double_tricks import GAME
from service.games.double_tricks.commands import Bid, Deal, Reason
from service.games.double_tricks.events import Dealt, Hand
from service.games.double_tricks.options import Options
from service.games.double_tricks.state import Phase
from tests.games.double_tricks.given import after, bid, cards, dealt, options, played, refusal, stacked, when

START = GAME.start(options(hand_sizes=(2, 1)), 3)


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left_neighbour() -> None:
    pack = START.setup.pack
    (event,) = when(START, 0, Deal(2, pack))
    assert isinstance(event, Dealt)
    by_seat = ((pack[1], pack[4]), (pack[2], pack[5]), (pack[0], pack[3]))  # seat 3 is dealt to first
    assert tuple(hand.cards for hand in event.hands) == by_seat
    assert (event.turn_up, event.stock) == (pack[6], pack[7:])
    assert (event.round, event.dealer, event.hand_size) == (1, 2, 2)


def test_the_turned_up_card_and_the_stock_take_no_part_in_play() -> None:
    state = after(START, 0, Deal(2, START.setup.pack))
    assert sum(len(hand) for hand in state.hands) + len(state.round.stock) + 1 == 54


def test_the_left_neighbour_of_the_dealer_bids_first() -> None:
    state = after(START, 0, Deal(3, START.setup.pack))
    assert (state.phase, GAME.to_act(state)) == (Phase.BID, (1,))


@pytest.mark.parametrize(("turn_up", "trump"), [("CQ/D4", "C"), ("S9/C7", "S"), ("C8/POPE", None), ("H8/FOOL", None)])
def test_the_higher_motif_turned_up_is_trump_and_pope_and_fool_make_none(turn_up: str, trump: str | None) -> None:
    state = dealt("CA/H2", "SA/D2", turn_up=turn_up)
    assert (state.round.trump and state.round.trump.value) == trump


def test_the_dealer_shuffles_the_whole_pack_and_draws_the_first_dealer_by_lot() -> None:
    dealers = set()
    for seed in range(30):
        deal = GAME.chance(START, SeededDraw(bytes([seed])))
        assert isinstance(deal, Deal)
        assert sorted(map(str, deal.pack)) == sorted(map(str, START.setup.pack))
        dealers.add(deal.dealer)
    assert dealers == {1, 2, 3}


def test_the_first_dealer_can_be_chosen() -> None:
    state = GAME.start(options(first_dealer=2), 3)
    deal = GAME.chance(state, SeededDraw(b"any"))
    assert isinstance(deal, Deal)
    assert deal.dealer == 2
    assert refusal(state, 0, replace(deal, dealer=3)) is Reason.WRONG_DEALER


def test_the_next_dealer_is_the_old_start_player_and_the_pack_is_whole_again() -> None:
    state = after(START, 0, stacked(START, "CA/H2 SA/D2", "HA/C2 DA/S2", "CK/S3 SK/H3", turn_up="H8/FOOL", dealer=3))
    state = played(bid(state, 0, 0, 0), "CA/H2:CA", "HA/C2:C2", "CK/S3:CK", "SA/D2:SA", "DA/S2:S2", "SK/H3:SK")
    deal = GAME.chance(state, SeededDraw(b"any"))
    assert isinstance(deal, Deal)
    assert deal.dealer == 1
    assert refusal(state, 0, replace(deal, dealer=2)) is Reason.WRONG_DEALER
    state = after(state, 0, deal)
    assert (state.round.number, state.round.hand_size, GAME.to_act(state)) == (2, 1, (2,))


def test_only_chance_deals() -> None:
    deal = Deal(1, START.setup.pack)
    assert refusal(START, 1, deal) is Reason.NOT_THE_DEALER


@pytest.mark.parametrize("dealer", [-1, 0, 4])
def test_the_dealer_must_be_a_seat_of_the_table(dealer: int) -> None:
    assert refusal(START, 0, Deal(dealer, START.setup.pack)) is Reason.WRONG_DEALER


def test_nothing_is_dealt_in_the_middle_of_a_round() -> None:
    state = dealt("CA/H2", "SA/D2")
    deal = Deal(2, state.setup.pack)
    assert refusal(state, 0, deal) is Reason.NOT_TIME_TO_DEAL
    assert refusal(bid(state, 0, 0), 0, deal) is Reason.NOT_TIME_TO_DEAL
    assert GAME.chance(state, SeededDraw(b"any")) is None


def test_exactly_the_tables_pack_is_dealt() -> None:
    pack = START.setup.pack
    stranger = cards("CA/H3")
    for wrong in (pack[1:], (*pack, pack[0]), (*pack[1:], pack[1]), (*pack[1:], *stranger), ()):
        assert refusal(START, 0, Deal(1, wrong)) is Reason.WRONG_PACK


def test_before_the_deal_nobody_can_do_anything() -> None:
    state = GAME.start(Options(), 4)
    assert GAME.to_act(state) == ()
    assert all(GAME.legal(state, seat) == () for seat in range(5))
    assert refusal(state, 1, Bid(0)) is Reason.NOT_YOUR_TURN
    assert refusal(state, 0, Bid(0)) is Reason.NOT_YOUR_TURN


def test_a_seat_sees_its_own_hand_dealt_and_a_spectator_sees_none() -> None:
    (event,) = when(START, 0, Deal(3, START.setup.pack))
    assert isinstance(event, Dealt)
    seen, watched = GAME.see(event, 2), GAME.see(event, None)
    assert seen == replace(event, hands=(Hand(()), event.hands[1], Hand(())), stock=())
    assert watched == replace(event, hands=(Hand(()),) * 3, stock=())
