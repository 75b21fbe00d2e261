"""Names lie beside the log, so that a table can be read while its names cannot."""

import uuid
from collections.abc import Mapping

import pytest

from service.draft import Founding
from service.games.double_tricks import GAME
from service.games.double_tricks.options import Options
from service.log import LogUnavailable, MemoryLog
from service.seal import MasterKeys
from service.shelf import TableLimits
from service.table import Tables

KEYS = MasterKeys("test", {"test": bytes(32)})
NAMES = {1: "Ann", 2: "Bob"}
FOUNDING = Founding(GAME, Options(), (b"", b""), True, NAMES)


class NamelessLog(MemoryLog):
    """A log that goes away between its entries and its names."""

    away = False

    async def names(self, table_id: str) -> Mapping[int, str]:
        if self.away:
            raise LogUnavailable("away")
        return await super().names(table_id)


async def test_names_that_could_not_be_read_are_read_again() -> None:
    log, command_id = NamelessLog(), uuid.uuid4().bytes
    one, other = (Tables(log, KEYS, TableLimits()) for _ in range(2))
    table_id = (await one.create("anybody", command_id, FOUNDING)).table.charter.table_id
    log.away = True
    with pytest.raises(LogUnavailable):
        await other.look(table_id)
    log.away = False
    assert (await other.look(table_id)).seating.names == NAMES
    assert (await other.create("anybody", command_id, FOUNDING)).duplicate
