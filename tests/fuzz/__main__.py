"""The command line: `python -m tests.fuzz --requests 100000`."""

import argparse
import secrets
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.report import MIB
from tests.fuzz.run import fuzz

parser = argparse.ArgumentParser("python -m tests.fuzz", description="Send everything, and judge every answer.")
parser.add_argument("--requests", type=int, default=100_000, help="how many")
parser.add_argument("--seconds", type=float, default=1_200, help="at most how long")
parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="says what is sent")
parser.add_argument("--memory", type=int, default=8, help="MiB that a part may grow by after the warm-up")
asked = parser.parse_args()
with TemporaryDirectory(prefix="fuzz") as directory:
    report = fuzz(
        Path(directory),
        seed=asked.seed,
        requests=asked.requests,
        seconds=asked.seconds,
        memory_most=asked.memory * MIB,
    )
print(report.text())
sys.exit(bool(report.faults))
