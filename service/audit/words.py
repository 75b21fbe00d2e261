"""Words: any fact, view or option as text, from nothing but its class."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from stammtisch.table.v1 import table_pb2

from service.audit.sealed import Sealed

FAIRNESS: Mapping[table_pb2.Fairness.ValueType, str] = {
    table_pb2.FAIRNESS_COMMITTED: "committed, the operator could not change a deal once the table was created",
    table_pb2.FAIRNESS_JOINT: "joint, every person had a hand in each deal that the others could not foresee",
}


def words(value: Any) -> str:
    """Return a value in one line: `PlayCard card=CA/H2 motif=CA`."""
    if _has_parts(value):
        return " ".join((type(value).__name__, *_named(value)))
    if isinstance(value, tuple):
        return f"[{' '.join(_items(value))}]"
    if isinstance(value, Sealed):
        return "sealed" if value.face is None else f"{words(value.face)} (the rest is sealed)"
    return _notation(value)


def lines(value: Any) -> Iterator[str]:
    """Return a value with parts in a line for each of them, and one for each of several things with parts."""
    for name, part in parts(value):
        if isinstance(part, tuple) and any(map(_has_parts, part)):
            yield f"{name}:"
            yield from (f"  {words(item)}" for item in part)
        else:
            yield f"{name}: {words(part)}"


def parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Return names and values of all that a value is made of."""
    if isinstance(value, Message):
        for field, content in value.ListFields():
            yield field.name, _plain(field, content)
    elif is_dataclass(value):
        for each in fields(value):
            yield each.name, getattr(value, each.name)


def _plain(field: FieldDescriptor, content: Any) -> Any:
    if field.is_repeated:
        return tuple(content)
    member = field.enum_type.values_by_number.get(content) if field.enum_type else None
    return member.name if member else content


def _has_parts(value: Any) -> bool:
    """Whether a value is more than its notation."""
    return isinstance(value, Message) or (
        is_dataclass(value) and not hasattr(value, "parse") and not isinstance(value, Sealed)
    )


def _notation(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case bytes():
            return value.hex() or "-"
        case Enum():
            return value.name
        case _:
            return str(value)


def _named(value: Any) -> Iterator[str]:
    for name, part in parts(value):
        yield f"{name}={_part(part)}"


def _part(value: Any) -> str:
    """Return a value inside another: what has parts without its class, which its name tells; several words as one."""
    if _has_parts(value):
        return f"({' '.join(_named(value))})"
    text = words(value)
    return f"({text})" if " " in text and not isinstance(value, tuple) else text


def _items(values: tuple[Any, ...]) -> Iterator[str]:
    """Return a list's items. Where they have parts but name no seat, their place in the list says whose they are."""
    for place, value in enumerate(values, 1):
        owned = _has_parts(value) and "seat" not in dict(parts(value))
        yield f"{place}:{_part(value)}" if owned else _part(value)
