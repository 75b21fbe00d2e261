"""Playing over gRPC, through the Python client: seats act on what their streams and replies tell them."""

import importlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

from google.protobuf import json_format
from google.protobuf.duration_pb2 import Duration
from stammtisch import Client, Created, Refused, Seat, Seen, TableEnded
from stammtisch.table.v1.service_pb2 import GameInfo
from stammtisch.table.v1.table_pb2 import STATUS_RUNNING, NewSeat, Terms

from service.play.door import BOTS_THINK_SECONDS, Beaten, CannotPlay, Place, Sight, Wanted

TERMS = Terms(thinking=Duration(nanos=int(BOTS_THINK_SECONDS * 1e9)))


class GrpcSeat:
    """One seat."""

    def __init__(self, number: int, seat: Seat[Any, Any, Any]) -> None:
        self._number = number
        self._seat = seat

    async def sights(self) -> AsyncGenerator[Sight, None]:
        """Return the table as it is, and then whenever something has happened."""
        async with aclosing(self._seat.watch()) as frames:
            async for frame in frames:
                yield self._sight(frame)

    def kind(self, command: Any) -> str:
        """Return of which kind a command is, as it was listed in a sight."""
        kind: str = command.WhichOneof("command")
        return kind

    async def act(self, command: Any) -> Sight:
        """Give a command as it was listed in a sight, or raise Beaten."""
        try:
            return self._sight(await self._seat.act(command))
        except Refused as refused:
            raise Beaten(refused.sentence, refused.refusal.version) from refused
        except TableEnded as ended:
            raise Beaten(ended.sentence, None) from ended

    def _sight(self, seen: Seen[Any, Any, Any]) -> Sight:
        table = seen.table
        return Sight(
            seen.version,
            table.status != STATUS_RUNNING,
            seen.legal if self._number in table.seats_to_act else (),
            [Place(line.seat, line.rank, line.score) for line in table.standings],
        )


class GrpcTable:
    """One table with all its seats."""

    def __init__(self, client: Client, created: Created[Any, Any, Any]) -> None:
        self._client = client
        self._admin_token = created.admin_token
        self.table_id = created.table_id
        self.seats = [GrpcSeat(number, seat) for number, seat in enumerate(created.seats, 1)]

    async def close(self) -> None:
        """End the table before its game does."""
        await self._client.close_table(self.table_id, self._admin_token)


class GrpcDoor:
    """The API over gRPC."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def games(self) -> Sequence[GameInfo]:
        """Return the games that can be played."""
        return await self._client.games()

    async def create(self, game: GameInfo, wanted: Wanted) -> GrpcTable:
        """Create a table."""
        messages: Any = importlib.import_module(f"stammtisch.{game.game}.v1.{game.game}_pb2")
        try:
            options = json_format.ParseDict(dict(wanted.options), messages.Options())
        except json_format.ParseError as error:
            raise CannotPlay(str(error)) from error
        seats = [json_format.ParseDict(seat, NewSeat()) for seat in wanted.new_seats()]
        created = await self._client.create(messages, seats, options, spectators=True, terms=TERMS)
        return GrpcTable(self._client, created)
