"""Rematches: what the players of an ended table, and its admin, get of the next one."""

from typing import Any

from stammtisch.table.v1 import entry_pb2, service_pb2

from service.api import contributions, fields
from service.api.errors import invalid
from service.api.guests import Guests
from service.api.messages import table_message
from service.api.rpc import Call
from service.api.tokens import Admin, Seated, playing_again
from service.seal import invite_code
from service.table import Done, check_sitting


class Rematches:
    """Creates rematches and seats their players."""

    def __init__(self, guests: Guests) -> None:
        self._guests = guests

    async def rematch(self, request: Any, call: Call) -> service_pb2.RematchResponse:
        """Let a player take the same seat at the rematch, or the admin create it."""
        table_id, command_id = fields.table_id(request.table_id), fields.command_id(request.command_id)
        asking = playing_again(call.caller, table_id)
        self._guests.commands.take(call.holder)
        if isinstance(asking, Seated):
            return await self._seated(asking, command_id, request)
        if request.contribution or request.commitment:
            raise invalid("contribution", "The admin takes no seat and contributes nothing: leave it out.")
        return await self._created(asking)

    async def _seated(self, asking: Seated, command_id: bytes, request: Any) -> service_pb2.RematchResponse:
        tables, seat = self._guests.tables, asking.seat
        before = await tables.look(asking.table_id)
        check_sitting(before, seat, asking.since)
        contributions.check("", request, before.charter.terms)
        rematch_id = (await tables.rematch(before)).table.charter.table_id
        given, bound = request.contribution, request.commitment
        wanted = entry_pb2.TakeSeat(seat=seat, contribution=given, commitment=bound, again=True)
        done = await tables.rejoin(rematch_id, command_id, wanted, before.seating.names.get(seat, ""))
        token = self._guests.tokens.for_seat(rematch_id, seat, done.entries[0].version)
        return service_pb2.RematchResponse(seat=seat, token=token, **_answer(done))

    async def _created(self, asking: Admin) -> service_pb2.RematchResponse:
        tables = self._guests.tables
        done = await tables.rematch(await tables.look(asking.table_id))
        token = self._guests.tokens.for_admin(done.table.charter.table_id)
        return service_pb2.RematchResponse(admin_token=token, **_answer(done))


def _answer(done: Done) -> dict[str, Any]:
    charter, head = done.table.charter, done.table.head
    return {
        "table_id": charter.table_id,
        "invite_code": invite_code(charter.root) if charter.founded.open_seats else "",
        "version": head.version,
        "head_hash": head.hash,
        "duplicate": done.duplicate,
        "table": table_message(done.table),
    }
