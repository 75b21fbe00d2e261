"""Sweeps: looks at what is late in every shard, whichever node it lies on."""

import asyncio
from contextvars import Context
from typing import Any

from service.log import LogUnavailable
from service.redis_log import keys, library
from service.redis_log.settings import Settings
from service.redis_log.store import Store
from service.shard import SHARDS
from service.sweep import ALIVE_MS, OUTAGE_MS, OUTAGES_MAX, Outage, Sweep


class Sweeps:
    """One call a shard. A shard that has not answered yet is not asked again, and no other waits for it."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._asked: dict[str, asyncio.Task[Any]] = {}  # by shard
        self._sweeping = asyncio.Lock()

    async def sweep(self, now_ms: int, late_ms: int, limit: int, since_ms: int) -> Sweep:
        """Sweep what can be swept, one sweep after another; raise LogUnavailable where that is nothing."""
        async with self._sweeping:
            return await self._sweep((now_ms, now_ms - late_ms, limit, since_ms, ALIVE_MS, OUTAGE_MS, OUTAGES_MAX))

    async def close(self) -> None:
        """Wait for no shard any more."""
        for asked in self._asked.values():
            asked.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)

    async def _sweep(self, arguments: tuple[int, ...]) -> Sweep:
        owing = frozenset(self._asked)  # what they say now, they say of an earlier time
        for shard in SHARDS:
            if shard not in owing:
                self._asked[shard] = asyncio.create_task(self._ask(shard, arguments), context=Context())
        await asyncio.wait(self._asked.values(), timeout=self._settings.sweep_wait)
        answers = self._answers()
        return _gathered(answers, owing | (frozenset(SHARDS) - answers.keys()))

    async def _ask(self, shard: str, arguments: tuple[int, ...]) -> Any:
        touched = (keys.due(shard), keys.alive(shard), keys.outages(shard))
        return await self._store.write(touched[0], "FCALL", library.SWEEP, len(touched), *touched, *arguments)

    def _answers(self) -> dict[str, Any]:
        """Take the answers that have come, by shard."""
        answered = {shard: asked for shard, asked in self._asked.items() if asked.done()}
        for shard in answered:
            del self._asked[shard]
        errors = [error for asked in answered.values() if (error := asked.exception())]
        if len(errors) == len(answered):
            raise errors[0] if errors else LogUnavailable("no part of the store answers a sweep; try again later")
        return {shard: asked.result() for shard, asked in answered.items() if not asked.exception()}


def _gathered(answers: dict[str, Any], silent: frozenset[str]) -> Sweep:
    late: list[tuple[int, str]] = []
    outages: dict[str, tuple[Outage, ...]] = {}
    for shard, (found, silences) in answers.items():
        late += zip(map(int, found[1::2]), (table_id.decode() for table_id in found[::2]), strict=True)
        if silences:
            outages[shard] = tuple(Outage(*map(int, silence.split())) for silence in silences)
    return Sweep(tuple(table_id for _, table_id in sorted(late)), outages, silent)
