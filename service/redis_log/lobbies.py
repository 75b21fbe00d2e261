"""Lobbies: the tables that people find, gathered from all shards."""

import asyncio
from heapq import merge
from itertools import islice

from service.log import Place
from service.redis_log import keys
from service.redis_log.settings import Settings
from service.redis_log.store import Store
from service.shard import SHARDS


class Lobbies:
    """One call a shard. A node that is away takes its own tables out of the lobby, and no others."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    async def listed(self, game: str, after: Place | None, limit: int) -> list[Place]:
        """Return what was listed first, after a place if one is given."""
        asked = (self._listed(shard, game, after, limit) for shard in SHARDS)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        errors = [answer for answer in answers if isinstance(answer, BaseException)]
        if len(errors) == len(answers):
            raise errors[0]
        found = (answer for answer in answers if not isinstance(answer, BaseException))
        return list(islice(merge(*found), limit))

    async def _listed(self, shard: str, game: str, after: Place | None, limit: int) -> list[Place]:
        key = keys.lobby(shard, game)
        since, ties = (after[0], self._settings.lobby_ties) if after else ("-inf", 0)
        most = limit + ties  # those of the same millisecond that came before it are found again
        found = await self._store.read(key, "ZRANGEBYSCORE", key, since, "+inf", "WITHSCORES", "LIMIT", 0, most)
        places = zip(map(int, found[1::2]), (table_id.decode() for table_id in found[::2]), strict=True)
        return [place for place in places if after is None or place > after]
