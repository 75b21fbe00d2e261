"""Dealing: who gets which cards."""

from collections import Counter
from collections.abc import Sequence

from service.games.doppelkopf.cards import Card
from service.games.doppelkopf.commands import Deal, Reason, Redeal
from service.games.doppelkopf.events import Dealt, Hand, Redealt
from service.games.doppelkopf.rotation import next_dealer, playing, soloist
from service.games.doppelkopf.state import Phase, Setup, State
from service.kit.exchange import portions
from service.kit.game import CHANCE, Draw, Refused


def chance(state: State, draw: Draw) -> Deal | None:
    """Return the next deal, when one is due."""
    if state.phase is not Phase.DEAL:
        return None
    return Deal(next_dealer(state) or draw.below(state.setup.seats, "dealer") + 1, draw.shuffled(state.setup.pack))


def deal_out(state: State, seat: int, deal: Deal) -> tuple[Dealt, ...]:
    """Return the deal, or raise Refused."""
    setup = state.setup
    if seat != CHANCE:
        raise Refused(Reason.NOT_THE_DEALER)
    if state.phase is Phase.OVER:
        raise Refused(Reason.GAME_OVER)
    if state.phase is not Phase.DEAL:
        raise Refused(Reason.NOT_TIME_TO_DEAL)
    if not 1 <= deal.dealer <= setup.seats or next_dealer(state) not in (0, deal.dealer):
        raise Refused(Reason.WRONG_DEALER)
    if Counter(deal.pack) != Counter(setup.pack):
        raise Refused(Reason.WRONG_PACK)
    seats, number = playing(deal.dealer, setup.seats), state.dealing.number + 1
    return (Dealt(number, deal.dealer, seats, soloist(state, deal.dealer), _hands(setup, deal.pack, seats)),)


def deal_anew(state: State, seat: int, redeal: Redeal) -> tuple[Redealt]:
    """Return the hands dealt anew, or raise Refused."""
    if seat != CHANCE:
        raise Refused(Reason.NOT_THE_DEALER)
    if state.phase is Phase.OVER:
        raise Refused(Reason.GAME_OVER)
    if state.phase is not Phase.PLAY:
        raise Refused(Reason.NOT_TIME_TO_DEAL)
    if Counter(redeal.cards) != Counter(hidden(state)):
        raise Refused(Reason.WRONG_PACK)
    return (Redealt(tuple(map(Hand, portions(redeal.cards, [*map(len, state.hands)])))),)


def hidden(state: State) -> tuple[Card, ...]:
    """Return all hands, in the order of seats."""
    return tuple(card for hand in state.hands for card in hand)


def _hands(setup: Setup, pack: Sequence[Card], seats: Sequence[int]) -> tuple[Hand, ...]:
    """Deal packets clockwise from forehand; the last ones are smaller where the hand is no multiple of them."""
    hands: dict[int, tuple[Card, ...]] = dict.fromkeys(range(1, setup.seats + 1), ())
    top = 0
    while len(hands[seats[-1]]) < setup.hand_size:
        size = min(setup.rules.deal_packets, setup.hand_size - len(hands[seats[-1]]))
        for seat in seats:
            hands[seat] += tuple(pack[top : top + size])
            top += size
    return tuple(map(Hand, hands.values()))
