"""Limits on what one caller may take: commands and readings of a log a second, and streams at a time."""

import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from stammtisch.table.v1 import table_pb2

from service.api.errors import Code, failure, retry_after

CALLERS_MAX = 100_000  # remembered; whoever has not called for longest starts afresh
FORGOTTEN_A_CALL = 2
STREAMS_PAUSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ApiLimits:
    """What one message, one caller and one stream may take."""

    message_bytes: int = 65_536
    seats: int = 8  # of a table, if its game has as many
    thinking_seconds: float = 0  # the least that bots may be told to think
    commands_a_second: float = 50
    command_burst: int = 100
    streams: int = 8  # of one token at a time
    changes: int = 64  # that one watcher may be behind before it gets a fresh view instead
    heartbeat_seconds: float = 15
    stream_seconds: float = 3_600
    wait_seconds: float = 25


class Buckets:
    """A token bucket for each caller."""

    def __init__(self, a_second: float, burst: int) -> None:
        self._a_second = a_second
        self._pause = round(1e9 / a_second)  # in nanoseconds, which add up exactly
        self._room = burst * self._pause
        self._full_at: OrderedDict[Hashable, int] = OrderedDict()  # when the caller's bucket will be full again

    def take(self, caller: Hashable) -> None:
        """Take one, or fail with the time until there is one."""
        now = time.monotonic_ns()
        full_at = max(now, self._full_at.pop(caller, now))
        wait = (full_at + self._pause - now - self._room) / 1e9
        if wait > 0:
            self._full_at[caller] = full_at
            sentence = (
                f"More than {self._a_second:g} commands or readings of a log a second. "
                f"Wait {wait:.3f} s, then send the same again."
            )
            raise failure(Code.RESOURCE_EXHAUSTED, table_pb2.ERROR_REASON_TOO_FAST, sentence, retry_after(wait))
        self._full_at[caller] = full_at + self._pause
        self._forget(now)

    def _forget(self, now: int) -> None:
        """Forget the callers who have not called for longest, if their buckets are full again or there are too many."""
        for _ in range(FORGOTTEN_A_CALL):
            longest_ago = next(iter(self._full_at))
            if self._full_at[longest_ago] > now and len(self._full_at) <= CALLERS_MAX:
                return
            del self._full_at[longest_ago]


class Streams:
    """How many streams each caller has open."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[Hashable, int] = {}

    @contextmanager
    def one_more(self, caller: Hashable) -> Iterator[None]:
        """Count a stream while it is open, or fail."""
        count = self._open.get(caller, 0)
        if count >= self._most:
            sentence = f"More than {self._most} streams at a time. End one, then watch again."
            reason = table_pb2.ERROR_REASON_TOO_MANY_STREAMS
            raise failure(Code.RESOURCE_EXHAUSTED, reason, sentence, retry_after(STREAMS_PAUSE_SECONDS))
        self._open[caller] = count + 1
        try:
            yield
        finally:
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]
