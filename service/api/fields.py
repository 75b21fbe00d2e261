"""Fields that every request has, checked where they come in."""

import re
import uuid
from collections.abc import Sequence

from google.protobuf import duration_pb2
from google.protobuf.message import Message
from stammtisch.table.v1 import table_pb2

from service.api.errors import invalid
from service.entry import TABLE_ID

NAME_LENGTH_MAX = 64
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def table_id(value: str) -> str:
    """Return a table's id."""
    if TABLE_ID.fullmatch(value) is None:
        raise invalid("table_id", "Send the table_id that CreateTable answered with.")
    return value


def command_id(value: str) -> bytes:
    """Return the 16 bytes of a command's id."""
    if UUID.fullmatch(value) is None:
        raise invalid("command_id", "Send a new random UUID with every command, and the same one when you repeat it.")
    return uuid.UUID(value).bytes


def version(path: str, value: int) -> int:
    """Return a version, or the 0 before the first."""
    if value < 0:
        raise invalid(path, "Versions count from 1; send 0 for none.")
    return value


def seat(path: str, value: int, seats: range) -> int:
    """Return one of a table's seats, or the 0 for none in particular."""
    if value and value not in seats:
        raise invalid(path, f"The table has the seats 1 to {seats[-1]}; send one of these, or 0 for your own.")
    return value


def seconds(path: str, value: duration_pb2.Duration, most: float) -> float:
    """Return a duration in seconds."""
    length = value.seconds + value.nanos / 1e9
    if not 0 <= length <= most:
        raise invalid(path, f"Send a duration from 0s to {most:g}s.")
    return length


def nothing_beside(request: Message, path: str, *others: str) -> None:
    """Fail if a request says something that one of its fields leaves no room for."""
    sent = {field.name for field, _ in request.ListFields()}
    for other in others:
        if path in sent and other in sent:
            raise invalid(other, f"Send this or {path}, not both.")


def milliseconds(path: str, value: duration_pb2.Duration, least: float, most: float) -> int:
    """Return a duration in whole milliseconds; its bounds are given in seconds."""
    length = value.seconds * 1000 + value.nanos // 1_000_000
    if value.nanos % 1_000_000 or not least * 1000 <= length <= most * 1000:
        raise invalid(path, f"Send a duration from {least:g}s to {most:g}s, in whole milliseconds.")
    return length


def open_seats(seats: Sequence[table_pb2.NewSeat]) -> tuple[int, ...]:
    """Return the seats that nobody has yet."""
    for index, seat in enumerate(seats):
        if seat.kind not in table_pb2.SeatKind.values():
            raise invalid(f"seats[{index}].kind", "Send a kind of seat that this service knows.")
        if seat.kind == table_pb2.SEAT_KIND_OPEN and (seat.name or seat.contribution or seat.commitment):
            raise invalid(f"seats[{index}]", "An open seat has no name and no contribution: who takes it sends them.")
        if seat.kind == table_pb2.SEAT_KIND_BOT and (seat.contribution or seat.commitment):
            raise invalid(f"seats[{index}].contribution", "A bot contributes nothing: leave it out.")
        if seat.kind != table_pb2.SEAT_KIND_BOT and seat.bot:
            raise invalid(f"seats[{index}].bot", "Only a bot has a strength: send kind SEAT_KIND_BOT, or leave it out.")
    return tuple(number for number, seat in enumerate(seats, 1) if seat.kind == table_pb2.SEAT_KIND_OPEN)


def bots(seats: Sequence[table_pb2.NewSeat]) -> dict[int, table_pb2.BotStrength.ValueType]:
    """Return the seats of bots, and how well they play."""
    return {
        number: strength(f"seats[{number - 1}].bot", seat.bot)
        for number, seat in enumerate(seats, 1)
        if seat.kind == table_pb2.SEAT_KIND_BOT
    }


def strength(path: str, value: table_pb2.BotStrength.ValueType) -> table_pb2.BotStrength.ValueType:
    """Return how well a bot is to play."""
    if value not in table_pb2.BotStrength.values():
        raise invalid(path, "Send a strength that this service knows.")
    return value or table_pb2.BOT_STRENGTH_STEADY


def names(seats: Sequence[table_pb2.NewSeat]) -> dict[int, str]:
    """Return the names at the seats."""
    given = (name(f"seats[{index}].name", seat.name) for index, seat in enumerate(seats))
    return {number: each for number, each in enumerate(given, 1) if each}


def name(path: str, value: str) -> str:
    """Return what a person is called."""
    if len(value) > NAME_LENGTH_MAX or not value.isprintable():
        raise invalid(path, f"Send up to {NAME_LENGTH_MAX} printable characters.")
    return value
