"""Messages that all games share, made from a table."""

from weakref import WeakKeyDictionary

from google.protobuf import timestamp_pb2
from stammtisch.table.v1 import table_pb2

from service.fold import Charter, Table
from service.seal import commitment
from service.seating import OPEN, PERSON, Chair, Seating
from service.terms import duration, written

_made: WeakKeyDictionary[Seating, table_pb2.Table] = WeakKeyDictionary()


def table_message(table: Table) -> table_pb2.Table:
    """Return the part of every view that all games share."""
    message = table_pb2.Table()
    message.CopyFrom(_lasting(table))
    message.status = table.status
    message.updated.CopyFrom(_timestamp(table.updated_ms))
    message.seats_to_act.extend(table.seats_to_act)
    message.fairness = table.fairness
    if table.follows_presence:
        _set_presence(message, table.seating)
    if table.waiting.since or table.waiting.left:
        _set_clocks(message, table)
    if table.has_ended:
        message.rematch = table.rematch
        message.root = table.charter.root
        for line in table.standings:
            message.standings.add(seat=line.seat, rank=line.rank, score=line.score)
    return message


def _lasting(table: Table) -> table_pb2.Table:
    """Return what is the same in every view until somebody sits down, made once as long as this process holds it."""
    message = _made.get(table.seating)
    if message is None:
        message = _made[table.seating] = _new_lasting(table.charter, table.seating)
    return message


def _new_lasting(charter: Charter, seating: Seating) -> table_pb2.Table:
    names = seating.names
    return table_pb2.Table(
        table_id=charter.table_id,
        game=charter.game.name,
        rules=charter.game.rules,
        seats=[_seat(charter, number, chair, names.get(number, "")) for number, chair in enumerate(seating.chairs, 1)],
        spectators=charter.spectators,
        commitment=commitment(charter.root),
        key_id=charter.key_id,
        created=_timestamp(charter.created_ms),
        terms=written(charter.terms),
        rematch_of=charter.rematch_of,
        forked_from=charter.forked_from,
    )


def _seat(charter: Charter, number: int, chair: Chair, name: str) -> table_pb2.Seat:
    if chair.kind == OPEN:  # there may be the name already of one whose entry is still to be read
        return table_pb2.Seat(seat=number, kind=OPEN)
    return table_pb2.Seat(
        seat=number,
        name=name,
        contribution=chair.contribution,
        kind=chair.kind,
        bot=charter.terms.stand_in if chair.away else chair.bot,
        away=chair.away,
        commitment=chair.commitment,
    )


def _set_presence(message: table_pb2.Table, seating: Seating) -> None:
    """Say which people are connected."""
    for shown, chair in zip(message.seats, seating.chairs, strict=True):
        if chair.kind == PERSON:
            shown.connected = bool(chair.processes)


def _set_clocks(message: table_pb2.Table, table: Table) -> None:
    """Say until when which seat must act, and what time it has left."""
    deadlines = {seat: deadline for seat in table.waiting.since if (deadline := table.deadline(seat)) is not None}
    for seat, deadline in deadlines.items():
        message.seats[seat - 1].deadline.CopyFrom(_timestamp(deadline))
    for shown, left in zip(message.seats, table.waiting.left, strict=False):
        shown.time_left.CopyFrom(duration(left))
    if deadlines:
        message.deadline.CopyFrom(_timestamp(min(deadlines.values())))


def _timestamp(milliseconds: int) -> timestamp_pb2.Timestamp:
    return timestamp_pb2.Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)
