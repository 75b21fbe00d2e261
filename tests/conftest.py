"""What tests of several parts share: the stores, and the logs in them."""

import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from service.log import Log, MemoryLog
from tests.open_logs import opened
from tests.stores import REDIS, SAFE, VALKEY, Store, port_answers, store, until


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One Valkey for the whole run: it holds every test's tables, whose ids differ."""
    with store(tmp_path_factory.mktemp("valkey")) as running:
        yield running


@pytest.fixture
def own_store(tmp_path: Path) -> Iterator[Store]:
    """A Valkey of the test's own, to be killed and started as it likes."""
    with store(tmp_path / "store") as running:
        yield running


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Redis 7: the one on PATH, or one in a container where an engine and the image are at hand."""
    if REDIS is not None:
        with store(tmp_path_factory.mktemp("redis"), binary=REDIS) as running:
            yield running.url
    else:
        yield from _contained()


@pytest.fixture(scope="module", params=["memory", "valkey", "redis"])
def store_apart(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store | None]:
    """A store for one file of tests alone, which have a clock of their own; None for the log in memory."""
    binary = {"memory": None, "valkey": VALKEY, "redis": REDIS}[request.param]
    if request.param == "memory":
        yield None
    elif binary is None:
        pytest.skip("there is no redis-server on PATH")
    else:
        with store(tmp_path_factory.mktemp("apart"), binary=binary) as running:
            yield running


@pytest.fixture(params=["memory", "valkey", "redis"])
async def logs(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Log, Log]]:
    """Two logs on one store, as two processes have them."""
    if request.param == "memory":
        memory = MemoryLog()
        yield memory, memory
        return
    url = request.getfixturevalue("redis_url") if request.param == "redis" else request.getfixturevalue("valkey").url
    async with opened(url, janitor_url=url) as one, opened(url, janitor_url=url) as two:
        yield one, two


@pytest.fixture
def log(logs: tuple[Log, Log]) -> Log:
    return logs[0]


def _contained() -> Iterator[str]:
    docker = shutil.which("docker")
    inspected = docker and subprocess.run([docker, "image", "inspect", "redis:7"], check=False, capture_output=True)
    if not inspected or inspected.returncode:
        pytest.skip("there is no redis-server on PATH, and no container engine with an image redis:7")

    from testcontainers.core.container import DockerContainer  # noqa: PLC0415  its import takes a second

    command = ["redis-server", *SAFE, "--protected-mode", "no"]  # a container is called from outside
    container: Any = DockerContainer("redis:7").with_exposed_ports(6379).with_command(command)
    with container:
        host, port = container.get_container_host_ip(), int(container.get_exposed_port(6379))
        until(lambda: port_answers(host, port), "Redis answers")
        yield f"redis://{host}:{port}"
