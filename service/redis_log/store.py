"""Store: one node or a cluster of them, and which node owns a table."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from redis.asyncio.connection import parse_url
from redis.crc import key_slot
from redis.exceptions import AskError, ClusterDownError, RedisError, ResponseError, TryAgainError

from service.log import LogUnavailable
from service.redis_log import keys
from service.redis_log.node import Node
from service.redis_log.settings import Settings
from service.redis_log.unfit import UnfitStore, refused
from service.shard import SHARDS

T = TypeVar("T")

SLOTS = 16384
ELSEWHERE = (AskError, ClusterDownError, TryAgainError)  # MOVED is an AskError: nothing was done, the slot is moving


class Store:
    """Sends each call to the node that owns its key, and follows a slot that moves.

    redis-py's own cluster client is not used: it resends what timed out, lets every pipeline wait for the slowest
    node, and subscribes again without saying that something may have been missed.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._address: dict[str, Any] = {**parse_url(settings.url)}
        self._seed = Node(settings, self._address)
        self._members: dict[tuple[str, int], Node] = {}  # of a cluster; a store of one node has only its seed
        self._owners: list[Node | None] = [self._seed] * SLOTS
        self._looking = asyncio.Lock()
        self._looked = -settings.move_pause

    async def close(self) -> None:
        """Return when everything asked has been answered and all connections are closed."""
        await asyncio.gather(*(node.close() for node in (self._seed, *self._members.values())))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Return the nodes that own anything."""
        return tuple(self._members.values()) or (self._seed,)

    def owner(self, key: str) -> Node:
        """Return the node that owns a key."""
        node = self._owners[key_slot(key.encode())]
        if node is None:
            raise LogUnavailable("no node of the store owns this table now; nothing was done, try again later")
        return node

    def shard(self, node: Node) -> str | None:
        """Return one of the shards a node owns."""
        return next((shard for shard in SHARDS if self.owner(keys.head(shard)) is node), None)

    async def read(self, key: str, *call: Any) -> Any:
        """Return the answer to a call that changes nothing."""
        return await self.follow(key, lambda node: node.reads.call(*call))

    async def write(self, key: str, *call: Any) -> Any:
        """Return the answer to a call that may write; it is never sent again where it may have been done."""
        return await self.follow(key, lambda node: node.writes.call(*call))

    async def follow(self, key: str, ask: Callable[[Node], Awaitable[T]]) -> T:
        """Ask the node that owns a key; where the key's slot is moving, which is never half done, ask again."""
        for _ in range(self._settings.moves):
            try:
                return await ask(self.owner(key))
            except ELSEWHERE:
                await asyncio.sleep(self._settings.move_pause)
                await self.look()
            except ResponseError as error:
                raise refused(error) from error
            except LogUnavailable:
                await self._look_elsewhere()
                raise
            except (RedisError, OSError) as error:
                await self._look_elsewhere()
                raise LogUnavailable(f"the store cannot be reached, try again later: {error}") from error
        raise LogUnavailable("the table is moving between nodes of the store; nothing was done, try again later")

    async def _look_elsewhere(self) -> None:
        """Where a node of a cluster does not answer, another may have taken its place."""
        if self._members:
            with suppress(LogUnavailable):
                await self.look()

    async def look(self) -> None:
        """Learn anew which node owns which slot, unless that was learned a moment ago."""
        async with self._looking:
            now = asyncio.get_running_loop().time
            if now() - self._looked < self._settings.move_pause:
                return
            try:
                ranges = await self._ranges()
                if ranges is not None:
                    await self._settle(ranges)
            finally:  # a look takes long where a node does not answer, and many may wait for this one
                self._looked = now()

    async def _ranges(self) -> list[Any] | None:
        """Ask node after node for the cluster's slots; None where this is no cluster."""
        errors: list[Exception] = []
        for node in (*self._members.values(), self._seed):
            try:
                ranges: list[Any] = await node.reads.call("CLUSTER", "SLOTS")
            except ResponseError as error:
                if "cluster support disabled" in str(error):
                    return None
                raise refused(error) from error
            except UnfitStore:
                raise
            except LogUnavailable as error:
                errors.append(error)
            else:
                return ranges
        raise LogUnavailable(f"the store cannot be reached: {errors[0]}") from errors[0]

    async def _settle(self, ranges: list[Any]) -> None:
        members: dict[tuple[str, int], Node] = {}
        owners: list[Node | None] = [None] * SLOTS
        for first, last, (host, port, *_), *_ in ranges:
            at = (host.decode() if host else self._address["host"], port)  # no host: the one that was asked
            if at not in members:
                members[at] = self._members.get(at) or self._node(*at)
            owners[first : last + 1] = [members[at]] * (last + 1 - first)
        gone = [node for at, node in self._members.items() if at not in members]
        self._members, self._owners = members, owners
        await asyncio.gather(*(node.close() for node in gone))

    def _node(self, host: str, port: int) -> Node:
        return Node(self._settings, {**self._address, "host": host, "port": port})
