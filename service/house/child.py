"""Child: a process that belongs to the house, with a log of its own."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO

from service.house import tether
from service.trouble import Trouble

LAST_LINES = 10
LAST_BYTES = 4096
PAUSE = 0.02  # between two questions whether the child is ready
STOP_SECONDS = 20.0  # then it is killed


class Child:
    """A running process. It ends with the house, even if the house is killed."""

    def __init__(self, name: str, process: Process, log: Path) -> None:
        self.name = name
        self._process = process
        self._log = log

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    async def lives(self) -> None:
        """Wait for ever. Raises Trouble once the process has ended by itself."""
        code = await self._process.wait()
        raise Trouble(f"{self.name} has ended with {code}. The end of {self._log}:\n{self._last_lines()}")

    async def until(self, ready: Callable[[], Awaitable[bool]], seconds: float) -> None:
        """Wait until the child is ready. Raises Trouble if it ends or takes longer."""
        life = asyncio.ensure_future(self.lives())
        try:
            async with asyncio.timeout(seconds):
                while not await ready():
                    await asyncio.wait((life,), timeout=PAUSE)
                    if life.done():
                        life.result()
        except TimeoutError:
            raise Trouble(
                f"{self.name} was not ready after {seconds:g} seconds. The end of {self._log}:\n{self._last_lines()}"
            ) from None
        finally:
            life.cancel()

    async def stop(self) -> None:
        """Ask the process to end, and wait."""
        if self._process.returncode is None:
            self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), STOP_SECONDS)
        except TimeoutError:
            self.kill()
            await self._process.wait()

    def kill(self) -> None:
        """End the process at once."""
        if self._process.returncode is None:
            self._process.kill()

    def _last_lines(self) -> str:
        return "\n".join(self._log.read_bytes()[-LAST_BYTES:].decode(errors="replace").splitlines()[-LAST_LINES:])


def _place(log: Path, directory: Path) -> BinaryIO:
    """Make a child's directory, and open its log anew; the one before is kept, and no more."""
    directory.mkdir(mode=0o700, exist_ok=True)
    if log.exists():
        log.rename(log.with_suffix(".log.1"))
    return log.open("wb")


@asynccontextmanager
async def started(
    name: str, program: Sequence[str | Path], log: Path, *, lock: int, directory: Path
) -> AsyncIterator[Child]:
    """Start a program that holds the lock as long as it lives; stop it on leaving."""
    try:
        with _place(log, directory) as output:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-IS", tether.__file__, str(os.getpid()), *map(str, program),
                stdin=DEVNULL, stdout=output, stderr=output, cwd=directory, pass_fds=(lock,),
                start_new_session=True,  # Ctrl-C reaches the house alone, which stops its children in order
            )  # fmt: skip
    except OSError as why:
        raise Trouble(
            f"{name} cannot be started in {directory} with the log {log}: {why.strerror}. "
            "Give this user the right to write there."
        ) from None
    child = Child(name, process, log)
    try:
        yield child
    finally:
        await child.stop()
