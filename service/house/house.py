"""Open the house, keep it open until a signal, and close it in order."""

import asyncio
import signal
import socket
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvloop

from service.config import Config, variable
from service.house.child import Child
from service.house.envoy import front_door
from service.house.keys import with_keys
from service.house.lock import locked
from service.house.store import embedded, url
from service.setting import SOCKET_PATH_BYTES, Address
from service.trouble import Trouble

Serve = Callable[[Config, asyncio.Event, Callable[[], None]], Coroutine[Any, Any, None]]
OPENING = "Stammtisch is opening."
OPEN = "Stammtisch is open."
CLOSING = "Stammtisch is closing. Ctrl-C again stops it at once."
CLOSED = "Stammtisch is closed."


def keep_house(config: Config, serve: Serve) -> None:
    """Run store, service and front door until SIGINT or SIGTERM. Raises Trouble where that cannot be."""
    if config.strict and not config.redis_url:
        raise Trouble(
            f"The embedded store has no replica, so {variable('strict')} needs one of your own. "
            f"Set {variable('redis_url')}, or turn {variable('strict')} off."
        )
    with locked(config.data) as lock, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        if config.envoy:
            _require_free(config.listen)
        _clear_run(config.run)
        runner.run(_keep(with_keys(config), serve, lock))


def keep_service(config: Config, serve: Serve) -> None:
    """Run the gRPC service alone until SIGINT or SIGTERM."""
    if not config.redis_url:
        raise Trouble(f"The service alone has no store of its own. Set {variable('redis_url')}.")
    if config.grpc_listen.path:
        Path(config.grpc_listen.path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_keep_service(with_keys(config), serve))


async def _keep_service(config: Config, serve: Serve) -> None:
    ready, stop = asyncio.Event(), asyncio.Event()
    _on_signals(ready, stop, ())
    await serve(config, stop, ready.set)


async def _keep(config: Config, serve: Serve, lock: int) -> None:
    ready, opened, stop, drain = (asyncio.Event() for _ in range(4))
    children: list[Child] = []
    _on_signals(opened, stop, children)
    print(OPENING, flush=True)
    async with AsyncExitStack() as house:
        if not config.redis_url:
            children.append(await house.enter_async_context(embedded(config, lock)))
            config = replace(config, redis_url=url(config))
        service = asyncio.create_task(serve(config, drain, ready.set))
        house.callback(service.cancel)
        await _first(_lives(service), ready.wait())
        if config.envoy:
            children.append(await house.enter_async_context(front_door(config, lock)))
        opened.set()
        print(_directions(config), flush=True)
        await _first(_lives(service), stop.wait(), *(child.lives() for child in children))
        print(CLOSING, flush=True)
        drain.set()
        await service
    print(CLOSED, flush=True)


async def _first(*waits: Coroutine[Any, Any, Any]) -> None:
    """Wait until the first has ended, and raise what it raised."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()
    for task in done:
        task.result()


async def _lives(service: "asyncio.Task[None]") -> None:
    await asyncio.wait((service,))
    service.result()
    raise Trouble("The service has ended by itself. Its log says why.")


def _on_signals(opened: asyncio.Event, stop: asyncio.Event, children: Sequence[Child]) -> None:
    """Stop in order on the first signal, at once on the second; give up where nobody has been let in yet."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def heard() -> None:
        if stop.is_set():
            for child in children:
                child.kill()
        if task and (stop.is_set() or not opened.is_set()):
            task.cancel()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, heard)


def _require_free(listen: Address) -> None:
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((listen.host, listen.port))
        except OSError as why:
            raise Trouble(
                f"The front door cannot listen on {listen}: {why.strerror}. "
                f"Stop what listens there, or set {variable('listen')} to another address."
            ) from None


def _clear_run(run: Path) -> None:
    """Make the directory of the sockets. The lock says that nobody uses those that lie there."""
    longest = run / "service.sock"
    if len(bytes(longest)) > SOCKET_PATH_BYTES:
        raise Trouble(
            f"The path {longest} is longer than the {SOCKET_PATH_BYTES} bytes that a socket's path may have. "
            f"Set {variable('run')} to a shorter directory, such as /tmp/stammtisch."
        )
    try:
        run.mkdir(mode=0o700, parents=True, exist_ok=True)
        for stale in run.glob("*.sock"):
            stale.unlink()
    except OSError as why:
        raise Trouble(
            f"The directory {run} cannot be used for sockets: {why.strerror}. "
            f"Set {variable('run')} to a directory that this user may write."
        ) from None


def _directions(config: Config) -> str:
    door = f"http://{config.listen}"
    lines = (
        [("page", f"{door}/"), ("API", f"{door}/openapi.json"), ("health", f"{door}/readyz")] if config.envoy else []
    )
    lines += [("gRPC", f"{config.listen if config.envoy else config.grpc_listen}"), ("data", f"{config.data}")]
    return "\n".join((OPEN, *(f"  {name:8}{place}" for name, place in lines), "Ctrl-C closes it."))
