"""The data directory: made where it is missing, checked, and locked for one house at a time."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.trouble import Trouble

FORMAT = "stammtisch-data/1\n"
PATIENCE = 3.0  # the store of a killed house holds the lock until it has ended
PAUSE = 0.05


@contextmanager
def locked(data: Path) -> Iterator[int]:
    """Lock the data directory; yield the lock's file descriptor, for children that must not outlive the lock."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_format(data)
        lock = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as why:
        raise Trouble(
            f"The data directory {data} cannot be used: {why.strerror}. "
            "Set STAMMTISCH_DATA to a directory that this user may write."
        ) from None
    try:
        _acquire(lock, data)
        (data / "format").write_text(FORMAT)
        yield lock
    finally:
        os.close(lock)


def _check_format(data: Path) -> None:
    mark = data / "format"
    if mark.exists():
        if (found := mark.read_text(errors="replace")) != FORMAT:
            raise Trouble(
                f"The data directory {data} is of the format {found.strip()[:40]!r}, and this program reads "
                f"{FORMAT.strip()!r}. Use the program that wrote it, or set STAMMTISCH_DATA to another directory."
            )
    elif {path.name for path in data.iterdir()} - {"lock"}:
        raise Trouble(
            f"The directory {data} holds other things than Stammtisch's data. Set STAMMTISCH_DATA to an empty one."
        )


def _acquire(lock: int, data: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Trouble(
                    f"The data directory {data} is in use by another Stammtisch. "
                    "Stop that one, or set STAMMTISCH_DATA to another directory."
                ) from None
            time.sleep(PAUSE)
