"""What ListGames says of each game: enough to build a form for a new table."""

import json
from typing import Any

from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from stammtisch.table.v1 import service_pb2

from service.api.game_messages import GameMessages
from service.games import GAMES
from service.kit.options import Option, options_of

TYPES = {
    FieldDescriptor.CPPTYPE_BOOL: "bool",
    FieldDescriptor.CPPTYPE_INT32: "int",
    FieldDescriptor.CPPTYPE_ENUM: "enum",
}


def game_infos(most_seats: int) -> list[service_pb2.GameInfo]:
    """Return all games, in the order of the registry; none has more seats than this server allows."""
    return [_game_info(GameMessages(game), most_seats) for game in GAMES.values()]


def _game_info(messages: GameMessages, most_seats: int) -> service_pb2.GameInfo:
    game, service = messages.game, messages.service
    create: Any = service.methods_by_name["CreateTable"].GetOptions().Extensions[annotations_pb2.http]
    options = messages.wire.encode(game.options())
    shown = json_format.MessageToDict(options, always_print_fields_with_no_presence=True)
    described = options.DESCRIPTOR.fields_by_name
    return service_pb2.GameInfo(
        game=game.name,
        title=game.title,
        rules=game.rules,
        service=service.full_name,
        path=create.post,
        min_seats=game.seats[0],
        max_seats=min(game.seats[-1], most_seats),
        options=[
            _option_info(described[name], option, shown.get(described[name].json_name))
            for name, option in options_of(game.options).items()
        ],
    )


def _option_info(field: Any, option: Option, default: Any) -> service_pb2.OptionInfo:
    values = field.enum_type.values[1:] if field.enum_type else ()  # the first is UNSPECIFIED
    return service_pb2.OptionInfo(
        name=field.json_name,
        type="list" if field.is_repeated else TYPES[field.cpp_type],
        sentence=option.sentence,
        default_json=json.dumps(default),
        min=option.least,
        max=option.most,
        values=[value.name for value in values],
        refused_when=option.refused_when,
        min_items=option.items[0] if option.items else None,
        max_items=option.items[-1] if option.items else None,
    )
