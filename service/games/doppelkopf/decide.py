"""Decide: what comes of a command, or why the rules refuse it."""

from typing import assert_never

from service.games.doppelkopf.announcing import announceable, announced, why_not_announced
from service.games.doppelkopf.cards import CARDS, SEATS_PLAYING, Card
from service.games.doppelkopf.commands import Announce, Answer, Command, Deal, Name, PlayCard, Reason, Redeal, Reserve
from service.games.doppelkopf.dealing import deal_anew, deal_out
from service.games.doppelkopf.events import (
    CardPlayed,
    Event,
    MarriageResolved,
    Named,
    Reserved,
    TrickWon,
)
from service.games.doppelkopf.evolve import evolve
from service.games.doppelkopf.parties import partner
from service.games.doppelkopf.reserving import NORMAL_GAME, answers, highest, names, why_no_answer, why_no_name
from service.games.doppelkopf.rules import SecondTolle
from service.games.doppelkopf.score import settle
from service.games.doppelkopf.state import Phase, State
from service.games.doppelkopf.tricks import playable, why_not_playable, winner
from service.kit.game import CHANCE, Refused

_PLAYS = {card: PlayCard(card) for card in CARDS.values()}


def decide(state: State, seat: int, command: Command) -> tuple[Event, ...]:
    """Return what comes of the seat's command, or raise Refused."""
    match command:
        case PlayCard():
            return _play(state, seat, command)
        case Announce():
            return _announce(state, seat, command)
        case Reserve():
            return _reserve(state, seat, command)
        case Name():
            return _name(state, seat, command)
        case Deal():
            return deal_out(state, seat, command)
        case Redeal():
            return deal_anew(state, seat, command)
        case unknown:
            assert_never(unknown)


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """Return every command that the seat may give now, on turn or not."""
    match state.phase:
        case Phase.PLAY:
            plays = _plays(state, seat) if seat == state.turn else ()
            return (*plays, *announceable(state, seat))
        case Phase.RESERVE if seat == state.turn:
            return answers(state, seat)
        case Phase.NAME if seat == state.turn:
            return names(state, seat)
        case _:
            return ()


def why_no_card(state: State, seat: int) -> Reason | None:
    """Return why the seat may not play any card now."""
    return _why_not(state, seat, Phase.PLAY, Reason.CONTRACT_NOT_MADE)


def why_not_card(state: State, seat: int, card: Card) -> Reason | None:
    """Return why the seat, which is to play, may not play this card of its hand."""
    return why_not_playable(
        card,
        state.hands[seat - 1],
        [play.card for play in state.trick],
        state.bidding.order,
        state.setup.rules.follow_rule,
        second_tolle=_second_tolle(state),
    )


def _plays(state: State, seat: int) -> tuple[PlayCard, ...]:
    cards = playable(
        state.hands[seat - 1],
        [play.card for play in state.trick],
        state.bidding.order,
        state.setup.rules.follow_rule,
        second_tolle=_second_tolle(state),
    )
    return tuple([_PLAYS[card] for card in cards])


def _why_not(state: State, seat: int, phase: Phase, otherwise: Reason) -> Reason | None:
    """Return why it is not for this seat to do what belongs to a phase."""
    if state.phase is phase and state.turn == seat != CHANCE:
        return None
    if state.phase is Phase.OVER:
        return Reason.GAME_OVER
    if seat not in state.dealing.playing:
        return Reason.SITTING_OUT
    return Reason.NOT_YOUR_TURN if state.phase is phase else otherwise


def _second_tolle(state: State) -> bool:
    """Whether the second Tolle beats the first one in this trick."""
    rule = state.setup.rules.second_tolle_beats_first
    return rule is SecondTolle.ALWAYS or (
        rule is SecondTolle.EXCEPT_LAST_TRICK and len(state.tricks) + 1 < state.setup.hand_size
    )


def _refuse(reason: Reason | None) -> None:
    if reason is not None:
        raise Refused(reason)


def _reserve(state: State, seat: int, command: Reserve) -> tuple[Event, ...]:
    _refuse(_why_not(state, seat, Phase.RESERVE, Reason.NO_RESERVATIONS_NOW))
    _refuse(why_no_answer(state, seat, command.answer))
    reserved = Reserved(seat, command.answer)
    said = (*(state.bidding.answers[other - 1] for other in state.dealing.playing[:-1]), command.answer)
    last = seat == state.dealing.playing[-1]
    return (reserved, NORMAL_GAME) if last and Answer.RESERVATION not in said else (reserved,)


def _name(state: State, seat: int, name: Name) -> tuple[Event, ...]:
    _refuse(_why_not(state, seat, Phase.NAME, Reason.NOTHING_TO_NAME))
    _refuse(why_no_name(state, seat, name))
    named = Named(seat, name.contract, name.solo, name.mode)
    after = evolve(state, named)
    return (named,) if after.turn else (named, highest(after.bidding.named))


def _announce(state: State, seat: int, command: Announce) -> tuple[Event, ...]:
    _refuse(why_not_announced(state, seat, command.announcement))
    return (announced(state, seat, command.announcement),)


def _play(state: State, seat: int, play: PlayCard) -> tuple[Event, ...]:
    _refuse(why_no_card(state, seat))
    card, setup = play.card, state.setup
    if card not in state.hands[seat - 1]:
        raise Refused(Reason.CARD_NOT_IN_HAND)
    _refuse(why_not_card(state, seat, card))
    played = CardPlayed(seat, card)
    plays = (*state.trick, played)
    if len(plays) < SEATS_PLAYING:
        return (played,)
    cards = [each.card for each in plays]
    won = TrickWon(plays[winner(cards, state.bidding.order, second_tolle=_second_tolle(state))].seat)
    if len(state.tricks) + 1 < setup.hand_size and not state.unresolved:
        return (played, won)
    return (played, won, *_consequences(evolve(evolve(state, played), won)))


def _consequences(state: State) -> tuple[Event, ...]:
    """Return what comes of a complete trick: a marriage may be resolved, and the deal be over."""
    last = len(state.tricks) == state.setup.hand_size
    events: tuple[Event, ...] = ()
    if marriage := state.unresolved:
        found = partner(marriage.mode, marriage.seat, state.tricks, last=last)
        if found is not None:
            resolved = MarriageResolved(marriage.seat, found)
            events, state = (resolved,), evolve(state, resolved)
    return (*events, *settle(state)) if last else events
