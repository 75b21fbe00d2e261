"""House: the real program, run as people run it, with an eye on its memory, its files and its log."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from service.seal import MasterKeys
from service.setting import KEYS
from tests.stores import free_port

OPEN = "Ctrl-C closes it."
SETTINGS = {  # so that limits in time and number are met, and waits are short
    "requests_per_second": 1_000_000,
    "requests_burst": 1_000_000,
    "commands_per_second": 100_000,
    "commands_burst": 100_000,
    "streams_per_token": 4,
    "cached_tables": 64,
    "wait_seconds": 0.1,
    "heartbeat_seconds": 0.1,
    "stream_seconds": 1,
    "log_level": "warning",
    "log_format": "json",
}
ENVOY_ERROR = re.compile(r"\]\[(error|critical)\]")


@dataclass(slots=True)
class House:
    """A running program with its parts."""

    host: str
    door: int
    service: int  # where the gRPC service listens itself
    data: Path
    pids: dict[str, int] = field(default_factory=dict)

    @property
    def log(self) -> Path:
        """Where the service's lines go."""
        return self.data.parent / "service.log"

    def keys(self) -> MasterKeys:
        """Return the operator's keys, which the program has made for itself."""
        keys = KEYS.parse((self.data / "master.key").read_text().strip())
        return MasterKeys(next(iter(keys)), keys)

    def memory(self, part: str) -> int:
        """Return the bytes that a part has in memory."""
        pages = Path(f"/proc/{self.pids[part]}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def files(self, part: str) -> int:
        """Return how many files and sockets a part has open."""
        return len(list(Path(f"/proc/{self.pids[part]}/fd").iterdir()))

    def errors(self) -> Iterator[str]:
        """Return what has been logged as an error, or not as a line of JSON at all."""
        for line in self.log.read_text(errors="replace").splitlines():
            if not _harmless(line):
                yield f"service: {line[:1000]}"
        for line in (self.data / "envoy.log").read_text(errors="replace").splitlines():
            if ENVOY_ERROR.search(line):
                yield f"Envoy: {line[:1000]}"


def _harmless(line: str) -> bool:
    try:
        return bool(json.loads(line)["level"] in ("debug", "info", "warning"))
    except (ValueError, KeyError, TypeError):
        return bool(re.match(r"[IW]\d{4} ", line))  # the C++ below gRPC writes lines of its own


@contextmanager
def opened(directory: Path, **settings: object) -> Iterator[House]:
    """Run store, service and front door in an empty directory."""
    house = House("127.0.0.1", free_port(), free_port(), directory / "data")
    own = {"listen": f"{house.host}:{house.door}", "grpc_listen": f"{house.host}:{house.service}", "data": house.data}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STAMMTISCH_")}
    environment |= {f"STAMMTISCH_{name.upper()}": str(value) for name, value in (SETTINGS | own | settings).items()}
    with house.log.open("wb") as log, subprocess.Popen(
        (sys.executable, "-m", "service"), stdout=subprocess.PIPE, stderr=log, text=True, env=environment
    ) as program:  # fmt: skip
        try:
            assert program.stdout
            if not any(OPEN in line for line in program.stdout):
                raise AssertionError(f"the program did not open: {house.log.read_text()}")
            house.pids = {"service": program.pid, "Envoy": _child(program.pid, "envoy")}
            yield house
        finally:
            program.terminate()


def _child(pid: int, name: str) -> int:
    """Return the child of a process that runs a program."""
    children = [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]
    return next(child for child in children if name in Path(f"/proc/{child}/cmdline").read_text().split("\0")[0])
