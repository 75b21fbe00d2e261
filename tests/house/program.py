"""Program: the command line of the service, run as people run it, with the real service or that of `upstream`."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OPEN = "Ctrl-C closes it."
UPSTREAM, SERVICE = "tests.house.upstream", "service"


class Program:
    """A started program. The deadline of everything here is the test's own."""

    def __init__(self, *arguments: str, module: str = UPSTREAM, **settings: object) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("STAMMTISCH_")}
        environment |= {f"STAMMTISCH_{name.upper()}": str(value) for name, value in settings.items()}
        self.process = subprocess.Popen(
            (sys.executable, "-m", module, *arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            start_new_session=True,
        )
        assert self.process.stdout
        self._output = self.process.stdout
        self.said: list[str] = []

    def says(self, words: str) -> None:
        """Wait until it has printed a line with the words."""
        for line in self._output:
            self.said.append(line.rstrip("\n"))
            if words in line:
                return
        raise AssertionError(f"{words!r} was never said, but: {self.said}")

    def interrupt(self) -> None:
        """Press Ctrl-C: the signal goes to the whole foreground process group."""
        os.killpg(self.process.pid, signal.SIGINT)

    def ends(self) -> int:
        """Wait until it has ended; return its exit code."""
        if not self._output.closed:
            self.said += self._output.read().splitlines()
            self._output.close()
        return self.process.wait()


@contextmanager
def running(*arguments: str, module: str = UPSTREAM, **settings: object) -> Iterator[Program]:
    """Run the program, and end it if the test has not."""
    program = Program(*arguments, module=module, **settings)
    try:
        yield program
    finally:
        program.process.terminate()
        program.ends()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def children(pid: int) -> list[int]:
    """Return the children of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
