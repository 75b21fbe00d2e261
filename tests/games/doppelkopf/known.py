"""What the laws must know of Doppelkopf."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from random import Random
from typing import Any

from service.games.doppelkopf import GAME
from service.games.doppelkopf.cards import CARDS, CLUB_QUEEN, Card
from service.games.doppelkopf.commands import Announce, Answer, Deal, Name, PlayCard, Reserve
from service.games.doppelkopf.contract import MarriageMode, Solo
from service.games.doppelkopf.events import ContractMade
from service.games.doppelkopf.options import Options
from service.games.doppelkopf.rules import Announcements, FollowRule, Profile, Rules, SecondTolle, Settlement, Tie
from service.games.doppelkopf.state import State
from service.kit.tuples import without
from tests.games.doppelkopf.given import stacked
from tests.games.story import History, Known, take

Hands = dict[int, tuple[Card, ...]]  # by seat

FLAGS = (True, False)
MANDATORY = 0.15  # a table with mandatory solos has many deals
TALKATIVE = 0.15  # how often one has a reservation, or announces something instead of playing
TRIES = 6  # at each number of cards dealt anew


def options(random: Random, seats: int) -> Options:
    solos = int(random.random() < MANDATORY)
    chosen = Options(
        profile=random.choice(list(Profile)),
        deals=solos * seats + random.randint(1, 2),
        first_dealer=random.randint(0, seats),
        nines=random.choice(FLAGS),
        tollen=random.choice(FLAGS),
        second_tolle_beats_first=random.choice(list(SecondTolle)),
        follow_rule=random.choice(list(FollowRule)),
        foxes=random.choice(FLAGS),
        charlie=random.choice(FLAGS),
        doppelkopf_trick=random.choice(FLAGS),
        marriage_modes=_some(random, MarriageMode),
        silent_solo=random.choice(FLAGS),
        solo_types=_some(random, Solo),
        mandatory_solo=solos,
        announcements=random.choice(list(Announcements)),
        settlement=random.choice(list(Settlement)),
        tie_120=random.choice(list(Tie)),
        deal_packets=random.randint(1, 12),
        base_amount=random.choice((1, 5, 100)),
        ante=random.choice((1, 100)),
        premium=random.choice((0, 1, 10)),
        fox_premium=random.choice((0, 1)),
        solo_loss_side=random.choice((1, 2)),
        show_eyes_during_play=random.choice(FLAGS),
    )
    names = [field.name for field in fields(Rules) if field.name != "mandatory_solo"]
    by_profile: dict[str, Any] = dict.fromkeys(name for name in names if random.random() < 0.5)
    return replace(chosen, **by_profile)


def _some(random: Random, kind: Any) -> tuple[Any, ...]:
    return tuple(random.sample(list(kind), random.randint(1, len(kind))))


def choose(random: Random, commands: Sequence[Any]) -> Any:
    """Choose so that most deals are normal games, and not everything is announced at once."""
    talk = [each for each in commands if isinstance(each, Announce) or each == Reserve(Answer.RESERVATION)]
    rest = [each for each in commands if each not in talk]
    return random.choice(rest if rest and (not talk or random.random() > TALKATIVE) else talk)


def pack(state: State) -> tuple[Card, ...]:
    return state.setup.pack if state.dealing.number else ()


def places(state: State) -> Iterator[Card]:
    for hand in state.hands:
        yield from hand
    for plays in (state.trick, *(trick.plays for trick in state.tricks)):
        yield from (play.card for play in plays)


def redeals(random: Random, start: State, history: History, seat: int | None) -> Iterator[History]:
    """Deal anew the last deal's hidden cards, and have reservations that lost be others."""
    place = max(place for place, (_, command) in enumerate(history) if isinstance(command, Deal))
    state = _told(start, history[: place + 1])
    made, seats = _told(state, history[place + 1 :]).bidding.made, state.dealing.playing
    hidden = {other: _unplayed(state, history[place:], other) for other in seats if other != seat}
    spoken = {who for who, command in history[place:] if isinstance(command, Announce)}
    for hands in _redealt(random, {other: state.hands[other - 1] for other in seats}, hidden, spoken):
        deal = stacked(state.setup, state.dealing.dealer, [hands[other] for other in seats])
        yield [*history[:place], (0, deal), *_named_anew(random, made, history[place + 1 :], seat)]


def _redealt(random: Random, hands: Hands, hidden: Hands, spoken: set[int]) -> Iterator[Hands]:
    """Exchange ever fewer of the hidden cards, first so that other seats hold the queens of clubs."""
    for keen in (True, False):
        count = sum(map(len, hidden.values()))
        while count > 1:
            for _ in range(TRIES):
                changed = _shuffled(random, hands, hidden, count)
                moved = {who for who in hands if changed[who].count(CLUB_QUEEN) != hands[who].count(CLUB_QUEEN)}
                told = {who for who in spoken if (CLUB_QUEEN in changed[who]) is not (CLUB_QUEEN in hands[who])}
                if (moved or not keen) and not told:  # an announcement tells the party, too
                    yield changed
            count -= 1 + count // 3


def _told(state: State, history: History) -> State:
    for who, command in history:
        state = take(GAME, state, who, command).after
    return state


def _unplayed(state: State, history: History, seat: int) -> tuple[Card, ...]:
    hand = state.hands[seat - 1]
    for player, command in history:
        if player == seat and isinstance(command, PlayCard):
            hand = without(hand, command.card)
    return hand


def _shuffled(random: Random, hands: Hands, hidden: Hands, count: int) -> Hands:
    """Exchange some of the hidden cards among the hands that hold them."""
    held = [(seat, card) for seat, some in hidden.items() for card in some]
    moved = random.sample(held, count)
    changed = dict(hands)
    for (seat, card), (_, other) in zip(moved, random.sample(moved, count), strict=True):
        changed[seat] = (*without(changed[seat], card), other)
    return changed


def _named_anew(
    random: Random, made: ContractMade | None, history: History, seat: int | None
) -> Iterator[tuple[int, Any]]:
    """Let others, whose reservation did not win or has not yet, want another solo."""
    for who, command in history:
        lost = made is None or who != made.seat
        if isinstance(command, Name) and command.solo and who != seat and lost:
            yield who, replace(command, solo=random.choice(list(Solo)))
        else:
            yield who, command


KNOWN = Known(
    longest=12 * 90,
    options=options,
    pack=pack,
    places=places,
    strangers=tuple(CARDS.values()),
    redeals=redeals,
    short=Options(deals=1),
    choose=choose,
)
