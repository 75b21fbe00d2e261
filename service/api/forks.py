"""Forks: tables that go on from a version of an ended one."""

from dataclasses import replace
from typing import Any

from stammtisch.table.v1 import service_pb2, table_pb2

from service.api import fields
from service.api.errors import invalid
from service.api.guests import Guests
from service.api.messages import table_message
from service.api.new_tables import founding, keys
from service.api.rpc import Call
from service.api.tokens import forking
from service.draft import Founding
from service.fork import CannotFork, Position


class Forks:
    """Creates forks for those who were at the table before, or who may see it and create tables."""

    def __init__(self, guests: Guests) -> None:
        self._guests = guests

    async def fork(self, request: Any, call: Call) -> service_pb2.ForkTableResponse:
        """Create a table that goes on from a version of an ended one."""
        table_id, command_id = fields.table_id(request.table_id), fields.command_id(request.command_id)
        if request.cards not in table_pb2.Cards.values():
            raise invalid("cards", "Send CARDS_KEPT or CARDS_REDEALT.")
        creator = forking(call.caller, table_id, anybody=self._guests.anybody_creates)
        self._guests.commands.take(call.holder)
        _, before = await self._guests.look(call.caller, table_id)
        try:
            position = await self._guests.tables.position(before, request.version)
            asked = self._founding(request, position)
        except CannotFork as cannot:
            raise invalid(cannot.field, cannot.sentence) from cannot
        done = await self._guests.tables.create(creator, command_id, asked, position.events)
        return service_pb2.ForkTableResponse(table=table_message(done.table), **keys(done, self._guests.tokens))

    def _founding(self, request: Any, position: Position) -> Founding:
        charter = position.table.charter
        if len(request.seats) != len(charter.seats):
            raise invalid("seats", f"Send {len(charter.seats)} seats, as many as the table before has.")
        asked = founding(request, charter.game, charter.options, self._guests.limits.thinking_seconds)
        return replace(asked, forked_from=position.origin(request.cards or table_pb2.CARDS_KEPT))
