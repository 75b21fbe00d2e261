"""Given, when, then: a game of Doppelkopf at exactly the point a test speaks of."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from service.games.doppelkopf import GAME
from service.games.doppelkopf.cards import Card
from service.games.doppelkopf.commands import Announce, Answer, Command, Deal, Name, PlayCard, Reason, Reserve
from service.games.doppelkopf.contract import Announcement, Contract, MarriageMode, Solo
from service.games.doppelkopf.events import Event
from service.games.doppelkopf.options import Options
from service.games.doppelkopf.rules import Profile
from service.games.doppelkopf.state import Phase, Setup, State
from service.kit.game import CHANCE, Refused
from tests.games.story import take

H, R = Answer.HEALTHY, Answer.RESERVATION
DDV: dict[str, Any] = {"profile": Profile.DDV}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def texts(some: Any) -> str:
    """Write cards, or plays of them, in order."""
    return " ".join(str(getattr(each, "card", each)) for each in some)


def options(**chosen: Any) -> Options:
    return replace(Options(), **chosen)


def stacked(setup: Setup, dealer: int, hands: Sequence[Sequence[Card]]) -> Deal:
    """Return the deal that gives these hands, the first of them to forehand."""
    pack: list[Card] = []
    size, packet = setup.hand_size, setup.rules.deal_packets
    for top in range(0, size, packet):
        for hand in hands:
            pack += hand[top : top + packet]
    return Deal(dealer, tuple(pack))


def filled(setup: Setup, *hands: str) -> list[tuple[Card, ...]]:
    """Fill the hands up with what is left of the pack, always the shortest one."""
    some = [cards(hand) for hand in hands] + [()] * (4 - len(hands))
    rest = Counter(setup.pack)
    rest.subtract(card for hand in some for card in hand)
    assert min(rest.values()) >= 0, "the pack does not hold these cards"
    full = [list(hand) for hand in some]
    for card in rest.elements():
        min(full, key=len).append(card)
    return list(map(tuple, full))


def start(seats: int = 4, **chosen: Any) -> State:
    return GAME.start(options(**chosen), seats)


def dealt(*hands: str, seats: int = 4, dealer: int | None = None, **chosen: Any) -> State:
    """Return a game in its first deal. The last seat deals, so seat 1 is forehand and has the first hand."""
    dealer = dealer or seats
    state = start(seats, **({"first_dealer": dealer, "deals": 1} | chosen))
    return dealt_again(state, *hands, dealer=dealer)


def dealt_again(state: State, *hands: str, dealer: int) -> State:
    return after(state, CHANCE, stacked(state.setup, dealer, filled(state.setup, *hands)))


def when(state: State, seat: int, command: Command) -> tuple[Event, ...]:
    return GAME.decide(state, seat, command)


def after(state: State, seat: int, command: Command) -> State:
    after: State = take(GAME, state, seat, command).after
    return after


def reserved(state: State, *answers: Answer) -> State:
    """Let the seats answer in turn."""
    for answer in answers:
        state = after(state, state.turn, Reserve(answer))
    return state


def named(state: State, *names: Name) -> State:
    for name in names:
        state = after(state, state.turn, name)
    return state


def healthy(*hands: str, **chosen: Any) -> State:
    """Return a game in which nobody has a reservation."""
    return reserved(dealt(*hands, **chosen), H, H, H, H)


def solo(kind: Solo, contract: Contract = Contract.SOLO) -> Name:
    return Name(contract, kind, None)


def mandatory(kind: Solo) -> Name:
    return solo(kind, Contract.MANDATORY_SOLO)


def marriage(mode: MarriageMode) -> Name:
    return Name(Contract.MARRIAGE, None, mode)


def first_declares(name: Name, *hands: str, **chosen: Any) -> State:
    """Return a game in which forehand, and nobody else, has a reservation, and names it."""
    return named(reserved(dealt(*hands, **chosen), R, H, H, H), name)


def played(state: State, text: str) -> State:
    """Let the seats play in turn."""
    for card in cards(text):
        state = after(state, state.turn, PlayCard(card))
    return state


def played_out(state: State) -> State:
    """Let the seats play the first card they may, until the deal is over."""
    return played_tricks(state, state.setup.hand_size - len(state.tricks))


def played_tricks(state: State, number: int) -> State:
    """Let the seats play the first card they may, for so many tricks."""
    tricks = len(state.tricks) + number
    while state.phase is Phase.PLAY and len(state.tricks) < tricks:
        card = next(each for each in GAME.legal(state, state.turn) if isinstance(each, PlayCard))
        state = after(state, state.turn, card)
    return state


def say(announcement: Announcement) -> Announce:
    return Announce(announcement)


def refusal(state: State, seat: int, command: Command) -> Reason:
    """Return why the command is refused; it must be."""
    with pytest.raises(Refused) as refused:
        when(state, seat, command)
    assert isinstance(refused.value.reason, Reason)
    return refused.value.reason


def announceable(state: State, seat: int) -> str:
    """Write what the seat may announce."""
    legal = GAME.legal(state, seat)
    return " ".join(each.announcement.name for each in legal if isinstance(each, Announce))


def known(state: State) -> str:
    """Write the parties that everybody knows: `R`, `K`, or `-` for unknown."""
    return "".join("-" if party is None else party.name[0] for party in state.sides.known)
