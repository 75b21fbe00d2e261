"""Racing: tables of double, the race, at which every seat does what it can as soon as it knows of it."""

import asyncio
import random
import time
import uuid
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import grpc
from stammtisch import Client, Patience, Refused, Seat, TableEnded
from stammtisch.double_speed.v1 import double_speed_pb2
from stammtisch.table.v1.table_pb2 import STATUS_RUNNING, NewSeat, Table

OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command that was accepted."""

    command_id: bytes
    command: double_speed_pb2.Command
    version: int
    head_hash: bytes


@dataclass(frozen=True, slots=True)
class Beaten:
    """A command that was refused, and the version that it was judged at."""

    command: double_speed_pb2.Command
    reason: str
    version: int


@dataclass(slots=True)
class Racer:
    """One seat: it acts on what its stream, its replies and its refusals tell, whichever comes first."""

    seat: Seat[Any, Any, Any]
    reaction: float  # seconds between knowing and acting: between nothing and twice this, at random
    accepted: list[Accepted] = field(default_factory=list)
    beaten: list[Beaten] = field(default_factory=list)
    learned: dict[int, float] = field(default_factory=dict)  # when it knew of each version
    _version: int = 0
    _legal: Sequence[double_speed_pb2.Command] = ()
    _ended: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def plays(self) -> int:
        """How many of its cards were accepted."""
        return sum(each.command.HasField("play_card") for each in self.accepted)

    async def race(self) -> None:
        """Play until the table has ended."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch())
            while not self._ended:
                if self._legal:
                    await self._act()
                else:
                    self._news.clear()
                    await self._news.wait()

    async def _watch(self) -> None:
        async for frame in self.seat.watch():
            self._learn(frame.version, frame.legal, frame.table)

    async def _act(self) -> None:
        command, version, command_id = self._legal[0], self._version, uuid.uuid4()
        if self.reaction:
            await asyncio.sleep(random.uniform(0, 2 * self.reaction))
        try:
            done = await self.seat.act(command, command_id=str(command_id))
        except Refused as refused:
            self.beaten.append(Beaten(command, refused.reason, refused.refusal.version))
            self._learn(refused.refusal.version, refused.refusal.legal)
        except TableEnded:
            pass  # the stream will say so, too
        else:
            self.accepted.append(Accepted(command_id.bytes, command, done.version, done.head_hash))
            self._learn(done.version, done.legal, done.table)
        if self._version == version:
            self._legal = ()

    def _learn(self, version: int, legal: Sequence[double_speed_pb2.Command], table: Table | None = None) -> None:
        if version > self._version:
            self._version, self._legal = version, legal
            self.learned[version] = time.perf_counter()
            self._ended = table is not None and table.status != STATUS_RUNNING
            self._news.set()


@dataclass(frozen=True, slots=True)
class Raced:
    """A table that has ended, and what each seat lived through, seat 1 first."""

    table_id: str
    racers: Sequence[Racer]
    retries: Sequence[Exception]  # why clients sent requests again


async def raced(targets: Sequence[str], options: double_speed_pb2.Options, reaction: float = 0) -> Raced:
    """Play a table to its end: each seat through the service at its target, over a connection of its own."""
    retries: list[Exception] = []
    async with AsyncExitStack() as stack:
        clients = []
        for target in targets:
            channel = grpc.aio.insecure_channel(target, OWN_CONNECTION)
            clients.append(await stack.enter_async_context(Client(channel, None, Patience(), retries.append)))
        names = [NewSeat(name=f"Racer {number}") for number in range(1, len(targets) + 1)]
        created = await clients[0].create(double_speed_pb2, names, options)
        racers = [
            Racer(client.seat(double_speed_pb2, created.table_id, seat.token), reaction)
            for client, seat in zip(clients, created.seats, strict=True)
        ]
        async with asyncio.TaskGroup() as group:
            for racer in racers:
                group.create_task(racer.race())
    return Raced(created.table_id, racers, retries)
