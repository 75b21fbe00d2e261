"""Guest: plays one table with nothing but the Python client, which retries and resumes by itself."""

import asyncio
import uuid
from dataclasses import replace
from random import Random
from typing import Any

from stammtisch import Client, Patience, Seat, StammtischError, connect
from stammtisch.table.v1 import table_pb2

from tests.torture.alongside import alongside
from tests.torture.caller import Manners
from tests.torture.fleet import Fleet
from tests.torture.played import Played
from tests.torture.story import Frame, Story, Stuck, Told, Watched
from tests.torture.tally import Tally

PATIENCE = Patience(tries=1_000, seconds=90, longest_pause=0.2, silence_seconds=5)
TURNS_MAX = 1_000

GuestSeat = Seat[Any, Any, Any]


class Guest:
    """One client a process; each seat keeps to one of them, as people do."""

    def __init__(self, fleet: Fleet, played: Played, seed: str, manners: Manners, tally: Tally) -> None:
        patience = replace(PATIENCE, call_seconds=manners.patience)
        self._played = played
        self._random = Random(seed)
        self._tally = tally
        self._clients = [
            connect(service.target, patience=patience, on_retry=lambda _error: tally.add("unanswered"))
            for service in fleet.services
        ]

    async def play(self) -> Story:
        """Play the table to its end, and return when all its watchers have heard of that."""
        story = Story()
        try:
            seats = await self._create(story)
            async with alongside([self._watch(story, client, seats) for client in self._clients]):
                await self._turns(story, seats)
        except (StammtischError, Stuck) as why:
            story.refused.append(f"a guest: {why}")
        finally:
            await asyncio.gather(*(client.close() for client in self._clients))
        return story

    async def _create(self, story: Story) -> list[GuestSeat]:
        created: Any = await self._random.choice(self._clients).create(
            self._played.messages,
            [table_pb2.NewSeat(name="Guest") for _ in range(self._random.choice(self._played.seats))],
            self._played.options,
            spectators=True,
            command_id=self._new_id(),
        )
        story.table_id = created.table_id
        return [self._seated(self._random.choice(self._clients), seat) for seat in created.seats]

    async def _turns(self, story: Story, seats: list[GuestSeat]) -> None:
        seen: Any = await seats[0].view()
        for _ in range(TURNS_MAX):
            if seen.table.status != table_pb2.STATUS_RUNNING:
                return
            turns = [await seats[number - 1].view(min_version=seen.version) for number in seen.table.seats_to_act]
            choices = [(turn.seat, command) for turn in turns for command in turn.legal]
            if not choices:
                raise Stuck(f"seats {seen.table.seats_to_act} must act at version {seen.version} and may do nothing")
            number, command = self._random.choice(choices)
            seen = await self._act(story, seats[number - 1], turns[0], command)

    async def _act(self, story: Story, seat: GuestSeat, seen: Any, command: Any) -> Any:
        """Give a command, and return what it led to."""
        command_id = self._new_id()
        done: Any = await seat.act(command, expected_version=seen.version, command_id=command_id)
        written = command.SerializeToString(deterministic=True)
        story.told.append(Told(uuid.UUID(command_id).bytes, done.seat, written, done.version, done.head_hash))
        self._tally.add("acknowledged")
        return done

    async def _watch(self, story: Story, client: Client, seats: list[GuestSeat]) -> None:
        number = self._random.randrange(len(seats))
        watched = Watched(number + 1)
        story.watched.append(watched)
        async for frame in self._seated(client, seats[number]).watch():
            content = frame.view.SerializeToString(deterministic=True)
            noted = Frame(frame.version, frame.head_hash, content, step=frame.kind == "step")
            if frame.kind == "snapshot" and watched.begun is None:
                watched.begun = noted
            else:
                watched.frames.append(noted)
            self._tally.add("seen")
        watched.complete = True

    def _seated(self, client: Client, seat: GuestSeat) -> GuestSeat:
        return client.seat(self._played.messages, seat.table_id, seat.token)

    def _new_id(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))
