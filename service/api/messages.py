"""Messages that all games share, made from a table."""

from collections.abc import Mapping

from google.protobuf import timestamp_pb2
from stammtisch.table.v1 import table_pb2

from service.fold import RUNNING, Table
from service.seal import commitment


def table_message(table: Table, names: Mapping[int, str]) -> table_pb2.Table:
    """Return the part of every view that all games share."""
    charter = table.charter
    over = table.status != RUNNING
    return table_pb2.Table(
        table_id=charter.table_id,
        game=charter.game.name,
        rules=charter.game.rules,
        status=table.status,
        seats=[
            table_pb2.Seat(seat=seat, name=names.get(seat, ""), contribution=contribution)
            for seat, contribution in enumerate(charter.contributions, 1)
        ],
        seats_to_act=() if over else charter.game.to_act(table.state),
        spectators=charter.spectators,
        commitment=commitment(charter.root),
        root=charter.root if over else b"",
        key_id=charter.key_id,
        standings=[table_pb2.Standing(seat=line.seat, rank=line.rank, score=line.score) for line in table.standings],
        created=_timestamp(charter.created_ms),
        updated=_timestamp(table.updated_ms),
    )


def _timestamp(milliseconds: int) -> timestamp_pb2.Timestamp:
    return timestamp_pb2.Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)
