"""The laws are worth something: each catches a game that breaks it."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from service.games.double_tricks import GAME
from service.games.double_tricks.cards import Card
from service.games.double_tricks.commands import Bid, Reason
from service.games.double_tricks.events import Event, Redealt, RoundScored, TrickWon
from service.games.double_tricks.state import State
from service.games.double_tricks.view import View
from service.kit.game import AnyGame, Refused, Standing
from service.kit.standing import ranked
from tests.games import laws
from tests.games.double_tricks.known import KNOWN

CAUGHT = (AssertionError, Refused, KeyError, ValueError)
SEEDS = 30


def break_it(law: Callable[..., Any], broken: Callable[[], AnyGame]) -> None:
    for seed in range(SEEDS):
        law(broken(), KNOWN, str(seed))


def never_ending() -> AnyGame:
    return replace(GAME, evolve=lambda state, event: state)


def waiting_for_those_who_can_do_nothing() -> AnyGame:
    return replace(GAME, legal=lambda state, seat: ())


def without_a_last_place() -> AnyGame:
    def standings(state: State) -> tuple[Standing, ...]:
        return GAME.standings(state)[:-1]

    return replace(GAME, standings=standings)


def with_another_standing_so_far() -> AnyGame:
    return replace(GAME, so_far=lambda state: ranked(state.points, state.setup.seats * (0,)))


def offering_too_much() -> AnyGame:
    def legal(state: State, seat: int) -> tuple[Any, ...]:
        commands = tuple(GAME.legal(state, seat))
        return (*commands, Bid(99)) if commands else ()

    return replace(GAME, legal=legal)


def offering_out_of_turn() -> AnyGame:
    return replace(GAME, legal=lambda state, seat: tuple(GAME.legal(state, seat)) or (Bid(0),))


def offering_too_little() -> AnyGame:
    return replace(GAME, legal=lambda state, seat: tuple(GAME.legal(state, seat))[:1])


def bidding_too_much_for_others() -> AnyGame:
    return replace(GAME, default=lambda state, seat: Bid(99) if seat == state.turn else None)


def doing_something_for_all() -> AnyGame:
    return replace(GAME, default=lambda state, seat: GAME.default(state, state.turn))


def doing_nothing_for_others() -> AnyGame:
    return replace(GAME, default=lambda state, seat: None)


def doing_what_it_likes() -> AnyGame:
    times = count()

    def default(state: State, seat: int) -> Any:
        commands = tuple(GAME.legal(state, seat))
        return commands[next(times) % len(commands)] if commands else None

    return replace(GAME, default=default)


def waiting_for_two() -> AnyGame:
    return replace(GAME, to_act=lambda state: (state.turn, 1) if state.turn > 1 else GAME.to_act(state))


def said_to_be_a_race() -> AnyGame:
    return replace(GAME, races=True)


def stumbling() -> AnyGame:
    def decide(state: State, seat: int, command: Any) -> tuple[Event, ...]:
        if not 0 <= seat <= state.setup.seats:
            raise KeyError(seat)
        return GAME.decide(state, seat, command)

    return replace(GAME, decide=decide)


def moody() -> AnyGame:
    times = count()

    def decide(state: State, seat: int, command: Any) -> tuple[Event, ...]:
        *events, last = GAME.decide(state, seat, command)
        if isinstance(last, RoundScored):
            last = RoundScored((replace(last.scores[0], change=next(times)), *last.scores[1:]))
        return (*events, last)

    return replace(GAME, decide=decide)


def beyond_32_bits() -> AnyGame:
    return replace(GAME, project=lambda state, seat: replace(GAME.project(state, seat), stock=2**31))


def remembering_what_is_in_no_event() -> AnyGame:
    times = count()

    def evolve(state: State, event: Event) -> State:
        after = GAME.evolve(state, event)
        return after._replace(points=(next(times), *after.points[1:]))

    return replace(GAME, evolve=evolve)


def losing_tricks() -> AnyGame:
    def evolve(state: State, event: Event) -> State:
        after = GAME.evolve(state, event)
        return after._replace(tricks=()) if isinstance(event, TrickWon) else after

    return replace(GAME, evolve=evolve)


@pytest.mark.parametrize(
    ("law", "broken", "sign"),
    [
        (laws.it_ends_with_a_standing, never_ending, "does not end"),
        (laws.it_ends_with_a_standing, waiting_for_those_who_can_do_nothing, "none of them can do anything"),
        (laws.it_ends_with_a_standing, without_a_last_place, "not every seat has its place"),
        (laws.it_ends_with_a_standing, with_another_standing_so_far, "not the final one"),
        (laws.what_is_legal_is_accepted, offering_too_much, "more tricks than you have cards"),
        (laws.what_is_legal_is_accepted, offering_out_of_turn, "not your turn"),
        (laws.all_else_is_refused_with_a_reason, offering_too_little, "not listed as legal"),
        (laws.all_else_is_refused_with_a_reason, stumbling, "-1"),
        (laws.what_the_table_does_for_a_seat_is_legal, bidding_too_much_for_others, "tricks=99"),
        (laws.what_the_table_does_for_a_seat_is_legal, doing_something_for_all, "cannot act"),
        (laws.what_the_table_does_for_a_seat_is_legal, doing_nothing_for_others, "None is done"),
        (laws.it_ends_where_the_table_does_everything, doing_nothing_for_others, "does nothing"),
        (laws.it_ends_where_the_table_does_everything, doing_what_it_likes, "always do the same"),
        (laws.all_are_waited_for_in_a_race_and_otherwise_one, waiting_for_two, "are waited for"),
        (laws.all_are_waited_for_in_a_race_and_otherwise_one, said_to_be_a_race, "are waited for"),
        (laws.deciding_twice_gives_the_same, moody, "decided differently"),
        (laws.it_survives_the_wire, beyond_32_bits, "out of range"),
        (laws.folding_its_log_gives_the_live_state, remembering_what_is_in_no_event, "folded differently"),
        (laws.no_card_is_lost_or_doubled, losing_tricks, "cards are not the pack"),
    ],
)
def test_the_law_catches_a_game_that_breaks_it(
    law: Callable[..., Any], broken: Callable[[], AnyGame], sign: str
) -> None:
    with pytest.raises(CAUGHT, match=sign):
        break_it(law, broken)


def dealing_anew_but_showing_it() -> AnyGame:
    return replace(GAME, see=lambda event, seat: event)


def dealing_anew_what_was_turned_up() -> AnyGame:
    def evolve(state: State, event: Event) -> State:
        after, turn_up = GAME.evolve(state, event), state.round.turn_up
        if not isinstance(event, Redealt) or not event.stock or turn_up is None:
            return after
        return after._replace(round=replace(after.round, turn_up=event.stock[0], stock=(turn_up, *event.stock[1:])))

    return replace(GAME, evolve=evolve)


def dealing_anew_with_cards_from_elsewhere() -> AnyGame:
    def evolve(state: State, event: Event) -> State:
        after = GAME.evolve(state, event)
        stock = after.round.stock
        if not isinstance(event, Redealt) or not stock:
            return after
        return after._replace(round=replace(after.round, stock=(*stock[1:], Card.parse("C8/POPE"))))

    return replace(GAME, evolve=evolve)


@pytest.mark.parametrize(
    ("broken", "sign"),
    [
        (dealing_anew_but_showing_it, "shows what was dealt"),
        (dealing_anew_what_was_turned_up, "what can be seen|what was dealt"),
        (dealing_anew_with_cards_from_elsewhere, "or the cards"),
    ],
)
def test_dealing_anew_is_caught_where_somebody_notices(broken: Callable[[], AnyGame], sign: str) -> None:
    with pytest.raises(CAUGHT, match=sign):
        break_it(laws.dealing_anew_shows_nothing_and_is_played_on, broken)


def hidden_rank(state: State) -> int:
    """Return what no seat may know: the rank of a card in the stock."""
    return state.round.stock[0].motifs[0].rank if state.round.stock else 0


def leaking_by_its_view() -> AnyGame:
    def project(state: State, seat: int | None) -> View:
        return replace(GAME.project(state, seat), dealer=hidden_rank(state))

    return replace(GAME, project=project)


def leaking_by_its_events() -> AnyGame:
    return replace(GAME, see=lambda event, seat: event)


def leaking_by_its_log() -> AnyGame:
    return replace(GAME, private=())


def leaking_by_what_is_legal() -> AnyGame:
    def legal(state: State, seat: int) -> tuple[Any, ...]:
        commands = tuple(GAME.legal(state, seat))
        return commands if hidden_rank(state) % 2 else commands[::-1]

    return replace(GAME, legal=legal)


def leaking_by_its_refusals() -> AnyGame:
    def decide(state: State, seat: int, command: Any) -> tuple[Event, ...]:
        try:
            return GAME.decide(state, seat, command)
        except Refused:
            if hidden_rank(state) % 2:
                raise Refused(Reason.GAME_OVER) from None
            raise

    return replace(GAME, decide=decide)


def leaking_by_what_it_does_for_others() -> AnyGame:
    def default(state: State, seat: int) -> Any:
        commands = tuple(GAME.legal(state, seat))
        return commands[-(hidden_rank(state) % 2)] if commands else None

    return replace(GAME, default=default)


@pytest.mark.parametrize(
    "leaking",
    [
        leaking_by_its_view,
        leaking_by_its_events,
        leaking_by_its_log,
        leaking_by_what_is_legal,
        leaking_by_its_refusals,
        leaking_by_what_it_does_for_others,
    ],
)
def test_secrecy_catches_a_game_that_leaks(leaking: Callable[[], AnyGame]) -> None:
    with pytest.raises(AssertionError, match="learns"):
        break_it(laws.nobody_learns_what_is_hidden, leaking)
