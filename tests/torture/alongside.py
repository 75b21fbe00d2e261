"""Watchers alongside a game."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

END_SECONDS = 60.0  # after the end of the game, for watchers to hear of it


@asynccontextmanager
async def alongside(watching: Sequence[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Let watchers watch while the game is played, and until they have heard of its end."""
    watchers = [asyncio.create_task(one) for one in watching]
    try:
        yield
        await asyncio.wait(watchers, timeout=END_SECONDS)
    finally:
        for watcher in watchers:
            watcher.cancel()
        await asyncio.wait(watchers)
    for watcher in watchers:
        if not watcher.cancelled():
            watcher.result()
