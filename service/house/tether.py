"""Run a program that ends when its parent does. Started as a script: `tether.py <parent's pid> <program> …`."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Become the program. Only Linux has the tether; elsewhere the lock finds what a killed house left."""
    parent, program = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() == parent:
        os.execv(program[0], program)  # noqa: S606  the program's path comes from a package, not from outside


if __name__ == "__main__":
    main()
