"""Duty: what a table has to do by itself next, and when. It follows from its log alone, so any process can do it."""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from service.fold import FORMING, REVEALING, RUNNING, Table

REACTION = range(75, 126)  # per cent of the thinking time: where bots race, none is always the fastest


class Task(Enum):
    """What there is to do."""

    PLAY = auto()  # a bot gives a command
    RUN_OUT = auto()  # a seat's time has run out
    ABANDON = auto()  # the people have all been gone for too long
    MISS = auto()  # a contribution was not revealed in time
    EXPIRE = auto()  # a game that has not begun never will
    FORGET = auto()  # an ended table leaves the store


class Duty(NamedTuple):
    """One thing to do. Times are milliseconds since 1970."""

    at_ms: int
    task: Task
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an operator waits. It stands in no log."""

    grace_ms: int = 1_000  # after a deadline, for a command that came in time to a slow server
    forming_ms: int = 0  # without anything happening, until a table that has not begun is closed; 0: for ever
    ended_ms: int = 0  # until an ended table leaves the store; 0: never


DEFAULT_PATIENCE = Patience()
NONE = Patience(grace_ms=0)


def next_duty(table: Table, patience: Patience) -> Duty | None:
    """Return what the table has to do first, if anything."""
    idle = not table.waiting.since and not table.charter.terms.gone_after_ms  # as at most tables, after each command
    if table.status == RUNNING and idle:
        return None
    return min(duties(table, patience), key=lambda duty: (duty.at_ms, duty.seat), default=None)


def duties(table: Table, patience: Patience) -> Iterator[Duty]:
    """Return all that the table has to do, if nothing happens before."""
    if (abandoned_at := table.abandoned_at) is not None:
        yield Duty(abandoned_at + patience.grace_ms, Task.ABANDON)
    if table.status == RUNNING:
        yield from _playing(table, patience.grace_ms)
    elif table.status == REVEALING:
        yield from _revealing(table, patience.grace_ms)
    elif table.status == FORMING:
        if patience.forming_ms:
            yield Duty(table.updated_ms + patience.forming_ms, Task.EXPIRE)
    elif patience.ended_ms:
        yield Duty(table.updated_ms + patience.ended_ms, Task.FORGET)


def _playing(table: Table, grace_ms: int) -> Iterator[Duty]:
    game, state = table.charter.game, table.state
    for seat, since in table.waiting.since.items():
        if table.seating.plays_by_bot(seat):
            if not game.races or any(True for _ in game.legal(state, seat)):
                yield Duty(since + _thinking_ms(table, seat, since), Task.PLAY, seat)
        elif (deadline := table.deadline(seat)) is not None and (
            not game.races or game.default(state, seat) is not None
        ):
            yield Duty(deadline + grace_ms, Task.RUN_OUT, seat)


def _revealing(table: Table, grace_ms: int) -> Iterator[Duty]:
    for seat in table.waiting.since:
        if (deadline := table.deadline(seat)) is not None:
            yield Duty(deadline + grace_ms, Task.MISS, seat)


def _thinking_ms(table: Table, seat: int, since: int) -> int:
    """Return how long a bot thinks: in a race nobody can foresee it, lest somebody is always just faster."""
    thinking = table.charter.terms.thinking_ms
    if not table.charter.game.races:
        return thinking
    die = hmac.digest(table.charter.root, f"stammtisch/reaction/1{seat}/{since}".encode(), "sha256")
    return thinking * REACTION[int.from_bytes(die, "big") % len(REACTION)] // 100
