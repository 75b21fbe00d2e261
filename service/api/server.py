"""The gRPC server: all services, health, and reflection where it is wanted."""

from collections.abc import Mapping

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import SERVICE_NAME
from grpc_health.v1.health import aio as health
from grpc_reflection.v1alpha import reflection

from service.api.game_messages import GameMessages
from service.api.game_service import GameService
from service.api.guests import Guests
from service.api.rpc import Handler
from service.api.table_service import SERVICE, TableService
from service.games import GAMES

SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
READINESS = SERVICE.full_name  # what Envoy and Kubernetes ask for; "" is liveness and says nothing of the store
PING_SECONDS_LEAST = 10
READ_BYTES_MAX = 1 << 20  # of a message that is read, if only to say that it is too large


class Server:
    """The services of one process, and how they are."""

    def __init__(self, guests: Guests, *, reflect: bool) -> None:
        self.guests = guests
        self._health = health.HealthServicer()
        self._server = grpc.aio.server(options=_options(guests))
        services = _services(guests)
        for name, handlers in services.items():
            self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, handlers),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        if reflect:
            names = (*services, SERVICE_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self._server)

    async def start(self, address: str) -> None:
        """Listen; raise OSError if the address is not to be had."""
        try:
            self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {address}: something listens there, or there is no such place") from error
        await self._server.start()
        await self._health.set("", SERVING)
        await self._health.set(READINESS, NOT_SERVING)

    async def ready(self, *, serving: bool) -> None:
        """Say whether this server can serve, which is whether its store can be reached."""
        await self._health.set(READINESS, SERVING if serving else NOT_SERVING)

    async def stop(self, grace: float) -> None:
        """End all streams with a frame that says why, finish all calls, stop."""
        await self._health.enter_graceful_shutdown()
        self.guests.drain()
        await self._server.stop(grace)
        await self.guests.attendance.close()
        await self.guests.tables.shelf.drain()

    async def close(self) -> None:
        """Stop at once; one that has stopped in order stays stopped."""
        await self._server.stop(None)


def _services(guests: Guests) -> Mapping[str, dict[str, Handler]]:
    games = (GameMessages(game) for game in GAMES.values())
    return {SERVICE.full_name: TableService(guests).handlers()} | {
        messages.service.full_name: GameService(messages, guests).handlers() for messages in games
    }


def _options(guests: Guests) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),  # or a second server would start silently on the same port
        ("grpc.max_receive_message_length", max(READ_BYTES_MAX, guests.limits.message_bytes)),
        ("grpc.max_metadata_size", 16_384),
        ("grpc.http2.min_ping_interval_without_data_ms", PING_SECONDS_LEAST * 1000),
    ]
