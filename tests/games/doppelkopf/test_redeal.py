"""In a fork hidden cards are dealt anew: to hands that could have said, and had to play, what they did."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from service.games.doppelkopf import GAME
from service.games.doppelkopf.cards import CLUB_QUEEN
from service.games.doppelkopf.commands import Announce, Deal, PlayCard, Reason, Redeal
from service.games.doppelkopf.contract import Announcement, Contract, MarriageMode, Party, Solo
from service.games.doppelkopf.events import Hand, Redealt
from service.games.doppelkopf.rules import FollowRule
from service.games.doppelkopf.state import Phase, State
from service.kit.game import CHANCE, CannotRedeal
from tests.games.doppelkopf.given import (
    H,
    R,
    after,
    cards,
    dealt,
    healthy,
    marriage,
    named,
    played,
    refusal,
    reserved,
    solo,
    stacked,
    start,
)
from tests.games.doppelkopf.known import KNOWN
from tests.games.redealing import draw, redealt
from tests.games.story import Step, tell

STORIES = 120
SEEDS = 20


def test_it_is_as_if_the_cards_had_been_dealt_like_that() -> None:
    moved, parties = 0, 0
    for seed in range(STORIES):
        story, random = tell(GAME, KNOWN, f"redeal {seed}"), Random(seed)
        steps = story.steps[: random.randint(1, len(story.steps) - 1)]
        before = steps[-1].after
        if before.phase is not Phase.PLAY:
            continue
        state = redealt(GAME, before, seed)
        assert plain(replayed(steps, state)) == plain(state), f"seed {seed}"
        moved += plain(state) != plain(before)
        parties += state.sides.parties != before.sides.parties
    assert moved > STORIES / 2
    assert parties > STORIES / 10


def replayed(steps: tuple[Step, ...], redealt: State) -> State:
    """Play the last deal once more, with hands of what each seat holds now and has played."""
    place = max(place for place, step in enumerate(steps) if isinstance(step.command, Deal))
    state: State = steps[place].before
    rest = steps[place + 1 :]
    hands = [list(hand) for hand in redealt.hands]
    for step in rest:
        if isinstance(step.command, PlayCard):
            hands[step.seat - 1].append(step.command.card)
    playing = [hands[seat - 1] for seat in redealt.dealing.playing]
    state = after(state, CHANCE, stacked(state.setup, redealt.dealing.dealer, playing))
    for step in rest:
        state = after(state, step.seat, step.command)
    return state


def plain(state: State) -> Any:
    """Return the state with sorted hands."""
    return state._replace(hands=tuple(tuple(sorted(hand, key=str)) for hand in state.hands))


def queens(state: State) -> tuple[int, ...]:
    return tuple(hand.count(CLUB_QUEEN) for hand in state.hands)


def test_who_plays_with_whom_may_change_while_nobody_can_know_it() -> None:
    state = healthy("CQ", "CQ")
    worlds = [redealt(GAME, state, seed) for seed in range(SEEDS)]
    assert len({queens(world) for world in worlds}) > 3
    for world in worlds:
        expected = tuple(Party.RE if held else Party.KONTRA for held in queens(world))
        assert world.sides.parties == expected


def test_who_has_announced_keeps_what_it_said() -> None:
    state = after(healthy("CQ", "CQ"), 3, Announce(Announcement.KONTRA))
    for seed in range(SEEDS):
        assert queens(redealt(GAME, state, seed))[2] == 0


def test_without_silent_solos_nobody_gets_both_queens_who_was_healthy() -> None:
    state = healthy("CQ", "CQ", silent_solo=False)
    assert {max(queens(redealt(GAME, state, seed))) for seed in range(SEEDS)} == {1}


def test_who_has_declared_a_marriage_keeps_the_queens() -> None:
    state = named(reserved(dealt("CQ CQ"), R, H, H, H), marriage(MarriageMode.FIRST_FOREIGN_TRICK))
    assert {queens(redealt(GAME, state, seed)) for seed in range(SEEDS)} == {(2, 0, 0, 0)}
    assert redealt(GAME, state, 1).hands != state.hands


def test_who_named_a_marriage_for_the_first_ace_of_clubs_does_not_get_both() -> None:
    state = named(reserved(dealt("CQ CQ", "CA CA"), R, H, H, H), marriage(MarriageMode.FIRST_CLUB_ACE))
    aces = Counter(redealt(GAME, state, seed).hands[0].count(cards("CA")[0]) for seed in range(3 * SEEDS))
    assert aces.keys() == {0, 1}


def test_whose_marriage_lost_to_a_solo_keeps_the_queens_too() -> None:
    state = named(reserved(dealt("CQ CQ"), R, R, H, H), marriage(MarriageMode.FIRST_FOREIGN_TRICK), solo(Solo.NORMAL))
    assert state.bidding.made
    assert state.bidding.made.contract is Contract.SOLO
    there = redealt(GAME, state, 1)
    assert (queens(there), there.sides) == ((2, 0, 0, 0), state.sides)


def test_who_could_neither_follow_nor_trump_gets_nothing_to_do_so_with() -> None:
    plain = "HA HA HK HK H9 H9 CA CA CT CT CK CK"
    state = played(healthy("SA", "SK", plain), "SA SK HA")
    for seed in range(SEEDS):
        hand = redealt(GAME, state, seed).hands[2]
        assert {*hand} <= {*cards("HA HT HK H9 CA CT CK C9")}


def test_who_did_not_beat_where_one_must_gets_nothing_to_beat_with() -> None:
    low = "S9 S9 D9 D9 DK DK DT DT DA DA DJ DJ"
    state = played(healthy("SK", low, follow_rule=FollowRule.FOLLOW_AND_BEAT), "SK S9")
    hands = [redealt(GAME, state, seed).hands[1] for seed in range(SEEDS)]
    assert not any({*cards("SA ST")} & {*hand} for hand in hands)
    assert any({*cards("SK")} & {*hand} for hand in hands)


@pytest.mark.parametrize("answers", [(), (R, H), (R, H, H, H)])
def test_while_reservations_are_made_it_cannot_be(answers: Any) -> None:
    state = reserved(dealt("CQ CQ"), *answers)
    with pytest.raises(CannotRedeal, match="While reservations are made"):
        GAME.redeal(state, draw(1))


def test_between_deals_there_is_nothing_to_deal_anew() -> None:
    assert GAME.redeal(start(), draw(1)) is None


def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    event = Redealt((Hand(cards("CQ")), Hand(cards("SA"))))
    assert GAME.see(event, 2) == Redealt((Hand(()), Hand(cards("SA"))))
    assert GAME.see(event, None) == Redealt((Hand(()), Hand(())))


def test_only_the_dealer_deals_anew_and_only_what_is_hidden() -> None:
    state = healthy()
    hidden = tuple(card for hand in state.hands for card in hand)
    assert refusal(state, 1, Redeal(hidden)) is Reason.NOT_THE_DEALER
    assert refusal(state, CHANCE, Redeal(hidden[1:])) is Reason.WRONG_PACK
    assert refusal(state._replace(phase=Phase.OVER), CHANCE, Redeal(hidden)) is Reason.GAME_OVER
    assert refusal(dealt(), CHANCE, Redeal(hidden)) is Reason.NOT_TIME_TO_DEAL
