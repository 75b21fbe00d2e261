"""Client: connect to a service, create tables, take seats."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Self
from urllib.parse import urlsplit

import grpc

from stammtisch.calls import Calls, new_command_id
from stammtisch.errors import StammtischError
from stammtisch.game import TABLE_SERVICE, Command, Event, Game, Options, Service, View
from stammtisch.patience import OnRetry, Patience
from stammtisch.seat import Seat
from stammtisch.table.v1 import service_pb2
from stammtisch.table.v1.table_pb2 import BotStrength, Cards, NewSeat, Table, Terms

PAGES_MAX = 1_000  # of a lobby: nobody looks any further
CHANNEL_OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 100),  # gRPC's own pauses grow to two minutes, beyond anybody's patience
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.keepalive_time_ms", 12_000),  # finds a dead connection; the service allows a ping every 10 s
    ("grpc.keepalive_timeout_ms", 5_000),
)


@dataclass(frozen=True, slots=True)
class Created(Generic[View, Command, Event]):
    """A new table. Give each player the token of one seat, and nobody else's."""

    table_id: str
    admin_token: str  # may close the table
    seats: tuple[Seat[View, Command, Event], ...]  # those of people, in order
    invite_code: str  # for whoever may take an open seat; empty where there is none


class Client:
    """A connection to a service. Close it, or use it in an `async with`."""

    def __init__(self, channel: grpc.aio.Channel, token: str | None, patience: Patience, on_retry: OnRetry) -> None:
        self._calls = Calls(channel, patience, on_retry)
        self._token = token

    @property
    def channel(self) -> grpc.aio.Channel:
        """The channel, for the generated stubs: they do everything else that the API can."""
        return self._calls.channel

    async def games(self) -> Sequence[service_pb2.GameInfo]:
        """Return the games of the service, with their options."""
        request = service_pb2.ListGamesRequest()
        response: service_pb2.ListGamesResponse = await self._calls.unary(TABLE_SERVICE["ListGames"], request, None)
        return response.games

    async def create(  # noqa: PLR0913 -- each is a different fact
        self,
        game: Game[View, Command, Event, Options],
        seats: Sequence[NewSeat],
        options: Options | None = None,
        *,
        spectators: bool = False,
        terms: Terms | None = None,
        command_id: str | None = None,
    ) -> Created[View, Command, Event]:
        """Create a table of a game, which is the game's generated module. Options left out take their defaults."""
        service = Service(game.DESCRIPTOR)
        command_id = command_id or new_command_id()
        request = service.request(
            "CreateTable",
            command_id=command_id,
            seats=seats,
            options=options,
            spectators=spectators,
            terms=terms,
        )
        return self._created(game, await self._calls.unary(service.method("CreateTable"), request, self._token))

    async def join(  # noqa: PLR0913 -- each is a different fact
        self,
        game: Game[View, Command, Event, Options],
        table_id: str,
        invite_code: str = "",
        *,
        name: str = "",
        seat: int = 0,
        contribution: bytes = b"",
        commitment: bytes = b"",
        command_id: str | None = None,
    ) -> Seat[View, Command, Event]:
        """Take an open seat, any if none is named; a listed table needs no code.

        To go on after Unavailable, give the command_id of then.
        """
        request = service_pb2.JoinTableRequest(
            table_id=table_id,
            command_id=command_id or new_command_id(),
            invite_code=invite_code,
            seat=seat,
            name=name,
            contribution=contribution,
            commitment=commitment,
        )
        joined = await self._calls.unary(TABLE_SERVICE["JoinTable"], request, None)
        return self.seat(game, table_id, joined.token)

    async def tables(self, game: Game[View, Command, Event, Options]) -> AsyncIterator[Table]:
        """Yield the tables of a game that anybody may join, those first that were opened first."""
        request = service_pb2.ListTablesRequest(game=Service(game.DESCRIPTOR).game)
        for _ in range(PAGES_MAX):
            page = await self._calls.unary(TABLE_SERVICE["ListTables"], request, None)
            for listed in page.tables:
                yield listed.table
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def seat(
        self, game: Game[View, Command, Event, Options], table_id: str, token: str | None = None
    ) -> Seat[View, Command, Event]:
        """Return the seat that a token opens; without one, what spectators see."""
        return Seat(self._calls, Service(game.DESCRIPTOR), table_id, token)

    async def start_table(
        self,
        table_id: str,
        admin_token: str,
        *,
        bot: BotStrength.ValueType = BotStrength.BOT_STRENGTH_UNSPECIFIED,
        command_id: str | None = None,
    ) -> Table:
        """Begin the game with bots in the seats that are still open."""
        command_id = command_id or new_command_id()
        request = service_pb2.StartTableRequest(table_id=table_id, command_id=command_id, bot=bot)
        response = await self._calls.unary(TABLE_SERVICE["StartTable"], request, admin_token)
        table: Table = response.table
        return table

    async def rematch(self, table_id: str, admin_token: str) -> Created[Any, Any, Any]:
        """Create a new table like one that has ended. Its players take their seats with `Seat.rematch`."""
        request = service_pb2.RematchRequest(table_id=table_id, command_id=new_command_id())
        again = await self._calls.unary(TABLE_SERVICE["Rematch"], request, admin_token)
        return Created(again.table_id, again.admin_token, (), again.invite_code)

    async def fork(  # noqa: PLR0913 -- each is a different fact
        self,
        game: Game[View, Command, Event, Options],
        table_id: str,
        version: int,
        seats: Sequence[NewSeat],
        *,
        cards: Cards.ValueType = Cards.CARDS_KEPT,
        spectators: bool = False,
        terms: Terms | None = None,
        token: str | None = None,
        command_id: str | None = None,
    ) -> Created[View, Command, Event]:
        """Play on from a version of an ended table, at a new one. The token is one that shows the ended table."""
        request = service_pb2.ForkTableRequest(
            table_id=table_id,
            command_id=command_id or new_command_id(),
            version=version,
            seats=seats,
            cards=cards,
            spectators=spectators,
            terms=terms,
        )
        return self._created(game, await self._calls.unary(TABLE_SERVICE["ForkTable"], request, token or self._token))

    async def close_table(self, table_id: str, admin_token: str, *, command_id: str | None = None) -> Table:
        """End a table before its game does."""
        request = service_pb2.CloseTableRequest(table_id=table_id, command_id=command_id or new_command_id())
        response = await self._calls.unary(TABLE_SERVICE["CloseTable"], request, admin_token)
        table: Table = response.table
        return table

    def _created(self, game: Game[View, Command, Event, Options], answer: Any) -> Created[View, Command, Event]:
        taken = sorted(answer.seat_tokens, key=lambda entry: entry.seat)
        seats = tuple(self.seat(game, answer.table_id, entry.token) for entry in taken)
        return Created(answer.table_id, answer.admin_token, seats, answer.invite_code)

    async def close(self) -> None:
        """Close the connection."""
        await self.channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()


def connect(
    target: str,
    *,
    token: str | None = None,
    patience: Patience | None = None,
    on_retry: OnRetry | None = None,
    credentials: grpc.ChannelCredentials | None = None,
) -> Client:
    """Connect to `host:port`, or over TLS to `https://host`. The token is what creating tables needs, if anything."""
    channel = _channel(target, credentials)
    return Client(channel, token, patience or Patience(), on_retry or _ignore)


def _channel(target: str, credentials: grpc.ChannelCredentials | None) -> grpc.aio.Channel:
    scheme, address, *_ = urlsplit(target) if "://" in target else ("http", target)
    options: Any = CHANNEL_OPTIONS
    match scheme:
        case "http" if credentials is None:
            return grpc.aio.insecure_channel(address, options)
        case "http" | "https":
            return grpc.aio.secure_channel(address, credentials or grpc.ssl_channel_credentials(), options)
        case _:
            raise ValueError(f"{target}: give host:port, http://host:port or https://host.")


def _ignore(_error: StammtischError) -> None:
    pass
