"""Leases: which processes people are connected through, in every shard, and until when that is sure."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import islice

from service.lease import LAPSED_MAX, Lease
from service.redis_log import keys, library
from service.redis_log.settings import Settings
from service.redis_log.store import Store
from service.shard import SHARDS, shard


class Leases:
    """One call a shard. A node that is away keeps no other from being asked."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    async def renew(self, leases: Collection[Lease], until_ms: int) -> None:
        """Let leases run until a time."""
        by_key: dict[str, list[str]] = defaultdict(list)
        for lease in leases:
            by_key[keys.present(shard(lease.table_id))].append(_written(lease))
        calls = (self._renew(key, some, until_ms) for key, all_ in by_key.items() for some in self._batches(all_))
        for answer in await asyncio.gather(*calls, return_exceptions=True):
            if isinstance(answer, BaseException):
                raise answer

    async def lapsed(self, now_ms: int, again_ms: int) -> list[Lease]:
        """Return what has lapsed, and tell nobody else of it before a later time."""
        found = await asyncio.gather(*(self._lapsed(here, now_ms, again_ms) for here in SHARDS), return_exceptions=True)
        errors = [error for error in found if isinstance(error, BaseException)]
        if len(errors) == len(found):
            raise errors[0]
        return [_read(lease) for answer in found if not isinstance(answer, BaseException) for lease in answer]

    async def release(self, lease: Lease, again_ms: int) -> None:
        """Forget a lease that had lapsed, unless it has been renewed since."""
        key = keys.present(shard(lease.table_id))
        await self._store.write(key, "FCALL", library.RELEASE, 1, key, _written(lease), again_ms)

    async def _renew(self, key: str, leases: list[str], until_ms: int) -> None:
        await self._store.write(key, "ZADD", key, *(word for lease in leases for word in (until_ms, lease)))

    async def _lapsed(self, here: str, now_ms: int, again_ms: int) -> list[bytes]:
        key = keys.present(here)
        lapsed: list[bytes] = await self._store.write(
            key, "FCALL", library.LAPSED, 1, key, now_ms, again_ms, LAPSED_MAX
        )
        return lapsed

    def _batches(self, leases: list[str]) -> Iterator[list[str]]:
        rest = iter(leases)
        while batch := list(islice(rest, self._settings.lease_batch)):
            yield batch


def _written(lease: Lease) -> str:
    return f"{lease.table_id}/{lease.process.hex()}"


def _read(written: bytes) -> Lease:
    table_id, _, process = written.decode().rpartition("/")
    return Lease(table_id, bytes.fromhex(process))
