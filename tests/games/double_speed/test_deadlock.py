from typing import Any

import pytest

from service.games.double_speed import GAME
from service.games.double_speed.commands import Draw, PlayCard, Reason, Unblock
from service.games.double_speed.deadlock import REOPENINGS_MAX
from service.games.double_speed.events import CardPlayed, CardsDrawn, Reopened, RoundEnded, Unblocked
from service.games.double_speed.state import Phase, State
from tests.games.double_speed.given import (
    AUTO,
    STALEMATE,
    STRANGERS,
    after,
    card,
    cards,
    played,
    race,
    refusal,
    texts,
    when,
)


def strangers(pile: str, *shares: str, **chosen: Any) -> State:
    """Return a race with two cards in a full hand, of a deck of which no card fits another."""
    return race(pile, *shares, deck=STRANGERS * 2, hand_limit=2, **chosen)


REOPENABLE = cards("Ro-Gq Bt-Ys Bt-Wd Ro-Bt Bt-Vs Ro-Vd Ro-Bq Ro-Gt Bs-Yt")
TURNABLE = cards("Ro-Gq Bs-Yt Ro-Bt Ro-Bq Bo-Yh Ro-Ys Bt-Ys")
STUCK = ("Bt-Ys Bt-Vd | Ro-Vd", "Gq-Bt Gq-Ys | Ro-Wh")


def test_where_all_hands_are_full_and_nothing_fits_any_seat_may_turn_up_the_bottom_card() -> None:
    state = strangers("Ro-Gq Ro-Bt Ro-Ys", *STUCK)
    for seat in (1, 2):
        assert GAME.legal(state, seat) == (Unblock(),)
        assert when(state, seat, Unblock()) == (Unblocked(seat, card("Ro-Gq")),)
    state = after(state, 2, Unblock())
    assert (texts(state.pile.cards), state.pile.version) == ("Ro-Bt Ro-Ys Ro-Gq", 2)
    assert [len(stack) for stack in state.stacks] == [1, 1]


def test_it_may_be_said_again_while_nobody_can_go_on() -> None:
    state = after(strangers("Ro-Gq Ro-Bt Ro-Ys", *STUCK), 1, Unblock(), Unblock())
    assert (texts(state.pile.cards), state.pile.turned) == ("Ro-Ys Ro-Gq Ro-Bt", 2)


def test_it_is_no_deadlock_while_somebody_may_draw() -> None:
    state = strangers("Ro-Gq Ro-Bt", "Bt-Ys | Ro-Vd", "Gq-Bt Gq-Ys | Ro-Wh")
    assert refusal(state, 2, Unblock()) is Reason.NO_DEADLOCK
    assert GAME.legal(state, 2) == ()
    assert GAME.legal(after(state, 1, Draw()), 2) == (Unblock(),)


def test_it_is_no_deadlock_while_somebody_can_play() -> None:
    state = race("Ro-Gq Ro-Bt", "Bt-Ys Rt-Bq | Ro-Ys", "Gq-Bt Gq-Ys | Ro-Bt", hand_limit=2)
    assert refusal(state, 2, Unblock()) is Reason.NO_DEADLOCK
    assert refusal(state, 1, Unblock()) is Reason.NO_DEADLOCK


def test_who_has_no_stack_any_more_is_full_with_fewer_cards() -> None:
    state = strangers("Ro-Gq Ro-Bt", "Bt-Ys Bt-Vd | Ro-Vd", "Gq-Ys |", "Gq-Bt |")
    assert when(state, 3, Unblock()) == (Unblocked(3, card("Ro-Gq")),)


def test_turning_the_pile_makes_it_end_where_a_card_fits_again() -> None:
    state = race("Bo-Yq Ro-Gt", "Bs-Yt Bt-Ys | Ro-Ys", "Bs-Yt Bt-Ys | Ro-Bt", hand_limit=2, rotation=False)
    assert GAME.legal(state, 1) == (Unblock(),)
    state = after(state, 1, Unblock())
    assert PlayCard(card("Bs-Yt")) in GAME.legal(state, 1)
    assert refusal(state, 1, Unblock()) is Reason.NO_DEADLOCK
    assert played(state, 1, "Bs-Yt").pile.turned == 0


def test_once_every_card_of_the_pile_was_on_top_the_starters_stack_gives_one() -> None:
    state = after(strangers("Ro-Gq Ro-Bt Ro-Ys", *STUCK), 1, Unblock(), Unblock())
    assert when(state, 2, Unblock()) == (Reopened(1, card("Ro-Vd")),)
    state = after(state, 2, Unblock())
    assert (texts(state.pile.cards), texts(state.stacks[0])) == ("Ro-Gq Ro-Bt Ro-Vd", "Ro-Ys")
    assert (state.pile.version, state.pile.reopened) == (4, 1)


def test_a_pile_of_one_card_has_nothing_to_turn() -> None:
    state = strangers("Ro-Gq", "Bt-Ys Bt-Vd | Ro-Vd Ro-Bt", STUCK[1])
    assert when(state, 2, Unblock()) == (Reopened(1, card("Ro-Vd")),)
    state = after(state, 2, Unblock())
    assert (texts(state.pile.cards), texts(state.stacks[0])) == ("Ro-Vd", "Ro-Bt Ro-Gq")


def test_if_that_does_not_help_the_next_stack_clockwise_gives_one_and_empty_stacks_are_passed_over() -> None:
    state = strangers("Ro-Gq", "Bt-Ys | ", "Bt-Vd Bt-Wh | Ro-Vd", "Gq-Ys |", "Gq-Bt Gq-Vd | Ro-Wh", starter=3)
    givers = []
    for _ in range(4):
        (event,) = when(state, 1, Unblock())
        assert isinstance(event, Reopened)
        givers.append((event.seat, str(event.card)))
        state = after(state, 1, Unblock())
    assert givers == [(4, "Ro-Wh"), (2, "Ro-Vd"), (4, "Ro-Gq"), (2, "Ro-Wh")]


def test_a_card_played_begins_the_count_anew() -> None:
    state = race("Ro-Gq", "Bt-Ys Bt-Wd | Ro-Bt", "Bt-Vs Bs-Yt | Ro-Vd", hand_limit=2, deck=REOPENABLE)
    state = after(state, 1, Unblock())
    assert (state.pile.top, state.pile.reopened) == (card("Ro-Bt"), 1)
    state = played(state._replace(hands=(cards("Ro-Bq Bt-Wd"), state.hands[1])), 1, "Ro-Bq")
    assert (state.pile.turned, state.pile.reopened) == (0, 0)


def stalemated(state: State) -> tuple[State, int]:
    """Let seat 1 unblock until the round is over; return how often that was."""
    count = 0
    while state.phase is Phase.RACE:
        state, count = after(state, 1, Unblock()), count + 1
    return state, count


def test_after_72_cards_from_stacks_it_is_a_stalemate_and_the_fewest_cards_win() -> None:
    state, count = stalemated(strangers("Ro-Gq", "Bt-Ys Bt-Vd | Ro-Vd", "Gq-Bt Gq-Ys | Ro-Wh Ro-Bt"))
    assert count == REOPENINGS_MAX + 1
    assert state.sheet == (RoundEnded((1,), stalemate=True, left=(3, 4)),)
    assert [place.seat for place in GAME.standings(state)] == [1, 2]


def test_where_no_stack_is_left_it_is_a_stalemate_once_every_card_of_the_pile_was_on_top() -> None:
    state, count = stalemated(strangers("Ro-Gq Ro-Bt", "Bt-Ys Bt-Vd |", "Gq-Bt Gq-Ys |", "Gq-Vd Gq-Wh Bt-Wh |"))
    assert count == 2
    assert state.sheet == (RoundEnded((1, 2), stalemate=True, left=(2, 2, 3)),)
    assert [(place.seat, place.rank) for place in GAME.standings(state)] == [(1, 1), (2, 1), (3, 3)]


def test_by_choice_it_is_a_stalemate_at_the_first_hard_deadlock() -> None:
    state, count = stalemated(strangers("Ro-Gq Ro-Bt Ro-Ys", *STUCK, **STALEMATE))
    assert count == 3
    assert state.sheet == (RoundEnded((1, 2), stalemate=True, left=(3, 3)),)


def test_by_choice_the_table_turns_the_pile_as_soon_as_nobody_can_go_on() -> None:
    state = race(
        "Ro-Gq Bs-Yt Ro-Bt", "Ro-Bq Bo-Yh | Ro-Ys", "Bt-Ys |", hand_limit=1, deck=TURNABLE, rotation=False, **AUTO
    )
    assert when(state, 1, PlayCard(card("Ro-Bq"))) == (
        CardPlayed(1, card("Ro-Bq")),
        Unblocked(0, card("Ro-Gq")),
        Unblocked(0, card("Bs-Yt")),
    )
    assert GAME.legal(played(state, 1, "Ro-Bq"), 2) == (PlayCard(card("Bt-Ys")),)


def test_by_choice_drawing_the_card_that_fills_the_last_hand_makes_the_table_turn_the_pile() -> None:
    state = strangers("Ro-Gq Ro-Bt", "Bt-Ys | Ro-Gq Ro-Vd", "Gq-Bt Gq-Ys | Ro-Wh", **AUTO)
    assert when(state, 1, Draw()) == (CardsDrawn(1, 1, cards("Ro-Gq")), Unblocked(0, card("Ro-Gq")))


def test_what_the_table_does_by_itself_ends_in_a_stalemate_at_the_latest() -> None:
    state = strangers("Ro-Gq Ro-Bt", "Bt-Ys | Ro-Ys Ro-Vd", "Gq-Bt Gq-Ys | Ro-Wh", **AUTO)
    drawn, turned, *reopened, ended = when(state, 1, Draw())
    assert [type(event) for event in (drawn, turned)] == [CardsDrawn, Unblocked]
    assert [type(event) for event in reopened] == [Reopened] * REOPENINGS_MAX
    assert ended == RoundEnded((1, 2), stalemate=True, left=(3, 3))


def test_there_is_nothing_to_say_where_the_table_turns_the_pile_by_itself() -> None:
    state = race("Ro-Gq", "Bt-Ys Rt-Bq | Ro-Ys", "Gq-Bt Gq-Ys | Ro-Bt", hand_limit=2, **AUTO)
    assert refusal(state, 2, Unblock()) is Reason.NO_DEADLOCK


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_deadlock_takes_all_seats(seats: int) -> None:
    full = ("Bt-Ys Bt-Vd | Ro-Vd", "Gq-Bt Gq-Ys | Ro-Wh", "Ys-Vd Ys-Wh | Ro-Bt", "Gq-Vd Gq-Wh | Ro-Ys")[:seats]
    assert GAME.legal(strangers("Ro-Gq", *full), 1) == (Unblock(),)
    assert GAME.legal(strangers("Ro-Gq", *full[:-1], "Vd-Wh | Ro-Ys"), 1) == ()
