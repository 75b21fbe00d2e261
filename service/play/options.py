"""Options of a game as people type them: name=value."""

import json
from collections.abc import Iterable
from typing import Any

from stammtisch.table.v1.service_pb2 import GameInfo, OptionInfo

from service.play.door import CannotPlay


def read_options(game: GameInfo, texts: Iterable[str]) -> dict[str, Any]:
    """Return options in their JSON spelling."""
    known = {_plain(option.name): option for option in game.options}
    wanted = {}
    for text in texts:
        name, equals, value = text.partition("=")
        option = known.get(_plain(name))
        if option is None or not equals:
            names = ", ".join(option.name for option in game.options)
            raise CannotPlay(f"{text}: give name=value with one of {game.game}'s options: {names}.")
        wanted[option.name] = _value(option, value)
    return wanted


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _value(option: OptionInfo, text: str) -> Any:
    if option.type == "list":
        return [_item(option, item) for item in text.split(",")]
    return _item(option, text)


def _item(option: OptionInfo, text: str) -> Any:
    """Return a name among the option's values, a number, true or false; anything else stays text."""
    if option.values:
        return next((name for name in option.values if name.endswith(f"_{text.upper()}")), text)
    try:
        return json.loads(text)
    except ValueError:
        return text
