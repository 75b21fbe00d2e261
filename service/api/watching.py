"""Watching: frames in order, without gaps, until one says why the stream ends."""

from collections.abc import AsyncIterator
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message
from stammtisch.table.v1.table_pb2 import Closed, Heartbeat

from service.api.game_messages import GameMessages
from service.api.guests import Guests
from service.api.inbox import Overflow
from service.api.tokens import Caller
from service.fold import Step, Table
from service.live import Reset
from service.wire import Plain

RESUMED_STEPS_MAX = 1_000  # who has missed more gets a full view instead


class ViewWatch:
    """One stream of one seat's view."""

    def __init__(self, messages: GameMessages, guests: Guests, caller: Caller, table_id: str, seat: int | None) -> None:
        self._messages = messages
        self._guests = guests
        self._caller = caller
        self._table_id = table_id
        self._seat = seat

    async def frames(self, after: int | None, head_hash: bytes) -> AsyncIterator[bytes]:
        """Return encoded frames: a full view or what came after a version, then everything that happens."""
        with self._guests.inbox() as inbox:
            async with self._guests.tables.watch(self._table_id, inbox.put) as watched:
                table = watched
                self._guests.check_sight(self._caller, table, passing=False)
                for frame in await self._first(table, after, head_hash):
                    yield frame
                async for happening in self._guests.happenings(self._caller, table, inbox):
                    if isinstance(happening, Step | Reset | Overflow):
                        table = happening.table
                    yield self._happening(happening, table)

    def _happening(self, happening: Step | Reset | Overflow | Closed | None, table: Table) -> bytes:
        match happening:
            case None:
                return self._frame(table, heartbeat=Heartbeat())
            case Step():
                return self._step(happening)
            case Reset():
                return self._frame(table, reset=self._snapshot(table))
            case Overflow():
                return self._frame(table, snapshot=self._snapshot(table))
            case Closed():
                return self._frame(table, closed=happening)

    async def _first(self, table: Table, after: int | None, head_hash: bytes) -> list[bytes]:
        """Return the frames that bring the watcher from where it is to the table as it is."""
        if after is None or table.head.version - after > RESUMED_STEPS_MAX:
            return [self._frame(table, snapshot=self._snapshot(table))]
        if after > table.head.version:
            return [self._frame(table, reset=self._snapshot(table))]
        steps = await self._guests.tables.steps(self._table_id, max(after - 1, 0))
        hashes = {step.entry.version: step.table.head.hash for step in steps}
        if head_hash and after and hashes.get(after) != head_hash:
            return [self._frame(table, reset=self._snapshot(table))]
        return [self._step(step) for step in steps if after < step.entry.version <= table.head.version]

    def _step(self, step: Step) -> bytes:
        return self._guests.frames.encoded(
            (step.table.head.hash, self._messages.game.name, self._seat), lambda: self._new_step(step)
        )

    def _new_step(self, step: Step) -> bytes:
        happened = self._messages.happened_in(step, self._seat)
        return self._frame(step.table, step={"happened": happened, **self._fields(step.table)})

    def _snapshot(self, table: Table) -> Plain:
        return {"options": self._messages.options(table), **self._fields(table)}

    def _fields(self, table: Table) -> Plain:
        return self._messages.fields(table, self._seat)

    def _frame(self, table: Table, **frame: Message | Plain) -> bytes:
        head = table.head
        message: Message = self._messages.watch_view_type(version=head.version, head_hash=head.hash, **frame)
        return message.SerializeToString()


def server_sent_event(frame: Any) -> bytes:
    """Return a frame as a server-sent event. Its id is all that is needed to go on after it."""
    kind = frame.WhichOneof("frame")
    if kind == "heartbeat":
        return b": heartbeat\n\n"
    data = json_format.MessageToJson(frame, indent=None, always_print_fields_with_no_presence=True)
    return f"id: {frame.version}-{frame.head_hash.hex()}\nevent: {kind}\ndata: {data}\n\n".encode()
