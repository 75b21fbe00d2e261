"""Fuzz: commands built from nothing but their types."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from random import Random
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

NUMBERS = (-(2**31), -1, 0, 1, 2, 3, 4, 5, 9, 26, 27, 2**31 - 1)
LENGTHS = (0, 1, 2, 5, 27, 54, 60)


class Fuzz:
    """Makes commands, sensible and senseless ones, of values found in a state and of strangers to it."""

    def __init__(self, random: Random, commands: Sequence[type[Any]], *sources: Any) -> None:
        self._random = random
        self._commands = commands
        self._pool: dict[type[Any], list[Any]] = defaultdict(list)
        for value in _values_in(sources):
            if hasattr(value, "parse"):
                self._pool[type(value)].append(value)

    def command(self) -> Any:
        """Return a command with every field at random."""
        return self._make(self._random.choice(self._commands))

    def mutant(self, command: Any) -> Any:
        """Return the command with one field at random; one that has none is another command."""
        if not fields(command):
            return self.command()
        name = self._random.choice([field.name for field in fields(command)])
        return replace(command, **{name: self._make(get_type_hints(type(command))[name])})

    def _make(self, kind: Any) -> Any:
        if get_origin(kind) is tuple:
            return tuple(self._make(get_args(kind)[0]) for _ in range(self._random.choice(LENGTHS)))
        if isinstance(kind, UnionType):  # of something and None
            return self._random.choice((None, self._make(get_args(kind)[0])))
        if kind is int:
            return self._random.choice(NUMBERS)
        if issubclass(kind, Enum) or hasattr(kind, "parse"):
            return self._random.choice(list(kind) if issubclass(kind, Enum) else self._pool[kind])
        return kind(**{name: self._make(hint) for name, hint in get_type_hints(kind).items()})


def _values_in(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, tuple):
        for item in value:
            yield from _values_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _values_in(getattr(value, field.name))
