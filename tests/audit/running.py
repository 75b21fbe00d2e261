"""The command line, run beside a test's own event loop."""

import asyncio
from pathlib import Path

from service.audit.command_line import main


async def audit(*arguments: str | Path) -> int:
    """Run it in a thread: it has an event loop of its own."""
    return await asyncio.to_thread(main, [str(argument) for argument in arguments])
