"""A bare grpc.aio server that answers with what it was sent: what the service is measured beside."""

import asyncio
import sys
from typing import Any

import grpc
import uvloop

METHOD = "/echo.Echo/Echo"


async def _echo(request: bytes, _context: object) -> bytes:
    return request


async def main(address: str) -> None:
    """Serve until killed."""
    server = grpc.aio.server()
    handlers: dict[str, Any] = {"Echo": grpc.unary_unary_rpc_method_handler(_echo)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("echo.Echo", handlers),))
    server.add_insecure_port(address)
    await server.start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
