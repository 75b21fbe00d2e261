"""People who commit themselves to contributions, and reveal them."""

from typing import Any

from stammtisch.table.v1 import entry_pb2, table_pb2

from service.draw import committed
from service.fold import Table
from service.table import Asked, Done
from service.terms import Revealing, Terms
from tests.table.clockwork import Clockwork
from tests.table.playing import new_id

REVEALED = Terms(revealing=Revealing())
INSISTING = Terms(revealing=Revealing(unrevealed=table_pb2.UNREVEALED_CLOSE))


def contribution(seat: int, salt: int = 0) -> bytes:
    """Return what the person on a seat contributes."""
    return bytes([seat, salt]) * 16


async def committed_table(
    here: Clockwork, seats: int = 3, terms: Terms = REVEALED, game: str = "double_tricks", **founded: Any
) -> Table:
    """Create a table whose people have committed themselves."""
    others = {*founded.get("open_seats", ()), *founded.get("bots", {})}
    commitments = tuple(b"" if seat in others else committed(contribution(seat)) for seat in range(1, seats + 1))
    return await here.create(game, seats, terms, commitments=commitments, **founded)


async def reveal(here: Clockwork, table: Table, seat: int, given: bytes = b"", **fields: Any) -> Done:
    command = entry_pb2.Reveal(contribution=given or contribution(seat))
    asked = Asked(seat, fields.pop("command_id", None) or new_id(), command, **fields)
    return await here.tables.reveal(table.charter.table_id, asked)


async def sit_down(here: Clockwork, table: Table, seat: int) -> Done:
    wanted = entry_pb2.TakeSeat(seat=seat, commitment=committed(contribution(seat)))
    return await here.tables.join(table.charter.table_id, new_id(), wanted, "Guest")
