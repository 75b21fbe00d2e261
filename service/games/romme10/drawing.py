"""Drawing: announcing what one buys, and drawing it."""

from service.games.romme10.commands import AnnounceBuy, Draw, Reason
from service.games.romme10.events import BuyAnnounced, CardDrawn, CardTaken
from service.games.romme10.options import StockEmpty
from service.games.romme10.piles import STOCKS, Pile, buried, stocks_empty
from service.games.romme10.state import Phase, State
from service.kit.game import Refused


def drawing(state: State) -> State:
    """Return the state before the next card is drawn: the discards may be shuffled first, or there is none to draw."""
    if state.now.left == 0:
        return state._replace(phase=Phase.MELD)
    if stocks_empty(state.piles):
        if may_reshuffle(state) and buried(state.piles):
            return state._replace(phase=Phase.RESHUFFLE)
        if not any(state.piles):
            return state._replace(phase=Phase.MELD)
    return state._replace(phase=Phase.BUY if state.now.drawn else Phase.DRAW)


def may_reshuffle(state: State) -> bool:
    """Whether the discards may be shuffled once more in this round."""
    options = state.setup.options
    if options.stock_empty is StockEmpty.END_ROUND:
        return False
    return options.max_reshuffles is None or state.reshuffles < options.max_reshuffles


def exhausted(state: State) -> bool:
    """Whether the round does not go on: the draw piles are empty and not to be made anew, or nothing has been laid."""
    if state.idle >= state.setup.options.max_idle_laps * state.setup.seats:
        return True
    return stocks_empty(state.piles) and not may_reshuffle(state)


def announcements(state: State) -> tuple[AnnounceBuy, ...]:
    """Return what the seat on turn may announce."""
    if state.phase is not Phase.DRAW or state.now.announced is not None or not state.can_buy:
        return ()
    return tuple(AnnounceBuy(cards) for cards in range(state.can_buy + 1))


def draws(state: State) -> tuple[Draw, ...]:
    """Return the draws that are open to the seat on turn."""
    return tuple(Draw(pile) for pile in Pile if state.piles[pile.value])


def announce(state: State, seat: int, command: AnnounceBuy) -> tuple[BuyAnnounced]:
    """Return the announcement, or raise Refused."""
    if state.phase is not Phase.DRAW or state.now.announced is not None:
        raise Refused(Reason.BUY_BEFORE_DRAWING)
    if not state.can_buy:
        raise Refused(Reason.NO_BUYING_NOW)
    if not 0 <= command.cards <= state.can_buy:
        raise Refused(Reason.TOO_MANY_BOUGHT)
    return (BuyAnnounced(seat, command.cards),)


def draw(state: State, seat: int, command: Draw) -> tuple[CardDrawn | CardTaken]:
    """Return the card drawn, or raise Refused."""
    if state.phase is Phase.MELD:
        raise Refused(Reason.DRAWN_ALREADY)
    pile, cards = command.pile, state.piles[command.pile.value]
    if not cards:
        raise Refused(Reason.PILE_EMPTY)
    return (CardDrawn(seat, pile, cards[-1]) if pile in STOCKS else CardTaken(seat, pile, cards[-1]),)
