"""Decide: what comes of a command, or why the rules refuse it."""

from collections import Counter
from typing import assert_never

from service.games.double_tricks.cards import Card, trump_of
from service.games.double_tricks.commands import Bid, Command, Deal, PlayCard, Reason, Redeal
from service.games.double_tricks.events import BidMade, CardPlayed, Dealt, Event, Hand, RoundScored, TrickWon
from service.games.double_tricks.redealing import deal_anew
from service.games.double_tricks.score import settle
from service.games.double_tricks.state import Phase, State
from service.games.double_tricks.tricks import must_follow, playable, winner
from service.kit.game import CHANCE, Draw, Refused
from service.kit.seats import next_seat
from service.kit.tuples import with_item

_BIDS = tuple(Bid(tricks) for tricks in range(27))


def decide(state: State, seat: int, command: Command) -> tuple[Event, ...]:
    """Return what comes of the seat's command, or raise Refused."""
    match command:
        case PlayCard():
            return _play(state, seat, command)
        case Bid():
            return _bid(state, seat, command)
        case Deal():
            return _deal(state, seat, command)
        case Redeal():
            return deal_anew(state, seat, command)
        case unknown:
            assert_never(unknown)


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """Return every command that the seat may give now."""
    if seat != state.turn or seat == CHANCE:
        return ()
    if state.phase is Phase.PLAY:
        return playable(
            state.hands[seat - 1],
            state.trick[0].motif if state.trick else None,
            specials_anytime=state.setup.options.specials_anytime,
        )
    most = min(state.round.hand_size, state.points[seat - 1])
    return tuple([bid for bid in _BIDS[: most + 1] if not _restricted(state, seat, bid)])


def chance(state: State, draw: Draw) -> Deal | None:
    """Return the deal of the next round, when one is due."""
    if state.phase is not Phase.DEAL:
        return None
    return Deal(_next_dealer(state) or draw.below(state.setup.seats, "dealer") + 1, draw.shuffled(state.setup.pack))


def why_no_bid(state: State, seat: int, bid: Bid) -> Reason | None:
    """Return why the seat may not bid this now."""
    if state.phase is Phase.PLAY:
        return Reason.BIDDING_OVER
    if (waiting := why_wait(state, seat)) is not None:
        return waiting
    if bid.tricks < 0:
        return Reason.BID_BELOW_ZERO
    if bid.tricks > state.round.hand_size:
        return Reason.BID_ABOVE_HAND
    if bid.tricks > state.points[seat - 1]:
        return Reason.BID_ABOVE_POINTS
    return Reason.BIDS_ADD_UP if _restricted(state, seat, bid) else None


def why_no_card(state: State, seat: int) -> Reason | None:
    """Return why the seat may not play any card now."""
    return Reason.BIDDING_NOT_OVER if state.phase is Phase.BID else why_wait(state, seat)


def why_wait(state: State, seat: int) -> Reason | None:
    """Return why it is not for this seat to do anything now."""
    if seat == state.turn and seat != CHANCE:
        return None
    return Reason.GAME_OVER if state.phase is Phase.OVER else Reason.NOT_YOUR_TURN


def _restricted(state: State, seat: int, bid: Bid) -> bool:
    """Whether the last bidder may not bid this. Without points there is no other bid, so the restriction lapses."""
    if not state.setup.options.dealer_restriction or seat != state.round.dealer or state.points[seat - 1] == 0:
        return False
    return sum(state.stakes) + bid.tricks == state.round.hand_size


def _bid(state: State, seat: int, bid: Bid) -> tuple[Event, ...]:
    if (reason := why_no_bid(state, seat, bid)) is not None:
        raise Refused(reason)
    return (BidMade(seat, bid.tricks),)


def _play(state: State, seat: int, play: PlayCard) -> tuple[Event, ...]:
    if (reason := why_no_card(state, seat)) is not None:
        raise Refused(reason)
    card, motif, trick, hand = play.card, play.motif, state.trick, state.hands[seat - 1]
    if card not in hand:
        raise Refused(Reason.CARD_NOT_IN_HAND)
    if motif not in card.motifs:
        raise Refused(Reason.MOTIF_NOT_ON_CARD)
    if trick and must_follow(hand, trick[0].motif, motif, specials_anytime=state.setup.options.specials_anytime):
        raise Refused(Reason.MUST_FOLLOW_SUIT)
    played = CardPlayed(seat, card, motif)
    if len(trick) + 1 < state.setup.seats:
        return (played,)
    return (played, *_resolve(state, played))


def _resolve(state: State, last: CardPlayed) -> tuple[Event, ...]:
    plays = (*state.trick, last)
    won = TrickWon(plays[winner([play.motif for play in plays], state.round.trump)].seat)
    if len(state.tricks) + 1 < state.round.hand_size:
        return (won,)
    made = state.made
    return (won, RoundScored(settle(state, with_item(made, won.seat - 1, made[won.seat - 1] + 1))))


def _deal(state: State, seat: int, deal: Deal) -> tuple[Event, ...]:
    seats, options, pack = state.setup.seats, state.setup.options, deal.pack
    if seat != CHANCE:
        raise Refused(Reason.NOT_THE_DEALER)
    if state.phase is Phase.OVER:
        raise Refused(Reason.GAME_OVER)
    if state.phase is not Phase.DEAL:
        raise Refused(Reason.NOT_TIME_TO_DEAL)
    if not 1 <= deal.dealer <= seats or _next_dealer(state) not in (0, deal.dealer):
        raise Refused(Reason.WRONG_DEALER)
    if Counter(pack) != dict.fromkeys(options.deck_pairs, options.sets):
        raise Refused(Reason.WRONG_PACK)
    number, size = state.round.number + 1, options.hand_sizes[state.round.number]
    turn_up, stock = pack[seats * size], pack[seats * size + 1 :]
    return (Dealt(number, deal.dealer, size, turn_up, trump_of(turn_up), _hands(deal, seats, size), stock),)


def _hands(deal: Deal, seats: int, size: int) -> tuple[Hand, ...]:
    """Deal one card at a time, clockwise from the dealer's left neighbour."""
    dealt: list[tuple[Card, ...]] = [deal.pack[place : seats * size : seats] for place in range(seats)]
    return tuple(Hand(dealt[(seat - deal.dealer - 1) % seats]) for seat in range(1, seats + 1))


def _next_dealer(state: State) -> int:
    """Return the seat that deals next; 0 for one by lot."""
    if state.round.number == 0:
        return state.setup.options.first_dealer
    return next_seat(state.round.dealer, state.setup.seats)
