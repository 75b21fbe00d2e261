"""Serve: the gRPC service of one process, from its first connection to its last answer."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import structlog

from service.api.attendance import Attendance
from service.api.guests import Guests
from service.api.limits import ApiLimits
from service.api.server import Server
from service.api.tokens import Tokens
from service.config import Config, variable
from service.duty import Patience
from service.log import LogUnavailable
from service.redis_log import RedisLog, Settings, UnfitJanitor, UnfitStore
from service.seal import MasterKeys
from service.shelf import TableLimits
from service.table import Tables
from service.trouble import Trouble

READINESS_SECONDS = 1.0  # between two looks at whether the store can be reached
REPLICA_SECONDS = 1.0  # that strict mode waits for a replica to have an entry
GARBAGE_OBJECTS = 10_000  # made before the collector looks for garbage; nearly all is gone by then without it

logger = structlog.get_logger()


async def serve(config: Config, stop: asyncio.Event, ready: Callable[[], None]) -> None:
    """Serve until `stop`, then let every call finish. Raises Trouble where that cannot be."""
    async with _open_log(config) as log:
        guests = _guests(config, log)
        server = Server(guests, reflect=config.reflection)
        try:
            await server.start(str(config.grpc_listen))
        except OSError as error:
            raise Trouble(f"{error}. Set {variable('grpc_listen')} to another address.") from error
        try:
            with suppress(LogUnavailable):  # then no clock runs out before a sweep has been answered
                await guests.tables.time.sweep()  # learns for how long nobody served, before anybody's time runs out
            async with asyncio.TaskGroup() as background:
                telling = background.create_task(_tell_readiness(log, server))
                works = (guests.tables.shelf.tidy(), guests.tables.time.keep(), guests.attendance.keep())
                working = [background.create_task(work) for work in works]
                _collect_seldom()
                logger.info("serving", address=str(config.grpc_listen))
                ready()
                await stop.wait()
                telling.cancel()
                await _drain(config, server)
                for work in working:
                    work.cancel()
        finally:
            await server.close()


@asynccontextmanager
async def _open_log(config: Config) -> AsyncIterator[RedisLog]:
    replica_wait = REPLICA_SECONDS if config.strict else None
    janitor_url = (config.janitor_redis_url or config.redis_url) if config.ended_seconds else None
    log = RedisLog(
        Settings(url=config.redis_url, janitor_url=janitor_url, strict=config.strict, replica_wait=replica_wait)
    )
    try:
        await log.open()
    except UnfitJanitor as error:
        raise Trouble(f"{variable('janitor_redis_url')}: {error}.") from error
    except (UnfitStore, LogUnavailable) as error:
        raise Trouble(f"{variable('redis_url')}: {error}.") from error
    try:
        yield log
    finally:
        await log.close()


def _guests(config: Config, log: RedisLog) -> Guests:
    if not config.api_keys:
        logger.warning("anybody may create tables", setting=variable("api_keys"))
    master_keys, token_keys = config.master_keys, config.token_keys
    limits = TableLimits(
        cached_tables=config.cached_tables,
        cached_idle_seconds=config.cached_seconds,
        entries=config.table_entries,
        conflicts=config.append_attempts,
    )
    tables = Tables(log, MasterKeys(next(iter(master_keys)), master_keys), limits, _patience(config))
    return Guests(
        tables,
        Attendance(tables, log, config.presence_grace_seconds, config.presence_lease_seconds),
        Tokens(token_keys, next(iter(token_keys)), config.api_keys, config.auditor_keys),
        ApiLimits(
            message_bytes=config.message_bytes,
            seats=config.seats_per_table,
            thinking_seconds=config.thinking_seconds,
            commands_a_second=config.commands_per_second,
            command_burst=config.commands_burst,
            streams=config.streams_per_token,
            changes=config.watcher_queue,
            heartbeat_seconds=config.heartbeat_seconds,
            stream_seconds=config.stream_seconds,
            wait_seconds=config.wait_seconds,
        ),
        anybody_creates=not config.api_keys,
    )


def _patience(config: Config) -> Patience:
    return Patience(
        grace_ms=int(config.clock_grace_seconds * 1000),
        forming_ms=int(config.forming_seconds * 1000),
        ended_ms=int(config.ended_seconds * 1000),
    )


def _collect_seldom() -> None:
    """Keep the garbage collector from looking at every table again and again, which pauses all calls meanwhile."""
    gc.collect()
    gc.freeze()  # what has been loaded by now stays for good
    gc.set_threshold(GARBAGE_OBJECTS)


async def _tell_readiness(log: RedisLog, server: Server) -> None:
    reachable = None
    while True:
        was, reachable = reachable, await log.reachable()
        if was != reachable:
            await server.ready(serving=reachable)
            logger.info("store reachable" if reachable else "store away")
        await asyncio.sleep(READINESS_SECONDS)


async def _drain(config: Config, server: Server) -> None:
    logger.info("draining", seconds=config.drain_seconds + config.grace_seconds)
    await server.ready(serving=False)
    await asyncio.sleep(config.drain_seconds)
    await server.stop(config.grace_seconds)
