"""Decide: what comes of a command, or why the rules refuse it."""

from collections.abc import Iterator
from typing import assert_never

from service.games.double_speed.cards import CARDS, Card
from service.games.double_speed.commands import Command, Deal, Draw, PlayCard, Reason, Unblock
from service.games.double_speed.deadlock import stuck, way_out
from service.games.double_speed.dealing import deal_out
from service.games.double_speed.events import CardPlayed, CardsDrawn, Event
from service.games.double_speed.evolve import evolve
from service.games.double_speed.options import Deadlock
from service.games.double_speed.score import has_won, won
from service.games.double_speed.state import Phase, State
from service.kit.game import CHANCE, Refused

_PLAYS = {card: PlayCard(card) for card in CARDS.values()}
_DRAW, _UNBLOCK = Draw(), Unblock()


def decide(state: State, seat: int, command: Command) -> tuple[Event, ...]:
    """Return what comes of the seat's command, or raise Refused."""
    match command:
        case PlayCard():
            return _play(state, seat, command)
        case Draw():
            return _draw(state, seat, command)
        case Unblock():
            return _unblock(state, seat)
        case Deal():
            return _deal(state, seat, command)
        case unknown:
            assert_never(unknown)


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """Return what the seat may do now: the cards that fit, drawing one card, saying that nobody can go on."""
    if state.phase is not Phase.RACE or not _is_player(state, seat):
        return ()
    fitting = state.setup.deck.fits[state.pile.top]
    commands: list[Command] = [_PLAYS[card] for card in dict.fromkeys(state.hands[seat - 1]) if card in fitting]
    if _drawable(state, seat):
        commands.append(_DRAW)
    elif not commands and stuck(state):
        commands.append(_UNBLOCK)
    return tuple(commands)


def why_not_card(state: State, card: Card) -> Reason | None:
    """Return why a card of a hand may not be played now."""
    if (reason := _why_no_race(state)) is not None:
        return reason
    return None if card in state.setup.deck.fits[state.pile.top] else Reason.CARD_DOES_NOT_FIT


def _why_no_race(state: State) -> Reason | None:
    if state.phase is Phase.RACE:
        return None
    return Reason.NOT_DEALT if state.phase is Phase.DEAL else Reason.GAME_OVER


def _check_player(state: State, seat: int) -> None:
    if (reason := _why_no_race(state)) is not None:
        raise Refused(reason)
    if not _is_player(state, seat):
        raise Refused(Reason.NOT_A_PLAYER)


def _is_player(state: State, seat: int) -> bool:
    return 1 <= seat <= state.setup.seats


def _drawable(state: State, seat: int, playing: int = 0) -> int:
    """Return how many cards the seat may draw, once it has played so many."""
    room = state.setup.options.hand_limit - len(state.hands[seat - 1]) + playing
    return min(room, len(state.stacks[seat - 1]))


def _play(state: State, seat: int, play: PlayCard) -> tuple[Event, ...]:
    _check_player(state, seat)
    if play.seen_version not in (None, state.pile.version):
        raise Refused(Reason.STALE)
    if play.card not in state.hands[seat - 1]:
        raise Refused(Reason.CARD_NOT_IN_HAND)
    if (reason := why_not_card(state, play.card)) is not None:
        raise Refused(reason)
    played = CardPlayed(seat, play.card)
    if state.setup.options.auto_draw and (count := _drawable(state, seat, playing=1)):
        return _with_consequences(state, seat, played, _drawn(state, seat, count))
    return _with_consequences(state, seat, played)


def _draw(state: State, seat: int, draw: Draw) -> tuple[Event, ...]:
    _check_player(state, seat)
    wanted = 1 if draw.count is None else draw.count
    if wanted < 1:
        raise Refused(Reason.DRAW_BELOW_ONE)
    if not state.stacks[seat - 1]:
        raise Refused(Reason.STACK_EMPTY)
    if not (most := _drawable(state, seat)):
        raise Refused(Reason.HAND_FULL)
    return _with_consequences(state, seat, _drawn(state, seat, min(wanted, most)))


def _drawn(state: State, seat: int, count: int) -> CardsDrawn:
    return CardsDrawn(seat, count, state.stacks[seat - 1][:count])


def _unblock(state: State, seat: int) -> tuple[Event, ...]:
    _check_player(state, seat)
    if not stuck(state):
        raise Refused(Reason.NO_DEADLOCK)
    return (way_out(state, seat),)


def _deal(state: State, seat: int, deal: Deal) -> tuple[Event, ...]:
    dealt = deal_out(state, seat, deal)
    return (dealt, *_ways_out(evolve(state, dealt)))


def _with_consequences(state: State, seat: int, *events: CardPlayed | CardsDrawn) -> tuple[Event, ...]:
    """Return what happened to a seat's own cards, and what comes of it at once."""
    for event in events:
        state = evolve(state, event)
    return (*events, won(state, seat)) if has_won(state, seat) else (*events, *_ways_out(state))


def _ways_out(state: State) -> Iterator[Event]:
    """Return what the table does by itself where nobody can go on. A stalemate comes in the end, if nothing helps."""
    if state.setup.options.deadlock is Deadlock.AUTO:
        while stuck(state):
            event = way_out(state, CHANCE)
            yield event
            state = evolve(state, event)
