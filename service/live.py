"""Live: a table as this process holds it; and the bounded cache of them."""

import asyncio
import math
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from service.draft import Draft
from service.fold import FORMING, Step, Table, advance
from service.log import GENESIS, Head, Page
from service.tale import Tale

HEADS_MAX = 64  # remembered of each table, so that a late push is told from one of another history
GIVE_WAY_SECONDS = 0.003  # more than a process needs to write once it has been told that another wrote first


@dataclass(frozen=True, slots=True)
class Reset:
    """History changed: what a watcher was told before no longer holds."""

    table: Table


@dataclass(frozen=True, slots=True)
class Lost:
    """The log cannot be followed any longer: watch again."""


Change = Step | Reset | Lost
Listener = Callable[[Change], None]


class Live:
    """One table in this process: its newest known version, and who listens to it."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.lock = asyncio.Lock()
        self.holders = 0  # who have the lock or wait for it
        self.table: Table | None = None
        self.tale: Tale | None = None  # None until a bot plays here
        self.listeners: set[Listener] = set()
        self.pushes: AsyncExitStack | None = None  # open while somebody listens
        self.used = time.monotonic()
        self._heads: deque[Head] = deque(maxlen=HEADS_MAX)
        self._others_first = -math.inf  # until when, by the monotonic clock

    def in_use(self) -> bool:
        """Whether somebody listens to it, or waits for it."""
        return bool(self.listeners) or self.pushes is not None or self.holders > 0

    def receive(self, page: Page, names: Mapping[int, str] | None = None) -> bool:
        """Fold what is new in a page; False if it does not continue the history that this process knows.

        While people sit down, it takes their names, which do not stand in the entries.
        """
        if self.table is None or page.after > self.table.head.version:
            return False
        head = self.table.head
        if page.head.version <= head.version:
            return page.head == head or page.head in self._heads
        entries = page.entries[head.version - page.after :]
        if head.after_all(self.table_id, entries) != page.head:
            return False
        if self.table.status == FORMING:
            if names is None:
                return False
            self.table = self.table.named(names)
        self._advance(entries)
        return True

    def way_of_others(self) -> float:
        """Return for how many seconds other processes that write to this table have the way.

        The store answers all that write at a time in the order in which they did: who was first would be first again,
        and again, for as long as he has something to write, and the others would be beaten as often. Where the table
        waits for one seat, others hardly write.
        """
        return max(0.0, self._others_first - time.monotonic())

    def adopt(self, draft: Draft, told: int = 0) -> None:
        """Take over a draft that has been committed, unless a push was faster; so many processes were told of it."""
        elsewhere = told - (self.pushes is not None)
        if elsewhere > 0 and len(draft.table.seats_to_act) > 1:
            self._others_first = time.monotonic() + GIVE_WAY_SECONDS
        head = self.table.head if self.table else GENESIS
        if head == draft.seen:
            self.table = draft.committed(self.table)
            for step in draft.steps:
                self._tell_step(step)
        else:
            self._advance(draft.entries[head.version - draft.seen.version :])

    def _advance(self, entries: Sequence[bytes]) -> None:
        for data in entries:
            assert self.table is not None
            step = advance(self.table, data)
            self.table = step.table
            self._tell_step(step)

    def take(self, table: Table) -> None:
        """Take a table that was loaded. Whoever listens already knew another history."""
        self.table, self.tale = table, None
        self._heads.clear()
        self._heads.append(table.head)
        self._tell(Reset(table))

    def lose(self) -> None:
        """Tell everybody that this table cannot be followed any longer."""
        self._tell(Lost())

    def _tell_step(self, step: Step) -> None:
        self._heads.append(step.table.head)
        if self.tale:
            self.tale.add(step)
        self._tell(step)

    def _tell(self, change: Change) -> None:
        for listener in tuple(self.listeners):
            listener(change)


class LiveTables:
    """The tables this process holds, no more than a limit and none for longer than it is of use."""

    def __init__(self, most: int, idle_seconds: float) -> None:
        self._most = most
        self._idle_seconds = idle_seconds
        self._tables: OrderedDict[str, Live] = OrderedDict()  # the longest unused first

    def __len__(self) -> int:
        return len(self._tables)

    @asynccontextmanager
    async def held(self, table_id: str) -> AsyncIterator[Live]:
        """Have a table to oneself. It is not forgotten while somebody waits for it."""
        live = self[table_id]
        live.holders += 1
        try:
            async with live.lock:
                yield live
        finally:
            live.holders -= 1
            if live.table is None:
                self.forget(live)

    def __getitem__(self, table_id: str) -> Live:
        live = self._tables.get(table_id)
        if live is None:
            live = self._tables[table_id] = Live(table_id)
            self._forget_surplus()
        self._tables.move_to_end(table_id)
        live.used = time.monotonic()
        return live

    def forget_idle(self) -> None:
        """Forget tables that have not been used for a while."""
        before = time.monotonic() - self._idle_seconds
        for live in tuple(self._tables.values()):
            if live.used > before:
                return
            self.forget(live)

    def forget(self, live: Live) -> None:
        """Forget a table, unless it is in use."""
        if not live.in_use():
            self._tables.pop(live.table_id, None)

    def _forget_surplus(self) -> None:
        """Forget the longest unused tables; those in use stay, so that the limit bends before a game breaks."""
        for live in tuple(self._tables.values())[:-1]:
            if len(self._tables) <= self._most:
                return
            self.forget(live)
