"""Whole games for the audit's tests: played at random, in memory, by the service's own tables."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.audit.exported import Exported
from service.draft import Founding
from service.fold import RUNNING, Table
from service.games import GAMES
from service.history import missing
from service.log import MemoryLog
from service.seal import MasterKeys
from service.shelf import TableLimits
from service.table import Asked, Tables

KEYS = MasterKeys("k1", {"k1": bytes(range(32))})
COMMANDS_MAX = 5_000


@dataclass(frozen=True, slots=True)
class Played:
    """A table at which a game was played, and what every command had led to."""

    store: MemoryLog
    tables: Tables
    versions: tuple[Table, ...]
    log: Exported

    @property
    def table_id(self) -> str:
        return self.log.table_id


async def play(
    game: str = "double_tricks",
    seats: int = 4,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    commands: int = COMMANDS_MAX,
    *,
    close: bool = False,
) -> Played:
    """Play until the game is over, or until so many commands have been given; then close the table, if it is to be."""
    chance = random.Random(seed)
    store, kind = MemoryLog(), GAMES[game]
    tables = Tables(store, KEYS, TableLimits())
    contributions = tuple(chance.randbytes(32) if seat % 2 else b"" for seat in range(seats))
    founding = Founding(kind, kind.options(**options or {}), contributions, spectators=True)
    versions = [(await tables.create("somebody", chance.randbytes(16), founding)).table]
    table_id = versions[0].charter.table_id
    for _ in range(commands):
        if versions[-1].status != RUNNING:
            break
        state = versions[-1].state
        legal = {seat: list(kind.legal(state, seat)) for seat in kind.to_act(state)}
        seat = chance.choice([seat for seat in legal if legal[seat]])
        command = chance.choice(legal[seat])
        versions.append((await tables.act(table_id, Asked(seat, chance.randbytes(16), command))).table)
    if close:
        versions.append((await tables.close(table_id, chance.randbytes(16))).table)
    log = Exported(table_id, (await missing(store, table_id, 0)).entries)
    return Played(store, tables, tuple(versions), log)


async def small(commands: int = COMMANDS_MAX, *, close: bool = False) -> Played:
    """Play the shortest game there is: two seats, one round of one card."""
    return await play(seats=2, options={"sets": 1, "hand_sizes": (1,)}, commands=commands, close=close)
