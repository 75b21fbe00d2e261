"""Options: the fields of a game's frozen dataclass `Options`, each with all that a form needs to offer it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any

from service.kit.game import BadOptions

_KEY = "option"


@dataclass(frozen=True, slots=True)
class Option:
    """What a form says of an option besides its name, its type and its default."""

    sentence: str
    least: int | None  # of a number, or of the numbers in a list
    most: int | None
    items: range | None  # how many items a list may have
    refused_when: str  # which combinations are refused, and why
    profiles: Mapping[Enum, Any]  # where a profile decides the default: what each has under the option's name


def option(  # noqa: PLR0913 -- each is a different fact
    sentence: str,
    *,
    default: Any,
    least: int | None = None,
    most: int | None = None,
    items: range | None = None,
    refused_when: str = "",
    profiles: Mapping[Enum, Any] | None = None,
) -> Any:
    """Return the field of an option. One whose default a profile decides is None by default."""
    known = Option(sentence, least, most, items, refused_when, profiles or {})
    return field(default=default, metadata={_KEY: known})


def options_of(kind: type[Any]) -> dict[str, Option]:
    """Return what is known of each option of an `Options` class, in the order a form should show them."""
    return {each.name: each.metadata[_KEY] for each in fields(kind)}


def check_ranges(options: Any) -> None:
    """Refuse options that are out of range, each by itself. One that is left to a profile is None."""
    for name, rule in options_of(type(options)).items():
        value = getattr(options, name)
        if value is None:
            continue
        values = value if isinstance(value, tuple) else (value,)
        if rule.items is not None and len(values) not in rule.items:
            raise BadOptions(name, f"give {_span(rule.items[0], rule.items[-1])} items, not {len(values)}")
        if rule.least is None or rule.most is None:
            continue
        for number in values:
            if not rule.least <= number <= rule.most:
                raise BadOptions(name, f"choose {_span(rule.least, rule.most)}, not {number}")


def defaults(options: Any) -> dict[str, Any]:
    """Return what each option is where nobody chooses it: what the profile has, where that decides."""
    rules = options_of(type(options))
    return {
        each.name: getattr(profiles[options.profile], each.name)
        if (profiles := rules[each.name].profiles)
        else each.default
        for each in fields(options)
    }


def settled(options: Any) -> Any:
    """Return the options with everything filled in that was left to the profile."""
    left = {name: default for name, default in defaults(options).items() if getattr(options, name) is None}
    return replace(options, **left) if left else options


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"
