"""TableService: what every table has, whatever is played at it."""

from collections.abc import AsyncIterator
from typing import Any

from stammtisch.table.v1 import entry_pb2, service_pb2

from service.api import contributions, fields, lobby, rpc
from service.api.errors import invalid
from service.api.forks import Forks
from service.api.game_messages import types
from service.api.games import game_infos
from service.api.guests import Guests
from service.api.log_watch import LogWatch, log_entries
from service.api.messages import table_message
from service.api.rematches import Rematches
from service.api.tokens import Seated, acting, closing, invited
from service.kit.game import CHANCE
from service.table import Asked, Done

PAGE_MAX = 500
SERVICE = service_pb2.DESCRIPTOR.services_by_name["TableService"]


class TableService:
    """The calls of the service that all games share."""

    def __init__(self, guests: Guests) -> None:
        self._guests = guests
        self._games = service_pb2.ListGamesResponse(games=game_infos(guests.limits.seats))

    def handlers(self) -> dict[str, rpc.Handler]:
        """Return a handler for each method of the service."""
        guests, methods = self._guests, SERVICE.methods_by_name
        unary = {
            "ListGames": self.list_games,
            "ListTables": self.list_tables,
            "GetTable": self.get_table,
            "JoinTable": self.join_table,
            "StartTable": self.start_table,
            "LeaveTable": self.leave_table,
            "ReturnToTable": self.return_to_table,
            "RevealContribution": self.reveal_contribution,
            "Rematch": Rematches(guests).rematch,
            "ForkTable": Forks(guests).fork,
            "CloseTable": self.close_table,
            "GetLog": self.get_log,
        }
        return {name: rpc.unary(call, types(methods[name])[0], guests) for name, call in unary.items()} | {
            "WatchLog": rpc.stream(self.watch_log, service_pb2.WatchLogRequest, guests)
        }

    async def list_games(self, _request: Any, _call: rpc.Call) -> service_pb2.ListGamesResponse:
        """Return the games of this server."""
        return self._games

    async def list_tables(self, request: Any, call: rpc.Call) -> service_pb2.ListTablesResponse:
        """Return a page of the tables that people may join."""
        game, size = lobby.game(request.game), lobby.page_size(request.page_size)
        after = lobby.place(request.page_token)
        self._guests.commands.take(call.holder)
        tables, last = await self._guests.tables.listed(game, after, size)
        listed = [service_pb2.ListedTable(table=table_message(each), version=each.head.version) for each in tables]
        return service_pb2.ListTablesResponse(tables=listed, next_page_token=lobby.page_token(last))

    async def get_table(self, request: Any, call: rpc.Call) -> service_pb2.GetTableResponse:
        """Return the common part of a table's view."""
        _, table = await self._guests.look(call.caller, fields.table_id(request.table_id), passing=True)
        message = table_message(table)
        return service_pb2.GetTableResponse(version=table.head.version, head_hash=table.head.hash, table=message)

    async def join_table(self, request: Any, call: rpc.Call) -> service_pb2.JoinTableResponse:
        """Give somebody an open seat."""
        table_id, command_id = fields.table_id(request.table_id), fields.command_id(request.command_id)
        name = fields.name("name", request.name)
        self._guests.commands.take(call.holder)
        charter = (await self._guests.tables.look(table_id)).charter
        if not charter.terms.listed:
            invited(charter.root, request.invite_code)
        contributions.check("", request, charter.terms)
        wanted = entry_pb2.TakeSeat(seat=request.seat, contribution=request.contribution, commitment=request.commitment)
        done = await self._guests.tables.join(table_id, command_id, wanted, name)
        sat_down = done.entries[0]
        return service_pb2.JoinTableResponse(
            seat=sat_down.seat,
            token=self._guests.tokens.for_seat(table_id, sat_down.seat, sat_down.version),
            **_answer(done),
        )

    async def start_table(self, request: Any, call: rpc.Call) -> service_pb2.StartTableResponse:
        """Begin with bots in the open seats."""
        table_id = fields.table_id(request.table_id)
        closing(call.caller, table_id)
        command = entry_pb2.StartTable(bot=fields.strength("bot", request.bot))
        nobody = Seated(table_id, CHANCE)
        return service_pb2.StartTableResponse(**await self._hosted(request, call, nobody, command))

    async def leave_table(self, request: Any, call: rpc.Call) -> service_pb2.LeaveTableResponse:
        """Give a seat up."""
        sitting = acting(call.caller, fields.table_id(request.table_id))
        return service_pb2.LeaveTableResponse(**await self._hosted(request, call, sitting, entry_pb2.LeaveSeat()))

    async def return_to_table(self, request: Any, call: rpc.Call) -> service_pb2.ReturnToTableResponse:
        """Take a seat back from the bot that stands in."""
        sitting = acting(call.caller, fields.table_id(request.table_id))
        return service_pb2.ReturnToTableResponse(**await self._hosted(request, call, sitting, entry_pb2.ReturnToSeat()))

    async def _hosted(self, request: Any, call: rpc.Call, sitting: Seated, command: Any) -> dict[str, Any]:
        """Give a command of the table's own, and return what every answer to one says."""
        return _answer(await self._guests.tables.host(sitting.table_id, self._asked(request, call, sitting, command)))

    async def reveal_contribution(self, request: Any, call: rpc.Call) -> service_pb2.RevealContributionResponse:
        """Take the contribution that a seat has committed itself to."""
        sitting = acting(call.caller, fields.table_id(request.table_id))
        command = entry_pb2.Reveal(contribution=contributions.revealed("contribution", request.contribution))
        asked = self._asked(request, call, sitting, command)
        return service_pb2.RevealContributionResponse(
            **_answer(await self._guests.tables.reveal(sitting.table_id, asked))
        )

    def _asked(self, request: Any, call: rpc.Call, sitting: Seated, command: Any) -> Asked:
        command_id = fields.command_id(request.command_id)
        self._guests.commands.take(call.holder)
        expected = request.expected_version if request.HasField("expected_version") else None
        return Asked(sitting.seat, command_id, command, expected, call.arrived_ms, sitting.since)

    async def close_table(self, request: Any, call: rpc.Call) -> service_pb2.CloseTableResponse:
        """End a table before its game does."""
        table_id, command_id = fields.table_id(request.table_id), fields.command_id(request.command_id)
        closing(call.caller, table_id)
        self._guests.commands.take(call.holder)
        expected = request.expected_version if request.HasField("expected_version") else None
        done = await self._guests.tables.close(table_id, command_id, expected)
        return service_pb2.CloseTableResponse(**_answer(done))

    async def get_log(self, request: Any, call: rpc.Call) -> service_pb2.GetLogResponse:
        """Return a page of the log."""
        after = fields.version("after", request.after)
        if not 0 <= request.limit <= PAGE_MAX:
            raise invalid("limit", f"Send 1 to {PAGE_MAX}, or 0 for {PAGE_MAX}.")
        await self._guests.look(call.caller, fields.table_id(request.table_id))
        self._guests.commands.take(call.holder)
        entries = await log_entries(self._guests.tables, request.table_id)
        page = entries[after : after + (request.limit or PAGE_MAX)]
        return service_pb2.GetLogResponse(entries=page, version=entries[-1].version, head_hash=entries[-1].hash)

    async def watch_log(self, request: Any, call: rpc.Call) -> AsyncIterator[service_pb2.WatchLogResponse]:
        """Stream the log from a version on."""
        table_id, after = fields.table_id(request.table_id), fields.version("after", request.after)
        await self._guests.look(call.caller, table_id)
        self._guests.commands.take(call.holder)
        with self._guests.streams.one_more(call.holder):
            async for frame in LogWatch(self._guests, call.caller, table_id, after).frames():
                yield frame


def _answer(done: Done) -> dict[str, Any]:
    return {
        "version": done.table.head.version,
        "head_hash": done.table.head.hash,
        "duplicate": done.duplicate,
        "table": table_message(done.table),
    }
