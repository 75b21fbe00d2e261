"""Game: what a room exports, a record of plain functions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")
View = TypeVar("View")
Options = TypeVar("Options")
Item = TypeVar("Item")

CHANCE = 0  # the seat of the dealer


class Refused(Exception):
    """The rules said no. Raised by `decide` and by nothing else."""

    def __init__(self, reason: Enum) -> None:
        """Take a member of the game's Reason: its name is for programs, its value the sentence for people."""
        super().__init__(reason.value)
        self.reason = reason


class CannotRedeal(ValueError):
    """Here the cards cannot be dealt anew without changing what somebody knows. It says why, in a sentence."""


class BadOptions(ValueError):
    """These options, or this number of seats, cannot be played."""

    def __init__(self, option: str, sentence: str) -> None:
        """Take the option's name and a sentence that says what would be right."""
        super().__init__(f"{option}: {sentence}")
        self.option = option
        self.sentence = sentence


class Draw(Protocol):
    """The source of one deal's chance. Every label draws from a stream of its own."""

    def shuffled(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Return the items in random order."""

    def below(self, limit: int, label: str) -> int:
        """Return a number from 0 to limit - 1."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a standing. Seats that share a place share the rank."""

    seat: int
    rank: int
    score: int


@dataclass(frozen=True, slots=True)
class Game(Generic[State, Command, Event, View, Options]):
    """A kind of game. Seats count from 1; seat 0 is chance, the dealer."""

    name: str
    title: str
    rules: str  # the name and version that entries are signed with, `double_tricks/1`
    seats: range
    options: type[Options]
    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    view: type[View]
    reason: type[Enum]
    private: tuple[type[Any], ...]  # classes of commands and events that are sealed in the log
    start: Callable[[Options, int], State]  # the state before the first event; BadOptions where it cannot be played
    decide: Callable[[State, int, Command], tuple[Event, ...]]  # or Refused
    evolve: Callable[[State, Event], State]
    project: Callable[[State, int | None], View]  # what a seat, or a spectator, may see
    see: Callable[[Event, int | None], Event | None]  # the event as a seat, or everybody, may see it
    legal: Callable[[State, int], Iterable[Command]]  # what `decide` would accept from the seat
    chance: Callable[[State, Draw], Command | None]  # what the dealer would do now
    redeal: Callable[[State, Draw], Command | None]
    """What the dealer does where a table goes on from another's position and hidden cards are to be dealt anew, so that
    nothing changes that anybody else could see. None where none are dealt, or CannotRedeal."""
    to_act: Callable[[State], tuple[int, ...]]
    """The seats that the table waits for. Where all race these are all, able to do something now or not: that is their
    secret. But one of them at least can."""
    default: Callable[[State, int], Command | None]
    """What the table does for a seat whose time has run out: always the same, and by nothing but what the seat may see.
    None where the seat is not waited for; in a race also where it can do nothing now."""
    so_far: Callable[[State], tuple[Standing, ...]]  # the standing by the score as it is now, over or not
    standings: Callable[[State], tuple[Standing, ...]]  # the same, but empty until the game is over
    races: bool = False  # whether all act at once: the table waits for whoever comes, and not for each


AnyGame = Game[Any, Any, Any, Any, Any]  # as the registry holds it
