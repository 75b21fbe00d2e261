"""Redealing: in a fork, the cards that nobody but their holder has seen, or nobody at all, are dealt anew."""

from collections import Counter

from service.games.romme10.cards import Card, Cards, in_order
from service.games.romme10.commands import Reason, Redeal
from service.games.romme10.events import Redealt
from service.games.romme10.piles import STOCKS
from service.games.romme10.state import Phase, State
from service.kit.exchange import exchanged, portions
from service.kit.game import CHANCE, CannotRedeal, Draw, Refused

PLAYING = (Phase.DRAW, Phase.BUY, Phase.MELD)


def redeal(state: State, draw: Draw) -> Redeal | None:
    """Return hands and draw piles dealt anew, but for what was taken from discard piles; None between two rounds."""
    if state.phase not in PLAYING:
        return None
    if state.reshuffles:
        raise CannotRedeal("The discards were shuffled in this round, so everybody knows what the draw piles are of.")
    return Redeal(exchanged(_hidden(state), draw, lambda _cards: True))


def deal_anew(state: State, seat: int, redeal: Redeal) -> tuple[Redealt]:
    """Return what the dealer deals anew, or raise Refused."""
    if seat != CHANCE:
        raise Refused(Reason.NOT_THE_DEALER)
    if state.phase is Phase.OVER:
        raise Refused(Reason.GAME_OVER)
    if state.phase not in PLAYING:
        raise Refused(Reason.NOTHING_TO_DEAL)
    if Counter(redeal.cards) != Counter(_hidden(state)):
        raise Refused(Reason.WRONG_CARDS)
    shown = [_shown(state, place) for place in range(state.setup.seats)]
    sizes = [*(hand.total() for hand in _unseen(state)), *(len(state.piles[pile.value]) for pile in STOCKS)]
    *hands, first, second = portions(redeal.cards, sizes)
    dealt = (Cards(in_order((*seen.elements(), *hand))) for seen, hand in zip(shown, hands, strict=True))
    return (Redealt(tuple(dealt), (Cards(first), Cards(second))),)


def _hidden(state: State) -> tuple[Card, ...]:
    """Return what is not known of the hands, in the order of seats, then the draw piles."""
    hands = (in_order(hand.elements()) for hand in _unseen(state))
    return tuple(card for cards in (*hands, *(state.piles[pile.value] for pile in STOCKS)) for card in cards)


def _unseen(state: State) -> list[Counter[Card]]:
    return [Counter(hand) - _shown(state, place) for place, hand in enumerate(state.hands)]


def _shown(state: State, place: int) -> Counter[Card]:
    """Return what a hand holds of the cards that everybody saw its seat take."""
    return Counter(state.hands[place]) & Counter(state.taken[place])
