"""GameService: one game's gRPC service, built from the registry and the descriptors. None is written per game."""

import re
from collections.abc import AsyncIterator
from typing import Any

from google.api import httpbody_pb2
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from service.api import fields, rpc
from service.api.errors import invalid
from service.api.game_messages import GameMessages, types
from service.api.guests import Guests
from service.api.new_tables import founding, keys
from service.api.tokens import acting, creating, looking_as, seeing
from service.api.watching import ViewWatch, server_sent_event
from service.draft import Founding
from service.fold import Step, Table
from service.kit.game import BadOptions
from service.kit.options import settled
from service.objections import RulesRefuse
from service.table import Asked, Done
from service.wire import Malformed

EVENT_ID = re.compile(r"([0-9]{1,9})-([0-9a-f]{64})")
NOT_COMMANDS = ("CreateTable", "GetView", "WatchView", "WatchEvents")


class GameService:
    """The calls of one game's service."""

    def __init__(self, messages: GameMessages, guests: Guests) -> None:
        self._messages = messages
        self._guests = guests
        self._tables = guests.tables
        methods = messages.service.methods_by_name
        self._created_type = types(methods["CreateTable"])[1]
        self._view_type = types(methods["GetView"])[1]

    def handlers(self) -> dict[str, rpc.Handler]:
        """Return a handler for each method of the service."""
        guests, methods = self._guests, self._messages.service.methods_by_name
        unary = {"CreateTable": self.create_table, "GetView": self.get_view}
        streams = {"WatchView": self.watch_view, "WatchEvents": self.watch_events}
        commands = {name: self._command(method) for name, method in methods.items() if name not in NOT_COMMANDS}
        return {name: rpc.unary(call, types(methods[name])[0], guests) for name, call in (unary | commands).items()} | {
            name: rpc.stream(call, types(methods[name])[0], guests) for name, call in streams.items()
        }

    async def create_table(self, request: Any, call: rpc.Call) -> Message:
        """Create a table, and answer with its tokens."""
        command_id = fields.command_id(request.command_id)
        creator = creating(call.caller, anybody=self._guests.anybody_creates)
        self._guests.commands.take(call.holder)
        done = await self._tables.create(creator, command_id, self._founding(request))
        return self._created_type(options=self._messages.options(done.table), **keys(done, self._guests.tokens))

    async def get_view(self, request: Any, call: rpc.Call) -> Message:
        """Return what a seat sees, once the table has come to a version or as it was at one."""
        table_id = fields.table_id(request.table_id)
        fields.nothing_beside(request, "at_version", "min_version", "wait")
        least = fields.version("min_version", request.min_version)
        most = self._guests.limits.wait_seconds
        wait = fields.seconds("wait", request.wait, most) if request.HasField("wait") else most
        seat, table = await self._guests.look(call.caller, table_id, passing=True)
        self._messages.check(table)
        wanted = fields.seat("as_seat", request.as_seat, table.charter.seats)
        seat = looking_as(seat, wanted, ended=table.has_ended)
        if request.HasField("at_version"):
            self._guests.commands.take(call.holder)  # what has been is read from the whole log
            step = await self._tables.look_back(table_id, request.at_version)
            await self._guests.look(call.caller, table_id, passing=True)  # the version may be one to come a moment ago
            return self._view_then(step, seat)
        table = await self._come_to(table, least, wait, call)
        self._guests.check_sight(call.caller, table, passing=True)
        return self._view_of(table, seat)

    async def watch_view(self, request: Any, call: rpc.Call) -> AsyncIterator[bytes]:
        """Stream what a seat sees."""
        async for frame in self._frames(request, call):
            yield frame

    async def watch_events(self, request: Any, call: rpc.Call) -> AsyncIterator[Message]:
        """Stream what a seat sees, as server-sent events."""
        if last := call.metadata.get("last-event-id"):
            known = EVENT_ID.fullmatch(last)
            if known is None:
                raise invalid("Last-Event-ID", "Send the id of an event of this stream, or none.")
            request.from_version, request.from_hash = int(known[1]), bytes.fromhex(known[2])
        async for frame in self._frames(request, call):
            event = server_sent_event(self._messages.watch_view_type.FromString(frame))
            yield httpbody_pb2.HttpBody(content_type="text/event-stream", data=event)

    async def _frames(self, request: Any, call: rpc.Call) -> AsyncIterator[bytes]:
        table_id = fields.table_id(request.table_id)
        after = fields.version("from_version", request.from_version) if request.HasField("from_version") else None
        seat, table = await self._guests.look(call.caller, table_id)
        self._messages.check(table)
        if after is not None:
            self._guests.commands.take(call.holder)  # what was missed is read from the whole log
        watch = ViewWatch(self._messages, self._guests, call.caller, table_id, seat)
        sitting = seeing(call.caller, table_id)
        with self._guests.streams.one_more(call.holder), self._guests.attendance.of(sitting, table):
            async for frame in watch.frames(after, request.from_hash):
                yield frame

    def _command(self, method: MethodDescriptor) -> rpc.Unary:
        """Return the call that gives one kind of command."""
        response = types(method)[1]

        async def act(request: Any, call: rpc.Call) -> Message:
            table_id, command_id = fields.table_id(request.table_id), fields.command_id(request.command_id)
            sitting = acting(call.caller, table_id)
            expected = request.expected_version if request.HasField("expected_version") else None
            if not request.HasField("command"):
                raise invalid("command", f"Send the {method.name} command: over REST it is the body.")
            command = self._decoded("command", request.command)
            self._guests.commands.take(call.holder)
            seat = sitting.seat
            done = await self._act(table_id, Asked(seat, command_id, command, expected, call.arrived_ms, sitting.since))
            return response(
                table_id=table_id,
                duplicate=done.duplicate,
                happened=self._messages.happened((event for entry in done.entries for event in entry.events), seat),
                **self._facts(done.table),
                **self._view(done.table, seat),
            )

        return act

    async def _act(self, table_id: str, asked: Asked) -> Done:
        try:
            return await self._tables.act(table_id, asked)
        except RulesRefuse as refused:
            raise self._messages.refusal(refused, asked.seat) from refused

    def _founding(self, request: Any) -> Founding:
        """Return what is asked for, or fail with the field that cannot be."""
        game = self._messages.game
        fewest, most = game.seats[0], min(game.seats[-1], self._guests.limits.seats)
        if not fewest <= len(request.seats) <= most:
            raise invalid("seats", f"Send {fewest} to {most} seats.")
        options = self._decoded("options", request.options)
        try:
            game.start(options, len(request.seats))
        except BadOptions as bad:
            raise invalid(f"options.{bad.option}", bad.sentence) from bad
        return founding(request, game, settled(options), self._guests.limits.thinking_seconds)

    def _decoded(self, path: str, message: Message) -> Any:
        try:
            return self._messages.wire.decode(message)
        except Malformed as malformed:
            raise invalid(f"{path}.{malformed.path}" if malformed.path else path, malformed.sentence) from malformed

    async def _come_to(self, table: Table, least: int, wait: float, call: rpc.Call) -> Table:
        if table.head.version >= least:
            return table
        with self._guests.streams.one_more(call.holder):
            return await self._guests.wait(table, least, wait)

    def _view_then(self, step: Step, seat: int | None) -> Message:
        return self._view_of(step.table, seat, happened=self._messages.happened_in(step, seat))

    def _view_of(self, table: Table, seat: int | None, **more: Any) -> Message:
        options = self._messages.options(table)
        return self._view_type(
            table_id=table.charter.table_id, options=options, **self._facts(table), **self._view(table, seat), **more
        )

    def _facts(self, table: Table) -> dict[str, Any]:
        return {"version": table.head.version, "head_hash": table.head.hash}

    def _view(self, table: Table, seat: int | None) -> dict[str, Any]:
        return self._messages.fields(table, seat)
