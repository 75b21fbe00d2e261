"""A table whose time is set by hand, and that is told when to look at it."""

from typing import Any

from service.audit.exported import Exported, write
from service.audit.verify import Verified, verify
from service.draft import Founding
from service.duty import Patience, next_duty
from service.fold import RUNNING, Table
from service.games import GAMES
from service.kit.options import settled
from service.log import Log
from service.seating import PERSON
from service.shelf import TableLimits
from service.table import Asked, Done, Tables
from service.terms import Terms
from tests.games.story import known_of
from tests.table.playing import KEYS, new_id

NOON_MS = 1_800_000_000_000
PATIENCE = Patience(grace_ms=500, forming_ms=60_000)
SIGN_MS = 2_000  # between two signs of life, as in the service
STEPS_MAX = 20_000  # of a table on its own


class Clockwork:
    """One process, at a time of one's choice."""

    def __init__(self, log: Log, patience: Patience = PATIENCE) -> None:
        self.log = log
        self.now_ms = NOON_MS
        self.patience = patience
        self.tables = Tables(log, KEYS, TableLimits(unknown_pause_seconds=0), patience, lambda: self.now_ms)

    async def create(self, game: str, seats: int, terms: Terms, **founded: Any) -> Table:
        kind = GAMES[game]
        options = settled(known_of(kind).short)
        founding = Founding(kind, options, (b"",) * seats, spectators=True, terms=terms, **founded)
        return (await self.tables.create("somebody", new_id(), founding)).table

    async def look(self, table: Table) -> Table:
        return await self.tables.look(table.charter.table_id)

    async def on_time(self, table: Table) -> Table:
        """Let the time come at which the table has something to do, and let it do that."""
        duty = next_duty(await self.look(table), self.patience)
        assert duty is not None
        await self.pass_time(duty.at_ms - self.now_ms)
        await self.tables.time.tick(table.charter.table_id)
        return await self.look(table)

    async def pass_time(self, milliseconds: int) -> None:
        """Let time go by while this process is at work and shows it."""
        until_ms = self.now_ms + max(0, milliseconds)
        while self.now_ms < until_ms:
            self.now_ms = min(self.now_ms + SIGN_MS, until_ms)
            await self.log.sweep(self.now_ms, 0, 0, self.now_ms)

    async def act(self, table: Table, seat: int) -> Done:
        """Do the first thing that a seat may do."""
        command = next(iter(table.charter.game.legal(table.state, seat)))
        return await self.tables.act(table.charter.table_id, Asked(seat, new_id(), command))

    async def play(self, table: Table, answering: bool = True) -> Table:
        """Play to the end: people give their first legal command at once, or let their time run out."""
        for _ in range(STEPS_MAX):
            if table.status != RUNNING:
                return table
            asked = [seat for seat in table.seats_to_act if answering and _may_act(table, seat)]
            table = (await self.act(table, asked[0])).table if asked else await self.on_time(table)
        raise AssertionError(f"{STEPS_MAX} steps did not end the table")

    async def verified(self, table: Table) -> Verified:
        entries = tuple(entry for _, entry in await self.tables.log(table.charter.table_id))
        return verify(write(Exported(table.charter.table_id, entries)))


def _may_act(table: Table, seat: int) -> bool:
    chair = table.seating.chair(seat)
    return chair.kind == PERSON and not chair.away and any(True for _ in table.charter.game.legal(table.state, seat))
