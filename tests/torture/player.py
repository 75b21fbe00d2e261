"""Player: plays one table to its end, all seats of it, and remembers what it was told."""

import asyncio
import hashlib
import uuid
from dataclasses import dataclass
from random import Random
from typing import Any

from stammtisch.game import only
from stammtisch.table.v1 import service_pb2 as table_service_pb2
from stammtisch.table.v1 import table_pb2

from tests.torture.alongside import alongside
from tests.torture.caller import Caller, Denied, Manners
from tests.torture.fleet import Fleet
from tests.torture.played import Played
from tests.torture.story import Story, Stuck, Told
from tests.torture.tally import Tally
from tests.torture.watcher import Watcher

TURNS_MAX = 1_000
OPEN = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
OUT_OF_TURN = 0.1  # how often one who is not on turn may try to act, where the rules allow it
CLOSE_BEFORE = 20  # a table that is closed early is closed before this turn
BEATEN = frozenset({"VERSION_STALE", "TABLE_ENDED"})  # what the slower of two rivals is rightly told


@dataclass(frozen=True, slots=True)
class Turn:
    """What seats may do at a version."""

    version: int
    choices: tuple[tuple[int, Any], ...]  # seats with a command


def noted_join(command_id: bytes) -> bytes:
    """Return what the log has of the id of somebody's request to join, as the documentation says."""
    return hashlib.sha256(b"stammtisch/join/1" + command_id).digest()[:16]


class Player:
    """Plays one table. Its choices come from the seed; which process is asked, and when, is another chance."""

    def __init__(self, fleet: Fleet, played: Played, seed: str, manners: Manners, tally: Tally) -> None:
        self._fleet = fleet
        self._played = played
        self._random = Random(seed)
        self._roads = Random(f"{seed} roads")
        self._manners = manners
        self._tally = tally
        self._caller = Caller(fleet, played, self._roads, manners, tally)
        self._tokens: dict[int, str] = {}
        self._admin = ""
        self._requests: list[tuple[str, Any, int, Told]] = []

    async def play(self) -> Story:
        """Play the table to its end, or as far as it goes, and return when all its watchers have heard of that."""
        story = Story()
        try:
            await self._create(story)
            async with alongside([self._watch(story, home) for home in range(len(self._fleet.services))]):
                await self._turns(story)
        except (Denied, Stuck) as why:
            story.refused.append(str(why))
        return story

    async def _create(self, story: Story) -> None:
        seats, invited = self._random.choice(self._played.seats), int(self._chance(self._manners.invite))
        request = self._played.request(
            "CreateTable",
            command_id=self._new_id(),
            seats=[table_pb2.NewSeat(name=f"Seat {seat}") for seat in range(1, seats + 1 - invited)] + [OPEN] * invited,
            options=self._played.options,
            spectators=True,
        )
        copies = 2 if self._chance(self._manners.twice) else 1
        tries = [self._caller.ask("CreateTable", request, "") for _ in range(copies)]
        created, *others = await asyncio.gather(*tries)
        if any((other.table_id, other.seat_tokens) != (created.table_id, created.seat_tokens) for other in others):
            raise Stuck(f"one command created {created.table_id} and {others[0].table_id}")
        story.table_id = created.table_id
        self._tokens = {line.seat: line.token for line in created.seat_tokens}
        self._admin = created.admin_token
        if invited:
            await self._join(story, created.invite_code)

    async def _join(self, story: Story, invite_code: str) -> None:
        """Take the open seat, which is only one however often it is asked for with the same command id."""
        request = table_service_pb2.JoinTableRequest(
            table_id=story.table_id, command_id=self._new_id(), invite_code=invite_code, name="Guest"
        )
        copies = 2 if self._chance(self._manners.twice) else 1
        joined, *others = await asyncio.gather(*(self._caller.ask("JoinTable", request, "") for _ in range(copies)))
        if any((other.seat, other.token) != (joined.seat, joined.token) for other in others):
            raise Stuck(f"one command took seat {joined.seat} and seat {others[0].seat}")
        self._tokens[joined.seat] = joined.token
        noted = noted_join(uuid.UUID(request.command_id).bytes)
        story.told.append(Told(noted, joined.seat, b"", joined.version, joined.head_hash))
        self._tally.add("acknowledged")

    async def _watch(self, story: Story, home: int) -> None:
        seat = self._roads.choice((None, *self._tokens))
        whole = self._roads.random() < 0.5
        token = "" if seat is None else self._tokens[seat]
        await Watcher(self._fleet, self._played, self._roads, home).watch(story, seat, token, whole=whole)

    async def _turns(self, story: Story) -> None:
        closing = self._random.randrange(CLOSE_BEFORE) if self._chance(self._manners.close) else TURNS_MAX
        for number in range(TURNS_MAX):
            if (turn := await self._look(story)) is None:
                return
            if number == closing:
                await self._close(story, turn)
            else:
                await self._move(story, turn)
            if self._requests and self._chance(self._manners.echo):
                await self._echo(story)
        raise Stuck(f"the game is not over after {TURNS_MAX} turns")

    async def _look(self, story: Story) -> Turn | None:
        """Return who may act, and how; None when the table has ended."""
        if (view := await self._view(story, 1)).table.status != table_pb2.STATUS_RUNNING:
            return None
        # Any seat sees who has to act, but only that seat sees what it may do.
        seats = self._tokens if self._chance(OUT_OF_TURN) else view.table.seats_to_act
        views = [view if seat == 1 else await self._view(story, seat) for seat in seats]
        choices = tuple((seen.seat, command) for seen in views for command in seen.legal)
        if not choices:
            raise Stuck(f"seats {[*seats]} must act at version {view.version} and may do nothing")
        return Turn(view.version, choices)

    async def _view(self, story: Story, seat: int) -> Any:
        known = max((told.version for told in story.told), default=0)
        request = self._played.request("GetView", table_id=story.table_id)
        view = await self._caller.ask("GetView", request, self._tokens[seat])
        if view.version < known:
            story.stale.append(f"a view of version {view.version} after version {known} had been acknowledged")
        return view

    async def _move(self, story: Story, turn: Turn) -> None:
        rivals = len(turn.choices) > 1 and self._chance(self._manners.rival)
        chosen = self._random.sample(turn.choices, 2 if rivals else 1)
        strict = self._random.random() < 0.5
        copies = 2 if self._chance(self._manners.twice) else 1
        asked = [self._request(story, turn, seat, command, strict=strict) for seat, command in chosen]
        tries = [self._give(story, *one) for one in asked for _ in range(copies)]
        answers = await asyncio.gather(*tries)
        told = {answer.command_id for answer in answers if isinstance(answer, Told)}
        beaten = BEATEN if strict else BEATEN | self._played.refusals
        story.refused += [
            f"version {turn.version}: {answer}"
            for answer in answers
            if isinstance(answer, Denied) and not (rivals and told and answer.reason in beaten)
        ]
        if strict and len(told) > 1:
            story.refused.append(f"two commands were accepted for version {turn.version}")

    def _request(
        self, story: Story, turn: Turn, seat: int, command: Any, *, strict: bool
    ) -> tuple[int, str, Any, bytes]:
        given = only(command)
        method = given.DESCRIPTOR.name
        request = self._played.request(
            method,
            table_id=story.table_id,
            command_id=self._new_id(),
            expected_version=turn.version if strict else None,
            command=given,
        )
        return seat, method, request, command.SerializeToString(deterministic=True)

    async def _give(self, story: Story, seat: int, method: str, request: Any, command: bytes) -> Told | Denied:
        try:
            answer = await self._caller.ask(method, request, self._tokens[seat] if seat else self._admin)
        except Denied as denied:
            return denied
        told = Told(uuid.UUID(request.command_id).bytes, seat, command, answer.version, answer.head_hash)
        if answer.duplicate and told not in story.told:
            self._tally.add("done unseen")  # by a try that got no answer
        story.told.append(told)
        self._requests.append((method, request, seat, told))
        self._tally.add("acknowledged")
        return told

    async def _echo(self, story: Story) -> None:
        """Send a command once more that was acknowledged long ago: it must be told as before."""
        method, request, seat, told = self._roads.choice(self._requests)
        answer = await self._give(story, seat, method, request, told.command)
        if answer != told:
            story.refused.append(f"a command acknowledged as version {told.version} was answered later: {answer}")

    async def _close(self, story: Story, turn: Turn) -> None:
        request = table_service_pb2.CloseTableRequest(
            table_id=story.table_id, command_id=self._new_id(), expected_version=turn.version
        )
        copies = 2 if self._chance(self._manners.twice) else 1
        answers = await asyncio.gather(*(self._give(story, 0, "CloseTable", request, b"") for _ in range(copies)))
        story.refused += [f"closing: {answer}" for answer in answers if isinstance(answer, Denied)]

    def _new_id(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))

    def _chance(self, often: float) -> bool:
        return self._random.random() < often
