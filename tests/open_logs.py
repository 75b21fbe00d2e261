"""Logs for tests: opened and closed, and what to await of them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from service.log import Append, Log, LogUnavailable, Outcome, Page, Push
from service.redis_log import RedisLog, Settings
from tests.tables import new_id

PATIENCE = 20.0  # seconds until a test gives up waiting

Inbox = asyncio.Queue[Push]


@asynccontextmanager
async def opened(url: str, **settings: Any) -> AsyncIterator[RedisLog]:
    """Open a log and close it."""
    log = RedisLog(Settings(url=url, **settings))
    await log.open()
    try:
        yield log
    finally:
        await log.close()


@asynccontextmanager
async def watching(log: Log, *table_ids: str) -> AsyncIterator[dict[str, Inbox]]:
    """Watch tables, or one new one; gives their inboxes."""
    inboxes: dict[str, Inbox] = {table_id: Inbox() for table_id in table_ids or (new_id(),)}
    async with AsyncExitStack() as stack:
        for table_id, inbox in inboxes.items():
            await stack.enter_async_context(log.watch(table_id, inbox.put_nowait))
        yield inboxes


async def soon(inbox: Inbox) -> Push:
    """Return the next push."""
    return await asyncio.wait_for(inbox.get(), PATIENCE)


def pushed(append: Append) -> Page:
    """Return what is pushed for an append."""
    return Page(append.seen.version, append.entries, append.head)


async def back(log: Log, append: Append) -> Outcome:
    """Return the outcome of an append as soon as the store is back."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await log.append(append)
            except LogUnavailable:
                await asyncio.sleep(0.01)


async def eventually(true: Callable[[], bool]) -> None:
    """Return as soon as something is true that nothing tells of."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
