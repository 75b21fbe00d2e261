"""Dealing: lots for the first deal, the deal of a round, and the discards shuffled again."""

from collections import Counter

from service.games.romme10.cards import PACK, REGULAR, Cards, in_order
from service.games.romme10.commands import Deal, DrawLots, Reason, Reshuffle
from service.games.romme10.events import Dealt, Lot, LotsDrawn, Reshuffled
from service.games.romme10.options import FirstDealer
from service.games.romme10.piles import buried, halves
from service.games.romme10.state import Phase, State
from service.kit.game import CHANCE, Draw, Refused
from service.kit.seats import next_seat

LOTS = REGULAR * 2  # a joker is no highest card


def chance(state: State, draw: Draw) -> DrawLots | Deal | Reshuffle | None:
    """Return what the dealer does now."""
    match state.phase:
        case Phase.LOTS:
            return DrawLots(draw.shuffled(LOTS)[: len(contenders(state))])
        case Phase.DEAL:
            return Deal(next_dealer(state) or draw.below(state.setup.seats, "dealer") + 1, draw.shuffled(PACK))
        case Phase.RESHUFFLE:
            return Reshuffle(draw.shuffled(buried(state.piles)))
        case _:
            return None


def contenders(state: State) -> tuple[int, ...]:
    """Return the seats that may still be the first dealer: those with the highest card drawn last."""
    if not state.lots:
        return tuple(range(1, state.setup.seats + 1))
    lots = state.lots[-1].lots
    highest = max(lot.card.rank for lot in lots)
    return tuple(lot.seat for lot in lots if lot.card.rank == highest)


def next_dealer(state: State) -> int:
    """Return the seat that deals next; 0 for one by lot."""
    if state.round.place:
        return next_seat(state.round.dealer, state.setup.seats)
    match state.setup.options.first_dealer:
        case FirstDealer.DRAW:
            return contenders(state)[0]
        case FirstDealer.RANDOM:
            return 0
        case seat:
            return int(seat.value)


def draw_lots(state: State, seat: int, command: DrawLots) -> tuple[LotsDrawn]:
    """Return the lots drawn, or raise Refused."""
    _check(state, seat, Phase.LOTS)
    seats = contenders(state)
    if len(command.cards) != len(seats) or Counter(command.cards) - Counter(LOTS):
        raise Refused(Reason.WRONG_CARDS)
    return (LotsDrawn(tuple(map(Lot, seats, command.cards))),)


def deal_out(state: State, seat: int, deal: Deal) -> tuple[Dealt]:
    """Return the deal, or raise Refused: one card at a time, clockwise from the dealer's left neighbour."""
    _check(state, seat, Phase.DEAL)
    seats, pack = state.setup.seats, deal.pack
    if not 1 <= deal.dealer <= seats or next_dealer(state) not in (0, deal.dealer):
        raise Refused(Reason.WRONG_DEALER)
    if Counter(pack) != Counter(PACK):
        raise Refused(Reason.WRONG_CARDS)
    dealt = seats * state.setup.options.hand_size
    hands = [pack[place:dealt:seats] for place in range(seats)]
    first, second = halves(pack[dealt:])
    return (
        Dealt(
            state.round.place + 1,
            deal.dealer,
            tuple(Cards(in_order(hands[(seat - deal.dealer - 1) % seats])) for seat in range(1, seats + 1)),
            (Cards(first[:-1]), Cards(second[:-1])),
            (first[-1], second[-1]),
        ),
    )


def reshuffle(state: State, seat: int, command: Reshuffle) -> tuple[Reshuffled]:
    """Return the new draw piles, or raise Refused."""
    _check(state, seat, Phase.RESHUFFLE)
    if Counter(command.cards) != Counter(buried(state.piles)):
        raise Refused(Reason.WRONG_CARDS)
    return (Reshuffled(command.cards),)


def _check(state: State, seat: int, phase: Phase) -> None:
    if seat != CHANCE:
        raise Refused(Reason.NOT_THE_DEALER)
    if state.phase is Phase.OVER:
        raise Refused(Reason.GAME_OVER)
    if state.phase is not phase:
        raise Refused(Reason.NOTHING_TO_DEAL)
