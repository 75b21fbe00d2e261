from dataclasses import replace
from typing import Any, cast

import pytest

from service.draw import SeededDraw
from service.games.doppelkopf import GAME
from service.games.doppelkopf.commands import Deal, Reason
from service.games.doppelkopf.contract import Contract, Solo
from service.games.doppelkopf.events import Dealt
from service.games.doppelkopf.options import Options
from service.games.doppelkopf.state import Phase, State
from service.kit.game import CHANCE
from tests.games.doppelkopf.given import (
    H,
    R,
    after,
    dealt,
    filled,
    mandatory,
    named,
    played_out,
    refusal,
    reserved,
    solo,
    stacked,
    start,
    texts,
    when,
)


def draw(seed: int = 0) -> SeededDraw:
    return SeededDraw(seed.to_bytes(32, "big"))


def next_deal(state: State, seed: int = 0) -> Deal:
    deal = GAME.chance(state, draw(seed))
    assert isinstance(deal, Deal)
    return deal


def in_order(state: State, dealer: int = 1) -> Deal:
    return Deal(dealer, state.setup.pack)


@pytest.mark.parametrize(
    ("packets", "first"),
    [
        (4, "CA CT CK CQ HJ H9 DA DT SK SQ SJ S9"),
        (3, "CA CT CK HA HT HK CA CT CK HA HT HK"),
        (12, "CA CT CK CQ CJ C9 SA ST SK SQ SJ S9"),
        (5, "CA CT CK CQ CJ DK DQ DJ D9 CA HJ H9"),
    ],
)
def test_packets_are_dealt_clockwise_from_forehand(packets: int, first: str) -> None:
    state = start(deal_packets=packets)
    (event,) = when(state, CHANCE, in_order(state))
    assert isinstance(event, Dealt)
    assert texts(event.hands[1].cards) == first
    assert [len(hand.cards) for hand in event.hands] == [12] * 4


def test_forehand_is_left_of_the_dealer_and_speaks_first() -> None:
    state = dealt(dealer=2)
    assert (state.phase, state.turn, state.dealing.playing) == (Phase.RESERVE, 3, (3, 4, 1, 2))


@pytest.mark.parametrize(
    ("seats", "dealer", "playing"),
    [(4, 4, (1, 2, 3, 4)), (5, 5, (1, 2, 3, 4)), (6, 2, (3, 4, 5, 6)), (7, 6, (7, 1, 2, 3)), (8, 8, (1, 2, 3, 4))],
)
def test_the_four_left_of_the_dealer_play_and_the_others_sit_out(
    seats: int, dealer: int, playing: tuple[int, ...]
) -> None:
    state = dealt(seats=seats, dealer=dealer)
    assert state.dealing.playing == playing
    assert [seat for seat in range(1, seats + 1) if state.hands[seat - 1]] == sorted(playing)
    view = GAME.project(state, None)
    assert [player.seat for player in view.players if player.playing] == sorted(playing)


def test_who_sits_out_may_do_nothing_and_has_no_party() -> None:
    state = reserved(dealt(seats=5), H, H, H, H)
    assert list(GAME.legal(state, 5)) == []
    view = GAME.project(state, 5)
    assert (view.hand, view.party, view.players[4].cards) == ((), None, 0)
    for command in (cast("Any", next(iter(GAME.legal(state, 1)))), solo(Solo.NORMAL)):
        assert refusal(state, 5, command) is Reason.SITTING_OUT


def over(state: State) -> State:
    return played_out(reserved(state, H, H, H, H))


def test_the_left_neighbour_deals_next() -> None:
    state = over(dealt(deals=2, seats=6, dealer=6, first_dealer=6))
    assert next_deal(state).dealer == 1
    assert after(state, CHANCE, next_deal(state)).dealing.playing == (2, 3, 4, 5)


def test_the_first_dealer_may_be_drawn_by_lot() -> None:
    state = start(first_dealer=0)
    dealers = {next_deal(state, seed).dealer for seed in range(50)}
    assert dealers == {1, 2, 3, 4}
    assert after(state, CHANCE, in_order(state, 3)).dealing.dealer == 3


def test_only_the_dealer_deals_and_only_in_time_the_whole_pack_and_in_turn() -> None:
    state = start()
    pack = state.setup.pack
    assert refusal(state, 1, in_order(state)) is Reason.NOT_THE_DEALER
    assert refusal(state, CHANCE, Deal(1, pack[1:])) is Reason.WRONG_PACK
    assert refusal(state, CHANCE, Deal(1, (pack[1], *pack[1:]))) is Reason.WRONG_PACK
    assert refusal(state, CHANCE, in_order(state, 2)) is Reason.WRONG_DEALER
    assert refusal(start(first_dealer=0), CHANCE, in_order(state, 5)) is Reason.WRONG_DEALER
    state = after(state, CHANCE, in_order(state))
    assert refusal(state, CHANCE, in_order(state)) is Reason.NOT_TIME_TO_DEAL
    assert GAME.chance(state, draw()) is None


def test_after_the_last_deal_the_game_is_over() -> None:
    state = reserved(dealt(), H, H, H, H)
    last = next(iter(GAME.legal(state, 1)))
    state = played_out(state)
    assert (state.phase, GAME.to_act(state), GAME.chance(state, draw())) == (Phase.OVER, (), None)
    assert refusal(state, CHANCE, in_order(state)) is Reason.GAME_OVER
    for command in (last, solo(Solo.NORMAL)):
        assert refusal(state, 1, command) is Reason.GAME_OVER


TOURNAMENT: dict[str, Any] = {"mandatory_solo": 1, "solo_types": (Solo.CLUBS, Solo.JACKS)}


def test_after_a_mandatory_solo_the_same_seat_deals_again_and_the_soloist_leads() -> None:
    state = dealt(deals=9, **TOURNAMENT)
    state = named(reserved(state, H, R, H, H), mandatory(Solo.JACKS))
    assert (state.phase, state.turn) == (Phase.PLAY, 2)
    state = played_out(state)
    assert state.session.owed == (1, 0, 1, 1)
    assert next_deal(state).dealer == 4


def test_after_an_ordinary_solo_the_deal_moves_on_and_forehand_has_led() -> None:
    state = named(reserved(dealt(deals=2), H, R, H, H), solo(Solo.NORMAL))
    assert state.turn == 1
    assert next_deal(played_out(state)).dealer == 1


def test_a_mandatory_solo_is_due_when_no_more_deals_are_left_than_solos() -> None:
    state = dealt(deals=4, **TOURNAMENT)
    assert (state.phase, state.turn, state.dealing.soloist) == (Phase.NAME, 1, 1)
    assert GAME.project(state, None).due == 1
    assert list(GAME.legal(state, 1)) == [mandatory(Solo.CLUBS), mandatory(Solo.JACKS)]
    state = named(state, mandatory(Solo.CLUBS))
    made = state.bidding.made
    assert made is not None
    assert (made.contract, made.seat, made.solo, state.turn) == (Contract.MANDATORY_SOLO, 1, Solo.CLUBS, 1)


def test_after_a_solo_that_was_due_the_deal_moves_on_and_the_next_who_owes_one_plays() -> None:
    state = played_out(named(dealt(deals=4, **TOURNAMENT), mandatory(Solo.CLUBS)))
    deal = next_deal(state)
    assert deal.dealer == 1
    state = after(state, CHANCE, deal)
    assert (state.session.owed, state.turn) == ((0, 1, 1, 1), 2)


def test_the_deal_passes_on_until_one_who_owes_a_solo_plays() -> None:
    state = dealt(seats=6, dealer=6, deals=7, **TOURNAMENT)
    state = over(state)
    assert state.session.owed == (1,) * 6
    only_2 = state._replace(
        session=replace(state.session, owed=(0, 1, 0, 0, 0, 0)), dealing=replace(state.dealing, number=6, dealer=1)
    )
    deal = next_deal(only_2)
    assert deal.dealer == 4
    assert after(only_2, CHANCE, deal).turn == 2


def test_every_player_has_played_his_mandatory_solos_in_the_end() -> None:
    for seats in range(4, 9):
        state = start(seats, deals=2 * seats + 1, **(TOURNAMENT | {"mandatory_solo": 2}))
        while (deal := GAME.chance(state, draw(state.dealing.number))) is not None:
            state = after(state, CHANCE, deal)
            while state.phase is not Phase.PLAY:
                state = after(state, state.turn, next(iter(GAME.legal(state, state.turn))))
            state = played_out(state)
        assert state.session.owed == (0,) * seats
        assert state.phase is Phase.OVER


def test_an_unknown_event_or_command_is_an_error() -> None:
    rumour = cast("Any", "a rumour")
    with pytest.raises(AssertionError):
        GAME.evolve(dealt(), rumour)
    with pytest.raises(AssertionError):
        GAME.decide(dealt(), 1, rumour)


def test_a_stacked_deal_gives_the_hands_that_a_test_wants() -> None:
    setup = GAME.start(Options(), 4).setup
    hands = filled(setup, "CQ CQ", "HT HT")
    state = after(start(), CHANCE, stacked(setup, 1, hands))
    assert texts(state.hands[1][:2]) == "CQ CQ"
    assert texts(state.hands[2][:2]) == "HT HT"
