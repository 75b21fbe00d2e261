"""What ListGames says of each game: enough to build a form for a new table."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from stammtisch.table.v1 import service_pb2

from service.api.game_messages import GameMessages
from service.games import GAMES
from service.kit.options import options_of

TYPES = {
    FieldDescriptor.CPPTYPE_BOOL: "bool",
    FieldDescriptor.CPPTYPE_INT32: "int",
    FieldDescriptor.CPPTYPE_ENUM: "enum",
}


def game_infos(most_seats: int) -> list[service_pb2.GameInfo]:
    """Return all games that fit this server's limit of seats, in the order of the registry."""
    return [_game_info(GameMessages(game), most_seats) for game in GAMES.values() if game.seats[0] <= most_seats]


def _game_info(messages: GameMessages, most_seats: int) -> service_pb2.GameInfo:
    game, service = messages.game, messages.service
    create: Any = service.methods_by_name["CreateTable"].GetOptions().Extensions[annotations_pb2.http]
    return service_pb2.GameInfo(
        game=game.name,
        title=game.title,
        rules=game.rules,
        service=service.full_name,
        path=create.post,
        min_seats=game.seats[0],
        max_seats=min(game.seats[-1], most_seats),
        options=_option_infos(messages),
    )


def _option_infos(messages: GameMessages) -> Iterator[service_pb2.OptionInfo]:
    kind, options = messages.game.options, messages.game.options()
    described = messages.wire.encode(options).DESCRIPTOR.fields_by_name
    for name, option in options_of(kind).items():
        field = described[name]
        values = field.enum_type.values[1:] if field.enum_type else ()  # the first is UNSPECIFIED
        yield service_pb2.OptionInfo(
            name=field.json_name,
            type="list" if field.is_repeated else TYPES[field.cpp_type],
            sentence=option.sentence,
            default_json=json.dumps(_shown(messages, options, field)),
            min=option.least,
            max=option.most,
            values=[value.name for value in values],
            refused_when=option.refused_when,
            profile_defaults=[
                service_pb2.ProfileDefault(
                    profile=_shown(messages, replace(options, profile=profile), described["profile"]),
                    default_json=json.dumps(
                        _shown(messages, replace(options, **{name: getattr(defaults, name)}), field)
                    ),
                )
                for profile, defaults in option.profiles.items()
            ],
            min_items=option.items[0] if option.items else None,
            max_items=option.items[-1] if option.items else None,
        )


def _shown(messages: GameMessages, options: Any, field: Any) -> Any:
    """Return the value of an option as JSON spells it; None where it is left to the profile."""
    if getattr(options, field.name) is None:
        return None
    shown = json_format.MessageToDict(messages.wire.encode(options), always_print_fields_with_no_presence=True)
    return shown[field.json_name]
