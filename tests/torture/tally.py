"""Tally: what has happened so far, for those who wait for it."""

import asyncio
from collections import Counter
from collections.abc import Callable


class Tally:
    """Counts by name; strikes come after counts, so that no clock decides a test."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._stirred = asyncio.Event()

    def add(self, name: str) -> None:
        """Count one more."""
        self.counts[name] += 1
        self._stirred.set()
        self._stirred = asyncio.Event()

    async def until(self, true: Callable[[Counter[str]], bool]) -> None:
        """Wait until something is true of the counts."""
        while not true(self.counts):
            await self._stirred.wait()

    async def more(self, name: str, number: int) -> None:
        """Wait until so many more have been counted."""
        goal = self.counts[name] + number
        await self.until(lambda counts: counts[name] >= goal)
