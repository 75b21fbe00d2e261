"""Process: a program that is started, killed, frozen and started again."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from tests import leash

READY_SECONDS = 60.0
LOOK_SECONDS = 0.02  # between two questions whether it is ready


class Process:
    """A program that a test starts, and ends as it likes."""

    def __init__(
        self,
        program: Sequence[str | Path],
        settings: Mapping[str, str],
        log: Path,
        answers: Callable[[], Awaitable[bool]],
    ) -> None:
        self._program = [str(word) for word in program]
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("STAMMTISCH_")}
        self._environment |= settings
        self._log = log
        self._answers = answers
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Start the program, if it does not run, without waiting until it is ready."""
        async with self._starting:
            if self._process is not None and self._process.returncode is None:
                return
            with self._log.open("ab") as output:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-IS", leash.__file__, str(os.getpid()), *self._program,
                    stdin=DEVNULL, stdout=output, stderr=output, env=self._environment,
                )  # fmt: skip

    async def ready(self) -> None:
        """Wait until it answers; one that has ended is started again, as a supervisor would."""
        async with asyncio.timeout(READY_SECONDS):
            await self.start()
            while not await self._answers():
                await asyncio.sleep(LOOK_SECONDS)
                await self.start()

    async def kill(self) -> None:
        """End it at once, in whatever it is doing."""
        if self._process is not None:
            self.signal(signal.SIGKILL)
            await self._process.wait()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)

    async def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        if self._process is not None:
            self.signal(signal.SIGTERM)
            await self._process.wait()

    def cpu_seconds(self) -> float:
        """Return the CPU time that its living threads have taken."""
        return cpu_seconds(self.pid)

    @property
    def pid(self) -> int:
        """Its process id while it runs."""
        assert self._process is not None, "it is not running"
        return self._process.pid


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that the living threads of a process have taken."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9
