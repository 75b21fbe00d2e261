"""A service for the front door to stand before. It knows the API by its descriptors only, tells in the header
`x-request` what it was asked, fills every field of its answers, and fails as a table's name says."""

from __future__ import annotations  # the types of grpc are generic, its classes are not

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from service.__main__ import main
from service.config import Config
from service.house.envoy import FILES

READINESS = "stammtisch.table.v1.TableService"
FRAMES = 3
VERSION = 7
HOLD = "hold"  # a table whose streams stay open until the service stops
LARGE = "large"  # a table whose answers are larger than a megabyte
STUCK = "stuck"  # a table whose streams stay open even then

DESCRIPTORS = descriptor_pb2.FileDescriptorSet.FromString((FILES / "api.binpb").read_bytes())
POOL = descriptor_pool.DescriptorPool()
for file in DESCRIPTORS.file:
    POOL.Add(file)
METHODS: dict[str, MethodDescriptor] = {
    f"/{file.package}.{service.name}/{method.name}": POOL.FindServiceByName(
        f"{file.package}.{service.name}"
    ).methods_by_name[method.name]
    for file in DESCRIPTORS.file
    for service in file.service
    for method in service.method
}


async def serve(config: Config, stop: asyncio.Event, ready: Callable[[], None]) -> None:
    """Serve until told to stop, as the real service does."""
    server = grpc.aio.server(
        options=[("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", config.message_bytes)]
    )
    checks = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    server.add_generic_rpc_handlers((Answers(stop),))
    server.add_insecure_port(str(config.grpc_listen))
    await server.start()
    await checks.set(READINESS, health_pb2.HealthCheckResponse.SERVING)
    ready()
    await stop.wait()
    await checks.set(READINESS, health_pb2.HealthCheckResponse.NOT_SERVING)
    await server.stop(config.grace_seconds)


def write(message: Message) -> bytes:
    return message.SerializeToString()


class Answers(grpc.GenericRpcHandler):
    """Every RPC of the descriptors."""

    def __init__(self, stop: asyncio.Event) -> None:
        self._stop = stop

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        if (method := METHODS.get(details.method)) is None:
            return None
        read = message_factory.GetMessageClass(method.input_type).FromString
        if method.server_streaming:
            return grpc.unary_stream_rpc_method_handler(self._stream(method), read, write)
        return grpc.unary_unary_rpc_method_handler(self._call(method), read, write)

    def _call(self, method: MethodDescriptor) -> Any:
        async def answer(request: Message, context: grpc.aio.ServicerContext[Message, Message]) -> Message:
            await fail_as_told(request, context)
            await tell(request, context)
            response = filled(message_factory.GetMessageClass(method.output_type)())
            return response if getattr(request, "table_id", "") != LARGE else repeated(response)

        return answer

    def _stream(self, method: MethodDescriptor) -> Any:
        async def answer(
            request: Message, context: grpc.aio.ServicerContext[Message, Message]
        ) -> AsyncIterator[Message]:
            await fail_as_told(request, context)
            await tell(request, context)
            metadata = dict(context.invocation_metadata() or ())
            first = int(metadata.get("last-event-id", 0)) + 1
            for number in range(first, first + FRAMES):
                yield self._frame(method, number)
            if getattr(request, "table_id", "") == STUCK:
                await asyncio.Event().wait()
            if getattr(request, "table_id", "") == HOLD:
                await self._stop.wait()
                yield self._frame(method, 0)

        return answer

    def _frame(self, method: MethodDescriptor, number: int) -> Message:
        frame = message_factory.GetMessageClass(method.output_type)()
        if method.output_type.full_name == "google.api.HttpBody":
            return type(frame)(content_type="text/event-stream", data=b'id: %d\ndata: {"a":1}\n\n' % number)
        return filled(frame)


async def tell(request: Message, context: grpc.aio.ServicerContext[Message, Message]) -> None:
    """Say in a header what was asked."""
    asked = json_format.MessageToJson(request, indent=None, preserving_proto_field_name=True)
    authorization = dict(context.invocation_metadata() or ()).get("authorization", "none")
    await context.send_initial_metadata((("x-request", asked), ("x-authorization", str(authorization))))


async def fail_as_told(request: Message, context: grpc.aio.ServicerContext[Message, Message]) -> None:
    """Fail with the code that the table is called by."""
    code = getattr(grpc.StatusCode, getattr(request, "table_id", ""), None)
    if code is None:
        return
    detail = any_pb2.Any()
    detail.Pack(error_details_pb2.ErrorInfo(reason="TABLE_ENDED", domain="stammtisch", metadata={"version": "7"}))
    await context.abort_with_status(
        rpc_status.to_status(status_pb2.Status(code=code.value[0], message="As you wish.", details=[detail]))
    )


def filled(message: Message, depth: int = 6) -> Message:
    """Set every field; of a oneof, the last one."""
    for field in message.DESCRIPTOR.fields:
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            if depth:
                inner = getattr(message, field.name)
                inner = inner.add() if field.is_repeated else inner
                inner.SetInParent()  # it may have nothing to fill
                filled(inner, depth - 1)
        elif field.is_repeated:
            getattr(message, field.name).append(sample(field))
        else:
            setattr(message, field.name, sample(field))
    return message


def repeated(message: Message, times: int = 15) -> Message:
    """Double every list, as many times."""
    for _ in range(times):
        message.MergeFromString(message.SerializeToString())
    return message


def sample(field: Any) -> Any:
    """Return a value of the field's type."""
    samples = {
        FieldDescriptor.CPPTYPE_STRING: "text",
        FieldDescriptor.CPPTYPE_BOOL: True,
        FieldDescriptor.CPPTYPE_ENUM: field.enum_type and field.enum_type.values[-1].number,
    }
    return b"\xff\xfe\xfd" if field.type == FieldDescriptor.TYPE_BYTES else samples.get(field.cpp_type, VERSION)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], serve))
