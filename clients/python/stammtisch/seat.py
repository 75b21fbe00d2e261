"""Seat: act at a table, look at it, watch it."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal

from google.protobuf import duration_pb2
from google.protobuf.message import Message

from stammtisch.calls import Calls, new_command_id
from stammtisch.contribution import Contribution
from stammtisch.game import TABLE_SERVICE, Command, Event, Service, View, only
from stammtisch.table.v1 import service_pb2
from stammtisch.table.v1.table_pb2 import Table
from stammtisch.watch import Position, watched


@dataclass(frozen=True, slots=True)
class Seen(Generic[View, Command, Event]):
    """What a seat sees of its table at one version."""

    version: int
    head_hash: bytes
    table: Table  # what all games share
    view: View  # the game's own
    legal: Sequence[Command]  # what this seat may do now; `act` takes any of it as it stands
    seat: int  # the seat that sees this; 0 for a spectator
    happened: Sequence[Event]  # what a command, a step or an earlier version brought; else empty


@dataclass(frozen=True, slots=True)
class Done(Seen[View, Command, Event]):
    """What a command did."""

    duplicate: bool  # whether this command_id had done it before


@dataclass(frozen=True, slots=True)
class Frame(Seen[View, Command, Event]):
    """One frame of a watched table. A `snapshot` or a `reset` takes the place of all before."""

    kind: Literal["snapshot", "step", "reset"]


class Seat(Generic[View, Command, Event]):
    """One seat of one table; without a token, what spectators see."""

    def __init__(self, calls: Calls, service: Service, table_id: str, token: str | None, invite_code: str = "") -> None:
        self._calls = calls
        self._service = service
        self.table_id = table_id
        self.token = token
        self.invite_code = invite_code  # of a rematch, for whoever takes the seat of one who does not come

    async def view(
        self, min_version: int = 0, wait: float = 0, *, at_version: int | None = None, as_seat: int = 0
    ) -> Seen[View, Command, Event]:
        """Look at the table; with `min_version`, wait up to so many seconds (at most 25) until it is that far.

        With `at_version`, look at it as it was then; `as_seat` may name any seat once the table has ended.
        """
        request = self._service.request(
            "GetView",
            table_id=self.table_id,
            min_version=min_version,
            wait=_duration(wait) if at_version is None or wait else None,
            at_version=at_version,
            as_seat=as_seat,
        )
        return Seen(**_facts(await self._calls.unary(self._service.method("GetView"), request, self.token, wait)))

    async def act(
        self, command: Message, *, expected_version: int | None = None, command_id: str | None = None
    ) -> Done[View, Command, Event]:
        """Give a command, exactly once however often it has to be sent. To go on after Unavailable, give its id."""
        command = only(command)
        name = self._service.named_as(command)
        request = self._service.request(
            name,
            table_id=self.table_id,
            command_id=command_id or new_command_id(),
            expected_version=expected_version,
            command=command,
        )
        reply = await self._calls.unary(self._service.method(name), request, self.token)
        return Done(**_facts(reply), duplicate=reply.duplicate)

    async def leave(self, *, command_id: str | None = None) -> Table:
        """Leave the seat: before the game it is open again, later a bot plays it until `come_back`."""
        return await self._host("LeaveTable", service_pb2.LeaveTableRequest, command_id)

    async def come_back(self, *, command_id: str | None = None) -> Table:
        """Take the seat back from the bot that plays it."""
        return await self._host("ReturnToTable", service_pb2.ReturnToTableRequest, command_id)

    async def reveal(self, contribution: Contribution, *, command_id: str | None = None) -> Table:
        """Reveal what the seat has committed itself to, once the table is STATUS_REVEALING; note its head before."""
        return await self._host(
            "RevealContribution",
            service_pb2.RevealContributionRequest,
            command_id,
            contribution=contribution.content,
        )

    async def rematch(
        self, *, contribution: bytes = b"", commitment: bytes = b"", command_id: str | None = None
    ) -> "Seat[View, Command, Event]":
        """Take the same seat at a new table like this one, which has ended: whoever is the first creates it."""
        request = service_pb2.RematchRequest(
            table_id=self.table_id,
            command_id=command_id or new_command_id(),
            contribution=contribution,
            commitment=commitment,
        )
        again = await self._calls.unary(TABLE_SERVICE["Rematch"], request, self.token)
        return Seat(self._calls, self._service, again.table_id, again.token, again.invite_code)

    async def watch(
        self, *, from_version: int | None = None, from_hash: bytes = b""
    ) -> AsyncGenerator[Frame[View, Command, Event], None]:
        """See everything that happens until the table ends, without a gap, whatever happens to connections.

        It begins with a snapshot, or else after the version and head_hash seen before.
        """
        position = None if from_version is None else Position(from_version, from_hash)
        async for message in watched(self._calls, self._open, position):
            kind = message.WhichOneof("frame")
            inner = getattr(message, kind)
            happened = inner.happened if kind == "step" else ()
            yield Frame(message.version, message.head_hash, **_seen(inner), kind=kind, happened=happened)

    async def _host(self, name: str, request: Any, command_id: str | None, **fields: Any) -> Table:
        asked = request(table_id=self.table_id, command_id=command_id or new_command_id(), **fields)
        response = await self._calls.unary(TABLE_SERVICE[name], asked, self.token)
        table: Table = response.table
        return table

    def _open(self, position: Position | None) -> Any:
        where = {} if position is None else {"from_version": position.version, "from_hash": position.hash}
        request = self._service.request("WatchView", table_id=self.table_id, **where)
        return self._calls.stream(self._service.method("WatchView"), request, self.token)


def _facts(reply: Any) -> dict[str, Any]:
    return {"version": reply.version, "head_hash": reply.head_hash, "happened": reply.happened, **_seen(reply)}


def _seen(message: Any) -> dict[str, Any]:
    return {name: getattr(message, name) for name in ("table", "view", "legal", "seat")}


def _duration(seconds: float) -> duration_pb2.Duration:
    return duration_pb2.Duration(seconds=int(seconds), nanos=int(seconds % 1 * 1e9))
