from collections import Counter

import pytest

from service.draw import SeededDraw
from service.games.double_speed import GAME
from service.games.double_speed.commands import Deal, Draw, PlayCard, Reason, Unblock
from service.games.double_speed.events import Dealt, Packet, Reopened
from service.games.double_speed.state import Phase
from service.kit.game import CHANCE, CannotRedeal
from tests.games.double_speed.given import AUTO, STRANGERS, card, cards, dealt, refusal, start, when


def deal(starter: int, pack: str) -> Deal:
    return Deal(starter, cards(pack))


SIX = "Ro-Gq Ro-Bt Ro-Ys Gq-Bt Gq-Ys Bt-Ys"


def test_cards_go_round_one_by_one_and_the_starters_stack_gives_the_first_card() -> None:
    state = start(deck=cards(SIX), hand_limit=1, starter=2)
    assert when(state, CHANCE, deal(2, SIX)) == (
        Dealt(
            round=1,
            starter=2,
            top=card("Gq-Bt"),
            hands=(Packet(cards("Ro-Gq")), Packet(cards("Ro-Bt"))),
            stacks=(Packet(cards("Ro-Ys Gq-Ys")), Packet(cards("Bt-Ys"))),
            box=(),
        ),
    )


def test_after_the_deal_all_race() -> None:
    state = dealt(start(3))
    assert (state.phase, GAME.to_act(state), state.pile.version) == (Phase.RACE, (1, 2, 3), 1)
    assert [len(hand) for hand in state.hands] == [4, 4, 4]


def test_what_cannot_be_shared_out_goes_into_the_box() -> None:
    state = dealt(start(4, deck=STRANGERS, hand_limit=1))
    assert [len(hand) + len(stack) for hand, stack in zip(state.hands, state.stacks, strict=True)] == [2, 3, 3, 3]
    assert len(state.round.box) == 3


def test_before_the_deal_nobody_has_anything_to_do() -> None:
    state = start(2)
    assert (GAME.to_act(state), GAME.legal(state, 1)) == ((), ())
    for command in (PlayCard(card("Ro-Gq")), Draw(), Unblock()):
        assert refusal(state, 1, command) is Reason.NOT_DEALT


def test_the_starter_is_the_seat_of_the_options_or_drawn_by_lot() -> None:
    assert dealt(start(4, starter=3)).round.starter == 3
    by_lot = Counter(dealt(start(4, starter=0), bytes([number])).round.starter for number in range(64))
    assert set(by_lot) == {1, 2, 3, 4}


def test_in_a_match_the_next_seat_gives_the_first_card() -> None:
    state = dealt(start(2, starter=2, rounds=2))._replace(phase=Phase.DEAL)
    assert dealt(state).round.starter == 1
    assert refusal(state, CHANCE, Deal(2, state.setup.deck.cards)) is Reason.WRONG_STARTER


@pytest.mark.parametrize("starter", [-1, 0, 5])
def test_by_lot_the_starter_is_still_one_of_the_seats(starter: int) -> None:
    state = start(4, starter=0)
    assert refusal(state, CHANCE, Deal(starter, state.setup.deck.cards)) is Reason.WRONG_STARTER


def test_only_the_dealer_deals_when_it_is_time_and_all_of_the_deck() -> None:
    state = start(2)
    right = Deal(1, state.setup.deck.cards)
    assert refusal(state, 1, right) is Reason.NOT_THE_DEALER
    assert refusal(state, CHANCE, Deal(1, right.pack[1:])) is Reason.WRONG_PACK
    assert refusal(state, CHANCE, Deal(1, (right.pack[1], *right.pack[1:]))) is Reason.WRONG_PACK
    assert refusal(dealt(state), CHANCE, right) is Reason.NOT_TIME_TO_DEAL
    assert refusal(state._replace(phase=Phase.OVER), CHANCE, right) is Reason.GAME_OVER


def test_the_dealer_has_nothing_to_do_while_they_race() -> None:
    assert GAME.chance(dealt(start(2)), SeededDraw(b"")) is None


def test_a_deal_at_which_nobody_can_begin_is_opened_by_the_table_where_it_does_so() -> None:
    pack = "Ro-Gq Ro-Bt Ro-Ys Ro-Vd Ro-Gq Ro-Wh"
    dealt, *others = when(start(deck=cards(pack), hand_limit=1, **AUTO), CHANCE, deal(1, pack))
    assert isinstance(dealt, Dealt)
    assert (dealt.top, *others) == (card("Ro-Ys"), Reopened(1, card("Ro-Gq")))
    assert when(start(deck=cards(pack), hand_limit=1), CHANCE, deal(1, pack)) == (dealt,)


def test_in_the_middle_of_a_race_nothing_is_dealt_anew_for_a_fork() -> None:
    draw = SeededDraw(bytes(32))
    assert GAME.redeal(start(), draw) is None
    with pytest.raises(CannotRedeal, match="what nobody played tells of the hands"):
        GAME.redeal(dealt(start()), draw)
