"""Inbox: what has happened and not been sent yet to one watcher. It never grows beyond its limit."""

import asyncio
from collections import deque
from dataclasses import dataclass

from service.fold import Table
from service.live import Change, Lost, Reset


@dataclass(frozen=True, slots=True)
class Overflow:
    """The watcher was too slow: changes were left out, and this is the table now."""

    table: Table


@dataclass(frozen=True, slots=True)
class Draining:
    """This server is being replaced."""


Message = Change | Overflow | Draining
LAST = (Lost, Draining)  # who gets one of these watches no longer


class Inbox:
    """What one watcher has still to be told."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._messages: deque[Message] = deque()
        self._arrived = asyncio.Event()

    def put(self, message: Change | Draining) -> None:
        """Keep a message; if there are too many, keep only the table they lead to. Nothing follows the last."""
        if self._messages and isinstance(self._messages[-1], LAST):
            return
        self._messages.append(message)
        if len(self._messages) > self._most and not isinstance(message, LAST):
            self._shorten(message.table)
        self._arrived.set()

    def _shorten(self, table: Table) -> None:
        changed = any(isinstance(message, Reset) for message in self._messages)
        self._messages.clear()
        self._messages.append(Reset(table) if changed else Overflow(table))

    async def next(self, seconds: float) -> Message | None:
        """Return the next message, or None when none came in time."""
        if not self._messages:
            self._arrived.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._arrived.wait()
            except TimeoutError:
                return None
        return self._messages.popleft()
