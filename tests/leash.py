"""Run a program that is killed when its parent ends, however that ends.

Run as a script: `leash.py <parent's pid> <program> …`.

The house's own tether asks a program to end, which a frozen one never hears.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    parent, program = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == parent:
        os.execv(program[0], program)
