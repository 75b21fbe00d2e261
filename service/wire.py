"""Wire: a game's dataclasses as protobuf messages and back, paired by name.

`PlayCard` pairs with the message `PlayCard`, `Suit.CLUBS` with `SUIT_CLUBS`; a field has the same name on both sides.
Everything is paired once, at import, and whatever has no partner there is an Unpaired.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from service.games import GAMES
from service.kit.game import AnyGame


class Unpaired(ImportError):
    """A dataclass and its message differ."""


class Malformed(ValueError):
    """A message that is no value of the game."""

    def __init__(self, path: str, sentence: str) -> None:
        """Take the path of the field inside the message, and a sentence that says what would be right."""
        super().__init__(f"{path}: {sentence}" if path else sentence)
        self.path = path
        self.sentence = sentence

    def below(self, step: str) -> "Malformed":
        """Return the same, seen from one step above."""
        joint = "." if self.path and not self.path.startswith("[") else ""
        return Malformed(f"{step}{joint}{self.path}", self.sentence)


Convert = Callable[[Any], Any]
Plain = dict[str, Any]  # a message's fields by name


@dataclass(frozen=True, slots=True)
class _Codec:
    """How one kind of value becomes plain data, of which protobuf builds messages fastest; and how it is read."""

    plain: Convert | None  # None where the value is plain already
    read: Convert


@dataclass(frozen=True, slots=True)
class _Pair:
    """A dataclass with its message."""

    message: type[Message]
    plain: Convert
    read: Convert


class Wire:
    """The messages of one game."""

    def __init__(self, game: AnyGame) -> None:
        self.messages = import_module(f"stammtisch.{game.name}.v1.{game.name}_pb2")
        self._options = game.options
        self._asked = game.commands
        self._pairs: dict[type[Any], _Pair] = {}
        self._named: dict[str, _Pair] = {}
        self._commands = self._oneof("Command", game.commands)
        self._events = self._oneof("Event", game.events)
        self._pair(game.view)
        self._pair(game.options)
        self._enum(game.reason, self.messages.DESCRIPTOR.enum_types_by_name.get(game.reason.__name__))

    def encode(self, value: Any) -> Message:
        """Return the message of a paired dataclass."""
        return self._pairs[type(value)].message(**self.plain(value))

    def plain(self, value: Any) -> Plain:
        """Return a paired dataclass as a field of a larger message takes it: built in place, it is not copied there."""
        plain: Plain = self._pairs[type(value)].plain(value)
        return plain

    def decode(self, message: Message) -> Any:
        """Return the value of a paired message, or raise Malformed."""
        return self._named[message.DESCRIPTOR.full_name].read(message)

    def encode_command(self, command: Any) -> Message:
        """Return the command in its `Command`."""
        message: Message = self.messages.Command(**self.plain_command(command))
        return message

    def plain_command(self, command: Any) -> Plain:
        """Return the command in its `Command`, as a field of a larger message takes it."""
        return {self._commands[type(command)]: self.plain(command)}

    def decode_command(self, message: Message) -> Any:
        """Return the command in a `Command`, or raise Malformed."""
        return self._unwrap(message, "command")

    def encode_event(self, event: Any) -> Message:
        """Return the event in its `Event`."""
        message: Message = self.messages.Event(**self.plain_event(event))
        return message

    def plain_event(self, event: Any) -> Plain:
        """Return the event in its `Event`, as a field of a larger message takes it."""
        return {self._events[type(event)]: self.plain(event)}

    def decode_event(self, message: Message) -> Any:
        """Return the event in an `Event`, or raise Malformed."""
        return self._unwrap(message, "event")

    def _unwrap(self, message: Any, oneof: str) -> Any:
        member = message.WhichOneof(oneof)
        if member is None:
            raise Malformed("", f"say which {oneof}")
        try:
            return self.decode(getattr(message, member))
        except Malformed as bad:
            raise bad.below(member) from None

    def _oneof(self, wrapper: str, kinds: Iterable[type[Any]]) -> dict[type[Any], str]:
        names = {kind: _snake(kind.__name__) for kind in kinds}
        descriptor = self._descriptor(wrapper)
        _same(names.values(), descriptor.fields_by_name, descriptor.full_name)
        for kind, name in names.items():
            self._pair(kind, descriptor.fields_by_name[name].message_type)
        return names

    def _descriptor(self, name: str) -> Descriptor:
        if name not in self.messages.DESCRIPTOR.message_types_by_name:
            raise Unpaired(f"{self.messages.__name__} has no message {name}")
        descriptor: Descriptor = self.messages.DESCRIPTOR.message_types_by_name[name]
        return descriptor

    def _pair(self, kind: type[Any], used_as: Descriptor | None = None) -> _Pair:
        descriptor = self._descriptor(kind.__name__)
        if used_as is not None and used_as is not descriptor:
            raise Unpaired(f"{kind.__name__} is sent as {used_as.full_name}")
        if kind not in self._pairs:
            pair = self._new_pair(kind, descriptor)
            self._pairs[kind] = self._named[descriptor.full_name] = pair
        return self._pairs[kind]

    def _new_pair(self, kind: type[Any], descriptor: Descriptor) -> _Pair:
        known, hints = fields(kind), get_type_hints(kind)
        _same((field.name for field in known), descriptor.fields_by_name, descriptor.full_name)
        codecs = {}
        for field in known:
            codecs[field.name] = self._field(kind, field, hints[field.name], descriptor.fields_by_name[field.name])
        plain = _plain_fields({name: codec.plain for name, codec in codecs.items()})
        read = _read_fields(kind, {name: codec.read for name, codec in codecs.items()})
        return _Pair(getattr(self.messages, kind.__name__), plain, read)

    def _field(self, owner: type[Any], field: Field[Any], hint: Any, partner: FieldDescriptor) -> _Codec:
        """Pair a field. Where an option is left out it has its default; elsewhere only `X | None` may be left out."""
        kind, optional = _without_none(hint)
        repeated = get_origin(kind) is tuple
        absent: Any = field.default if owner is self._options else None if optional else () if repeated else MISSING
        if repeated is not partner.is_repeated or (repeated and get_args(kind)[1:] != (...,)):
            raise Unpaired(f"{partner.full_name}: a tuple of any length is repeated, and nothing else is; not {hint}")
        if kind in (int, bool):
            _check_presence(partner, absent, asked=owner in self._asked)
        codec = _repeated(self._item(get_args(kind)[0], partner)) if repeated else self._item(kind, partner)
        plain = _unless_none(codec.plain) if optional and codec.plain else codec.plain
        return _Codec(plain, _present(partner, codec.read, absent))

    def _item(self, kind: Any, partner: FieldDescriptor) -> _Codec:
        if kind is bool and partner.type == FieldDescriptor.TYPE_BOOL:
            return _Codec(None, bool)
        if kind is int and partner.type == FieldDescriptor.TYPE_INT32:
            return _Codec(None, int)
        if isinstance(kind, type):
            if issubclass(kind, Enum) and partner.type == FieldDescriptor.TYPE_ENUM:
                return self._enum(kind, partner.enum_type)
            if hasattr(kind, "parse") and partner.type == FieldDescriptor.TYPE_STRING:
                return _Codec(str, _parsed(kind.parse))
            if is_dataclass(kind) and partner.type == FieldDescriptor.TYPE_MESSAGE:
                pair = self._pair(kind, partner.message_type)
                return _Codec(pair.plain, pair.read)
        raise Unpaired(f"{partner.full_name} cannot hold {kind}")

    def _enum(self, kind: type[Enum], descriptor: EnumDescriptor | None) -> _Codec:
        if descriptor is None or descriptor.name != kind.__name__:
            raise Unpaired(f"{self.messages.__name__} has no enum {kind.__name__} where it is needed")
        prefix = _snake(kind.__name__).upper() + "_"
        numbers = {value.name.removeprefix(prefix): value.number for value in descriptor.values}
        _same(["UNSPECIFIED", *(member.name for member in kind)], numbers, descriptor.full_name)
        by_member = {member: numbers[member.name] for member in kind}
        by_number = {number: member for member, number in by_member.items()}
        return _Codec(by_member.__getitem__, _member(by_number, kind.__name__))


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _same(ours: Iterable[str], theirs: Iterable[str], where: str) -> None:
    here, there = set(ours), set(theirs)
    if missing := here - there:
        raise Unpaired(f"{where}: the proto lacks {', '.join(sorted(missing))}")
    if missing := there - here:
        raise Unpaired(f"{where}: the game lacks {', '.join(sorted(missing))}")


def _check_presence(partner: FieldDescriptor, absent: Any, *, asked: bool) -> None:
    """Check that a number is optional exactly where 0 and nothing differ: always in what a seat asks for."""
    if not partner.has_presence and (asked or absent not in (MISSING, 0)):
        raise Unpaired(f"{partner.full_name} must be optional: 0 is not the same as nothing")
    if partner.has_presence and absent is MISSING and not asked:
        raise Unpaired(f"{partner.full_name} is optional in the proto only")


def _without_none(hint: Any) -> tuple[Any, bool]:
    if not isinstance(hint, UnionType):
        return hint, False
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    return kinds[0] if len(kinds) == 1 else hint, True


def _plain_fields(plains: Mapping[str, Convert | None]) -> Convert:
    """Compile `lambda value: {"seat": value.seat, "card": card_(value.card)}`, three times as fast as a loop."""
    items = (
        f"{name!r}: value.{name}" if plain is None else f"{name!r}: {name}_(value.{name})"
        for name, plain in plains.items()
    )
    converts = {f"{name}_": plain for name, plain in plains.items()}
    compiled: Convert = eval(f"lambda value: {{{', '.join(items)}}}", converts)  # noqa: S307 -- of our own field names
    return compiled


def _read_fields(kind: type[Any], reads: Mapping[str, Convert]) -> Convert:
    def read(message: Message) -> Any:
        values = []
        for name, convert in reads.items():
            try:
                values.append(convert(message))
            except Malformed as bad:
                raise bad.below(name) from None
        return kind(*values)

    return read


def _present(partner: FieldDescriptor, read: Convert, absent: Any) -> Convert:
    """Read a field of a message; `absent` is what it means when it is left out."""
    name, has_presence = partner.name, partner.has_presence
    number = partner.type in (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_BOOL) and not partner.is_repeated

    def read_field(message: Message) -> Any:
        value = getattr(message, name)
        if message.HasField(name) if has_presence else (number or value):
            return read(value)
        if absent is MISSING:
            raise Malformed("", "is missing")
        return absent

    return read_field


def _repeated(item: _Codec) -> _Codec:
    one = item.plain

    def plain(values: tuple[Any, ...]) -> Any:
        return values if one is None else [one(value) for value in values]

    def read(values: Iterable[Any]) -> tuple[Any, ...]:
        items = []
        for index, value in enumerate(values):
            try:
                items.append(item.read(value))
            except Malformed as bad:
                raise bad.below(f"[{index}]") from None
        return tuple(items)

    return _Codec(plain, read)


def _unless_none(plain: Convert) -> Convert:
    return lambda value: None if value is None else plain(value)


def _parsed(parse: Convert) -> Convert:
    def read(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as bad:
            raise Malformed("", str(bad)) from None

    return read


def _member(members: Mapping[int, Enum], name: str) -> Convert:
    def read(number: int) -> Enum:
        if number not in members:
            raise Malformed("", f"{number} is no {name}")
        return members[number]

    return read


WIRES: Mapping[str, Wire] = {name: Wire(game) for name, game in GAMES.items()}
