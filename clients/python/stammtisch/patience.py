"""Patience: how long and how often a call is tried."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass

from stammtisch.errors import StammtischError

OnRetry = Callable[[StammtischError], None]


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits on the tries of one call, or of a watch since it last heard anything."""

    tries: int = 30
    seconds: float = 30  # all tries together, with the pauses between them
    call_seconds: float = 5  # one try
    first_pause: float = 0.05  # doubled for each further try, with jitter
    longest_pause: float = 2
    silence_seconds: float = 40  # of a watch; the service sends a heartbeat every 15 s


class Tries:
    """The tries of one call so far."""

    def __init__(self, patience: Patience, on_retry: OnRetry) -> None:
        self._patience = patience
        self._on_retry = on_retry
        self._now = asyncio.get_running_loop().time
        self.forget()

    def forget(self) -> None:
        """Begin to count anew."""
        self._count = 0
        self._ends = self._now() + self._patience.seconds

    async def pause(self, error: StammtischError) -> None:
        """Wait until it is time for another try, or raise the error if there is to be none."""
        self._count += 1
        pause = self._length(error.retry_after)
        if not error.passing or self._count >= self._patience.tries or self._now() + pause > self._ends:
            raise error
        self._on_retry(error)
        await asyncio.sleep(pause)

    def _length(self, retry_after: float | None) -> float:
        longest = min(self._patience.longest_pause, self._patience.first_pause * 2 ** (self._count - 1))
        return (retry_after or 0) + random.uniform(0, longest)  # noqa: S311 - lest all come again at once
