"""Calls: requests on one channel, tried until there is an answer that says something."""

import uuid
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from stammtisch.errors import from_grpc
from stammtisch.patience import OnRetry, Patience, Tries


class Calls:
    """The calls on one channel."""

    def __init__(self, channel: grpc.aio.Channel, patience: Patience, on_retry: OnRetry) -> None:
        self.channel = channel
        self.patience = patience
        self._on_retry = on_retry
        self._multicallables: dict[str, Any] = {}

    def tries(self) -> Tries:
        """Begin to count the tries of a call."""
        return Tries(self.patience, self._on_retry)

    async def unary(self, method: MethodDescriptor, request: Any, token: str | None, wait: float = 0) -> Any:
        """Return the answer; the same request is sent again as long as that may help."""
        tries = self.tries()
        while True:
            try:
                timeout = wait + self.patience.call_seconds
                return await self._multicallable(method)(request, metadata=_metadata(token), timeout=timeout)
            except grpc.aio.AioRpcError as failed:
                error = from_grpc(failed)
                error.command_id = getattr(request, "command_id", "")
                await tries.pause(error)

    def stream(self, method: MethodDescriptor, request: Message, token: str | None) -> Any:
        """Return one call that is answered with a stream."""
        return self._multicallable(method)(request, metadata=_metadata(token))

    def _multicallable(self, method: MethodDescriptor) -> Any:
        name = method.full_name
        if name not in self._multicallables:
            make = self.channel.unary_stream if method.server_streaming else self.channel.unary_unary
            service, _, method_name = name.rpartition(".")
            self._multicallables[name] = make(
                f"/{service}/{method_name}",
                request_serializer=GetMessageClass(method.input_type).SerializeToString,
                response_deserializer=GetMessageClass(method.output_type).FromString,
            )
        return self._multicallables[name]


def new_command_id() -> str:
    """Return an id for a new command."""
    return str(uuid.uuid4())


def _metadata(token: str | None) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()
