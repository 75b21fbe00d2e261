"""Commands over gRPC and REST, beside a bare echo server and a loop of raw appends."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median

import grpc

from service.log import GENESIS, Append, Committed, Head
from service.redis_log import RedisLog, Settings
from tests.bench import echo
from tests.bench.figures import Figure, side_by_side
from tests.bench.house import CHANNEL, House
from tests.bench.rest import RestConnection
from tests.bench.scripts import Line, scripted
from tests.bench.sending import Send, echo_sender, grpc_sender, send_all
from tests.process import Process

TABLES = 24  # at a time
ROUNDS = 9  # many short ones, so that what else the machine does meanwhile meets all measurements alike
LATENCY_CALLS = 150
ENTRY = bytes(300)


async def calls(house: House) -> list[Figure]:
    """Return requests a second at saturation, and the latency of one at a time."""
    async with AsyncExitStack() as stack:
        bare, echo_process = await stack.enter_async_context(_echo_server())
        log = RedisLog(Settings(url=house.store_url))
        await log.open()
        stack.push_async_callback(log.close)
        rest = [RestConnection(house.port) for _ in range(TABLES)]
        for connection in rest:
            await stack.enter_async_context(connection)
        through_door = await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{house.port}", CHANNEL))

        async def saturated(senders: Sequence[Send]) -> float:
            scripts = await asyncio.gather(*(scripted(house.service) for _ in senders))
            began = time.perf_counter()
            await asyncio.gather(*(send_all(send, script) for send, script in zip(senders, scripts, strict=True)))
            return sum(len(script.lines) for script in scripts) / (time.perf_counter() - began)

        async def taken(process: Process, send: Send) -> float:
            scripts = await asyncio.gather(*(scripted(house.service) for _ in range(TABLES)))
            before = process.cpu_seconds()
            await asyncio.gather(*(send_all(send, script) for script in scripts))
            return (process.cpu_seconds() - before) / sum(len(script.lines) for script in scripts) * 1e6

        async def alone(send: Send) -> float:
            script = await scripted(house.service)
            spent = []
            for line in script.lines[:LATENCY_CALLS]:
                began = time.perf_counter()
                await send(line)
                spent.append(time.perf_counter() - began)
            return median(spent) * 1000

        direct, door, echoing = grpc_sender(house.service), grpc_sender(through_door), echo_sender(bare)
        rates = await side_by_side(
            [
                (f"bare grpc.aio echo, {TABLES} at a time", "requests/s", lambda: saturated([echoing] * TABLES)),
                ("raw appends to the log, as many", "appends/s", lambda: _appends(log)),
                ("commands over gRPC, past the front door", "requests/s", lambda: saturated([direct] * TABLES)),
                ("commands over gRPC, through the front door", "requests/s", lambda: saturated([door] * TABLES)),
                ("commands over REST", "requests/s", lambda: saturated([each.send for each in rest])),
            ],
            ROUNDS,
        )
        cpu = await side_by_side(
            [
                ("CPU of the bare echo server", "µs/request", lambda: taken(echo_process, echoing)),
                ("CPU of the service, past the front door", "µs/request", lambda: taken(house.process, direct)),
            ],
            ROUNDS,
        )
        latencies = await side_by_side(
            [
                ("bare grpc.aio echo, one at a time", "ms", lambda: alone(echoing)),
                ("a command over gRPC, past the front door", "ms", lambda: alone(direct)),
                ("a command over gRPC, through the front door", "ms", lambda: alone(door)),
                ("a command over REST", "ms", lambda: alone(rest[0].send)),
            ],
            ROUNDS,
        )
        return rates + cpu + latencies


async def _appends(log: RedisLog) -> float:
    began = time.perf_counter()
    counts = await asyncio.gather(*(_append_some(log, 160) for _ in range(TABLES)))
    return sum(counts) / (time.perf_counter() - began)


async def _append_some(log: RedisLog, count: int) -> int:
    table_id, head = f"00.{os.urandom(9).hex()}", GENESIS
    for _ in range(count):
        after: Head = head.after(table_id, ENTRY)
        outcome = await log.append(Append(table_id, head, (ENTRY,), after))
        assert outcome == Committed()
        head = after
    return count


@asynccontextmanager
async def _echo_server() -> AsyncIterator[tuple[grpc.aio.Channel, Process]]:
    with tempfile.TemporaryDirectory(prefix="bench-") as directory:
        address = f"unix:{directory}/echo.sock"
        async with grpc.aio.insecure_channel(address, CHANNEL) as channel:
            sender = echo_sender(channel)

            async def answers() -> bool:
                try:
                    return await sender(Line("", "", b"?", "", b"")) == b"?"
                except grpc.aio.AioRpcError:
                    return False

            process = Process((sys.executable, "-m", echo.__name__, address), {}, Path(directory, "log"), answers)
            try:
                await process.ready()
                yield channel, process
            finally:
                await process.kill()
