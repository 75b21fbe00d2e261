"""Janitor: takes ended tables out of the store, as a user of its own; the service's may delete nothing."""

from dataclasses import replace

from service.log import LogUnavailable
from service.redis_log import keys, library
from service.redis_log.settings import Settings
from service.redis_log.store import Store
from service.redis_log.unfit import UnfitJanitor
from service.shard import shard


class Janitor:
    """A second way into the same store. What it does need not be waited for."""

    def __init__(self, settings: Settings, url: str) -> None:
        self._store = Store(replace(settings, url=url, replica_wait=None))

    async def open(self) -> None:
        """Connect, and raise UnfitJanitor where nothing could be forgotten this way."""
        try:
            await self._store.look()
            await self._sing()
        except LogUnavailable as error:
            raise UnfitJanitor(str(error)) from error

    async def close(self) -> None:
        """Return when everything asked has been answered and all connections are closed."""
        await self._store.close()

    async def forget(self, table_id: str) -> bool:
        """Take an ended table out of the store. False if it has not ended, or never was."""
        touched = (keys.entries(table_id), keys.head(table_id), keys.names(table_id), keys.due(shard(table_id)))
        answer = await self._store.write(touched[0], "FCALL", library.FORGET, len(touched), *touched, table_id)
        return bool(answer == b"forgotten")

    async def _sing(self) -> None:
        """Forget at each node a table that never was, so that a missing right shows now."""
        for node in self._store.nodes:
            here = self._store.shard(node)
            if here is not None:
                await self.forget(keys.canary(here))
