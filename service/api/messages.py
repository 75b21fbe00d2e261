"""Messages that all games share, made from a table."""

from weakref import WeakKeyDictionary

from google.protobuf import timestamp_pb2
from stammtisch.table.v1 import table_pb2

from service.fold import RUNNING, Charter, Table
from service.seal import commitment

_made: WeakKeyDictionary[Charter, table_pb2.Table] = WeakKeyDictionary()


def table_message(table: Table) -> table_pb2.Table:
    """Return the part of every view that all games share."""
    message = table_pb2.Table()
    message.CopyFrom(_unchanging(table.charter))
    message.status = table.status
    message.updated.CopyFrom(_timestamp(table.updated_ms))
    message.seats_to_act.extend(table.seats_to_act)
    if table.status != RUNNING:
        message.root = table.charter.root
        for line in table.standings:
            message.standings.add(seat=line.seat, rank=line.rank, score=line.score)
    return message


def _unchanging(charter: Charter) -> table_pb2.Table:
    """Return what is the same in every view of a table, made once as long as this process holds the table."""
    message = _made.get(charter)
    if message is None:
        message = _made[charter] = _new_unchanging(charter)
    return message


def _new_unchanging(charter: Charter) -> table_pb2.Table:
    names, given = charter.names, charter.contributions
    return table_pb2.Table(
        table_id=charter.table_id,
        game=charter.game.name,
        rules=charter.game.rules,
        seats=[table_pb2.Seat(seat=n, name=names.get(n, ""), contribution=given[n - 1]) for n in charter.seats],
        spectators=charter.spectators,
        commitment=commitment(charter.root),
        key_id=charter.key_id,
        created=_timestamp(charter.created_ms),
    )


def _timestamp(milliseconds: int) -> timestamp_pb2.Timestamp:
    return timestamp_pb2.Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)
