"""In a fork hidden cards are dealt anew: to hands that could have bid, and had to play, as they did."""

from random import Random
from typing import Any

import pytest

from service.games.double_tricks import GAME
from service.games.double_tricks.cards import Card, Suit
from service.games.double_tricks.commands import Deal, PlayCard, Reason, Redeal
from service.games.double_tricks.events import Hand, Redealt
from service.games.double_tricks.state import Phase, State
from service.kit.game import CHANCE
from tests.games.double_tricks.given import after, bid, cards, dealt, played, refusal, when
from tests.games.double_tricks.known import KNOWN
from tests.games.redealing import draw, redealt
from tests.games.story import Step, tell

STORIES = 60


def test_it_is_as_if_the_round_had_been_dealt_like_that() -> None:
    moved = 0
    for seed in range(STORIES):
        story, random = tell(GAME, KNOWN, f"redeal {seed}"), Random(seed)
        steps = story.steps[: random.randint(1, len(story.steps) - 1)]
        if GAME.redeal(steps[-1].after, draw(seed)) is None:
            continue
        state = redealt(GAME, steps[-1].after, seed)
        assert plain(replayed(steps, state)) == plain(state), f"seed {seed}"
        moved += plain(state) != plain(steps[-1].after)
    assert moved > STORIES / 2


def replayed(steps: tuple[Step, ...], redealt: State) -> State:
    """Play the last round once more from the deal that gives each seat what it holds now and has played."""
    place = max(place for place, step in enumerate(steps) if isinstance(step.command, Deal))
    state: State = steps[place].before
    rest = steps[place + 1 :]
    seats, dealer = redealt.setup.seats, redealt.round.dealer
    hands = [list(hand) for hand in redealt.hands]
    for step in rest:
        if isinstance(step.command, PlayCard):
            hands[step.seat - 1].append(step.command.card)
    in_turn = [hands[(dealer + place) % seats] for place in range(seats)]
    top = [card for layer in zip(*in_turn, strict=True) for card in layer]
    assert redealt.round.turn_up
    state = after(state, CHANCE, Deal(dealer, (*top, redealt.round.turn_up, *redealt.round.stock)))
    for step in rest:
        state = after(state, step.seat, step.command)
    return state


def plain(state: State) -> Any:
    """Return the state with sorted hands."""
    return state._replace(hands=tuple(tuple(sorted(hand, key=str)) for hand in state.hands))


def test_who_could_not_follow_gets_nothing_to_follow_with() -> None:
    state = bid(dealt("CA/H2 CQ/D4 C9/D8", "HJ/C5 CK/S3 HT/D6", "SK/H3 SA/D2 S8/D7"), 0, 0, 0)
    state = played(state, "CA/H2:CA", "CK/S3:CK", "SA/D2:SA")
    hands = [redealt(GAME, state, seed).hands[2] for seed in range(20)]
    assert not any(Suit.CLUBS in card.suits for hand in hands for card in hand)
    assert len({*hands}) > 10


def test_numbers_the_card_turned_up_and_what_is_played_stay() -> None:
    state = played(bid(dealt("CA/H2 CQ/D4", "HJ/C5 CK/S3", "SK/H3 SA/D2"), 0, 1, 2), "CA/H2:CA")
    there = redealt(GAME, state, 1)
    assert [len(hand) for hand in there.hands] == [1, 2, 2]
    assert (there.round.turn_up, there.trick, there.bids) == (state.round.turn_up, state.trick, state.bids)
    assert there.hands != state.hands
    assert there.round.stock != state.round.stock


def test_between_rounds_there_is_nothing_to_deal_anew() -> None:
    assert GAME.redeal(GAME.start(GAME.options(), 2), draw(1)) is None


def test_a_seat_sees_its_own_hand_and_nobody_the_stock() -> None:
    event = Redealt((Hand(cards("CA/H2")), Hand(cards("HJ/C5"))), cards("SK/H3"))
    assert GAME.see(event, 1) == Redealt((Hand(cards("CA/H2")), Hand(())), ())
    assert GAME.see(event, None) == Redealt((Hand(()), Hand(())), ())


def test_only_the_dealer_deals_anew_and_only_what_is_hidden() -> None:
    state = dealt("CA/H2", "HJ/C5", hand_sizes=(1,))
    hidden = (*cards("CA/H2 HJ/C5"), *state.round.stock)
    assert when(state, CHANCE, Redeal(hidden))
    assert refusal(state, 1, Redeal(hidden)) is Reason.NOT_THE_DEALER
    assert refusal(state, CHANCE, Redeal(hidden[1:])) is Reason.WRONG_PACK
    assert refusal(state, CHANCE, Redeal((Card.parse("CA/H2"), *hidden[1:-1], hidden[0]))) is Reason.WRONG_PACK


@pytest.mark.parametrize(("phase", "reason"), [(Phase.OVER, Reason.GAME_OVER), (Phase.DEAL, Reason.NOT_TIME_TO_DEAL)])
def test_there_is_a_time_for_it(phase: Phase, reason: Reason) -> None:
    state = dealt("CA/H2", "HJ/C5")._replace(phase=phase)
    assert refusal(state, CHANCE, Redeal(())) is reason
