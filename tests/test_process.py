"""Whatever becomes of a torture, nothing that it started may outlive it."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.program import children

TORTURER = """
import asyncio, pathlib, signal, sys
from tests.process import Process

async def main():
    log = pathlib.Path(sys.argv[1])
    async def answers():
        return log.exists() and log.read_text() == "up\\n"
    process = Process(("/bin/sh", "-c", "echo up; exec sleep 1000"), {}, log, answers)
    await process.ready()
    process.signal(signal.SIGSTOP)
    print("frozen", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
ENDS_SECONDS = 20


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the leash")
def test_a_frozen_process_is_killed_with_its_torturer(tmp_path: Path) -> None:
    program = (sys.executable, "-c", TORTURER, str(tmp_path / "log"))
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as torturer:
        assert torturer.stdout
        assert torturer.stdout.readline() == "frozen\n"
        (frozen,) = children(torturer.pid)
        handle = os.pidfd_open(frozen)
        torturer.kill()
    try:
        assert select.select([handle], [], [], ENDS_SECONDS)[0] == [handle]
    finally:
        os.close(handle)
