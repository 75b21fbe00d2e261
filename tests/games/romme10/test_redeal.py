"""In a fork hidden cards are dealt anew: hands and draw piles, but for what was taken from discard piles."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from service.games.romme10 import GAME
from service.games.romme10.cards import Card, Cards, in_order
from service.games.romme10.commands import Deal, Reason, Redeal
from service.games.romme10.events import CardDrawn, CardTaken, Dealt, Redealt
from service.games.romme10.state import Phase, State
from service.kit.game import CHANCE, CannotRedeal
from tests.games.redealing import draw, redealt
from tests.games.romme10.given import after, cards, dealt, refusal, start
from tests.games.romme10.known import KNOWN
from tests.games.story import Step, take, tell

STORIES = 60
Place = tuple[str, int, int]  # of a card in the deal: in a hand or a draw pile, which one, and where in it
Held = list[tuple[Card, Place | None]]  # a hand, and from where its cards are; None for a discard pile


def test_it_is_as_if_the_round_had_been_dealt_like_that() -> None:
    moved = 0
    for seed in range(STORIES):
        story, random = tell(GAME, KNOWN, f"redeal {seed}"), Random(seed)
        steps = story.steps[: random.randint(1, len(story.steps) - 1)]
        before = steps[-1].after
        if before.reshuffles or before.phase not in (Phase.DRAW, Phase.BUY, Phase.MELD):
            continue
        state = redealt(GAME, before, seed)
        assert replayed(steps, state) == state, f"seed {seed}"
        moved += state != before
    assert moved > STORIES / 3


def replayed(steps: tuple[Step, ...], redealt: State) -> State:
    """Play the last round once more, with the cards that were dealt anew in those places from which they came."""
    place = max(place for place, step in enumerate(steps) if isinstance(step.command, Deal))
    (deal,), rest = steps[place].events, steps[place + 1 :]
    assert isinstance(deal, Dealt)
    changed = _changes(deal, rest, redealt)

    def anew(kind: str, piles: tuple[Cards, ...]) -> tuple[Cards, ...]:
        return tuple(
            Cards(tuple(changed.get((kind, pile, at), card) for at, card in enumerate(some.cards)))
            for pile, some in enumerate(piles)
        )

    hands = tuple(Cards(in_order(hand.cards)) for hand in anew("hand", deal.hands))
    state = GAME.evolve(
        steps[place].before, Dealt(deal.round, deal.dealer, hands, anew("stock", deal.stocks), deal.discards)
    )
    for step in rest:
        state = take(GAME, state, step.seat, step.command).after
    return state


def _changes(deal: Dealt, rest: tuple[Step, ...], redealt: State) -> dict[Place, Card]:
    """Return which places of the deal must hold other cards, so that all that was done leads to the new hands."""
    held, left = _origins(deal, rest)
    changes: dict[Place, Card] = {}
    for pile, size in enumerate(left):
        changes |= {("stock", pile, at): redealt.piles[pile][at] for at in range(size)}
    for seat, hand in enumerate(redealt.hands):
        shown = Counter(card for card, _ in held[seat]) & Counter(redealt.taken[seat])
        new = iter((Counter(hand) - shown).elements())
        for card, place in sorted(held[seat], key=lambda each: each[1] is not None):  # those taken first
            if shown[card]:
                shown[card] -= 1
            else:
                assert place
                changes[place] = next(new)
    return changes


def _origins(deal: Dealt, rest: tuple[Step, ...]) -> tuple[list[Held], list[int]]:
    """Return where the cards of each hand lay in the deal, and how much is left of the draw piles."""
    held: list[Held] = [
        [(card, ("hand", seat, at)) for at, card in enumerate(hand.cards)] for seat, hand in enumerate(deal.hands)
    ]
    left = [len(stock.cards) for stock in deal.stocks]
    for event, then in ((event, step.after) for step in rest for event in step.events):
        if isinstance(event, CardDrawn):
            left[event.pile.value] -= 1
            assert event.card
            held[event.seat - 1].append((event.card, ("stock", event.pile.value, left[event.pile.value])))
        elif isinstance(event, CardTaken):
            held[event.seat - 1].append((event.card, None))
        else:
            for cards, hand in zip(held, then.hands, strict=True):
                _take_out(cards, Counter(card for card, _ in cards) - Counter(hand))
    return held, left


def _take_out(held: Held, gone: Counter[Card]) -> None:
    for card in gone.elements():
        held.remove(next(each for each in held if each[0] is card))


def test_what_everybody_saw_somebody_take_stays_with_him() -> None:
    state = dealt("H5 H5 C9", "SQ SJ D4")._replace(taken=(cards("H5 SK"), ()))
    for seed in range(20):
        there = redealt(GAME, state, seed)
        assert Card.parse("H5") in there.hands[0]
        assert [len(hand) for hand in there.hands] == [3, 3]
        assert there.piles[2:] == state.piles[2:]
    assert len({redealt(GAME, state, seed).hands for seed in range(20)}) > 10


def test_after_a_reshuffle_it_cannot_be() -> None:
    with pytest.raises(CannotRedeal, match="discards were shuffled"):
        GAME.redeal(dealt("H5", "SQ")._replace(reshuffles=1), draw(1))


@pytest.mark.parametrize("phase", [Phase.LOTS, Phase.DEAL, Phase.RESHUFFLE, Phase.OVER])
def test_where_the_dealer_has_other_things_to_do_nothing_is_dealt_anew(phase: Phase) -> None:
    assert GAME.redeal(start()._replace(phase=phase), draw(1)) is None


def test_a_seat_sees_its_own_hand_and_nobody_the_draw_piles() -> None:
    event = Redealt((Cards(cards("H5")), Cards(cards("SQ"))), (Cards(cards("C2")), Cards(cards("D2"))))
    nothing: Any = Cards(())
    assert GAME.see(event, 1) == Redealt((Cards(cards("H5")), nothing), (nothing, nothing))
    assert GAME.see(event, None) == Redealt((nothing, nothing), (nothing, nothing))


def test_only_the_dealer_deals_anew_and_only_what_is_hidden() -> None:
    state = dealt("H5", "SQ")
    hidden = (*cards("H5 SQ"), *state.piles[0], *state.piles[1])
    after(state, CHANCE, Redeal(hidden))
    assert refusal(state, 1, Redeal(hidden)) is Reason.NOT_THE_DEALER
    assert refusal(state, CHANCE, Redeal(hidden[1:])) is Reason.WRONG_CARDS
    assert refusal(state._replace(phase=Phase.OVER), CHANCE, Redeal(hidden)) is Reason.GAME_OVER
    assert refusal(state._replace(phase=Phase.DEAL), CHANCE, Redeal(hidden)) is Reason.NOTHING_TO_DEAL
