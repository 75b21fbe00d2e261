"""Playing at random, for tests that do not care what is played."""

import random
import uuid
from typing import Any

from service.draft import Founding
from service.fold import RUNNING, Table
from service.games import GAMES
from service.games.double_tricks.options import Options
from service.log import Log
from service.seal import MasterKeys
from service.shelf import TableLimits
from service.table import Asked, Done, Tables

GAME = GAMES["double_tricks"]
KEYS = MasterKeys("k1", {"k1": bytes(range(32))})
SHORT = Options(hand_sizes=(1, 2), sets=1)
NAMES = {1: "Ada Lovelace", 2: "Grace Hopper"}


def replica(log: Log, keys: MasterKeys = KEYS, **limits: Any) -> Tables:
    """Return a process's tables, which try again without a pause."""
    return Tables(log, keys, TableLimits(**{"unknown_pause_seconds": 0, **limits}))


def founding(seats: int = 2, options: Options = SHORT, *, spectators: bool = False) -> Founding:
    return Founding(GAME, options, (b"",) * seats, spectators, NAMES)


def new_id() -> bytes:
    return uuid.uuid4().bytes


async def new_table(tables: Tables, seats: int = 2, options: Options = SHORT) -> Table:
    return (await tables.create("somebody", new_id(), founding(seats, options))).table


def asked(table: Table, chance: random.Random | None = None) -> Asked:
    """Return a legal command of the seat whose turn it is: the first one, or any."""
    (seat,) = GAME.to_act(table.state)
    legal = list(GAME.legal(table.state, seat))
    since = table.seating.chair(seat).since
    return Asked(seat, new_id(), chance.choice(legal) if chance else legal[0], since=since)


async def move(tables: Tables, table: Table) -> Done:
    """Do one legal command."""
    return await tables.act(table.charter.table_id, asked(table))


async def moves(tables: Tables, table: Table, count: int) -> Table:
    for _ in range(count):
        table = (await move(tables, table)).table
    return table


async def play(tables: Tables, table: Table) -> Table:
    """Play to the end."""
    while table.status == RUNNING:
        table = (await move(tables, table)).table
    return table
