"""Source: where a log is read from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
from stammtisch.table.v1 import service_pb2, service_pb2_grpc

from service.audit.exported import FILE_BYTES_MAX, Exported
from service.audit.trouble import Differs, Unusable
from service.history import READS_MAX, LogDamaged, missing
from service.log import GENESIS, Head, Log, LogUnavailable
from service.redis_log import RedisLog, Settings

CALL_SECONDS = 30.0
REDIS_SCHEMES = ("redis://", "rediss://", "unix://")

Metadata = tuple[tuple[str, str], ...]


def file(path: Path) -> bytes:
    """Return the bytes of a file, or more of them than an exported log may have."""
    try:
        with path.open("rb") as opened:
            return opened.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from None


async def server(address: str, table_id: str, token: str | None) -> Exported:
    """Read a log from a running service."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    try:
        async with _channel(address) as channel:
            return await _pages(channel, table_id, metadata)
    except grpc.aio.AioRpcError as error:
        raise Unusable(f"{address} answers {error.code().name}: {error.details()}") from None


async def store(url: str, table_id: str) -> Exported:
    """Read a log from its store."""
    try:
        async with _redis_log(url) as log:
            page = await missing(log, table_id, 0)
    except (LogUnavailable, LogDamaged) as error:
        raise Unusable(f"the store: {error}") from None
    if page.head == GENESIS:
        raise Unusable(f"the store has no table {table_id!a}")
    return _whole(Exported(table_id, page.entries), page.head)


@asynccontextmanager
async def _redis_log(url: str) -> AsyncIterator[Log]:
    if not url.startswith(REDIS_SCHEMES):
        raise Unusable(f"give a store that begins with one of {', '.join(REDIS_SCHEMES)}")
    log = RedisLog(Settings(url=url))
    await log.open()
    try:
        yield log
    finally:
        await log.close()


async def _pages(channel: grpc.aio.Channel, table_id: str, metadata: Metadata) -> Exported:
    stub, entries = service_pb2_grpc.TableServiceStub(channel), list[bytes]()
    for _ in range(READS_MAX):
        request = service_pb2.GetLogRequest(table_id=table_id, after=len(entries))
        page = await stub.GetLog(request, metadata=metadata, timeout=CALL_SECONDS)
        entries += (each.entry for each in page.entries)
        if len(entries) >= page.version or not page.entries:
            return _whole(Exported(table_id, tuple(entries)), Head(page.version, page.head_hash))
    raise Unusable(f"the log of {table_id} is longer than a log may be")


def _whole(log: Exported, head: Head) -> Exported:
    """Return a log that makes up the head which came with it."""
    if [GENESIS, *log.heads()][-1] != head:
        raise Differs("the log", f"its entries do not make up the head that came with it, version {head.version}")
    return log


def _channel(address: str) -> grpc.aio.Channel:
    scheme, _, target = address.rpartition("://")
    if scheme not in ("", "http", "https") or not target.rstrip("/"):
        raise Unusable(f"--server {address}: give host:port, or http:// or https:// with it")
    options = [("grpc.max_receive_message_length", FILE_BYTES_MAX)]
    if scheme == "https":
        return grpc.aio.secure_channel(target.rstrip("/"), grpc.ssl_channel_credentials(), options)
    return grpc.aio.insecure_channel(target.rstrip("/"), options)
