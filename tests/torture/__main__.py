"""The long torture: `python -m tests.torture`. It exits with 1 if anything is lost, doubled, left out or wrong."""

import argparse
import asyncio
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.torture.report import lines
from tests.torture.run import Plan, Report, torture
from tests.torture.strikes import Siege, Strike, every

SERVICES = (Strike.KILL_SERVICE, Strike.KILL_SERVICE, Strike.FREEZE_SERVICE)
STORE = (Strike.KILL_STORE, Strike.KILL_STORE, Strike.FREEZE_STORE)
STRUCK = {"services": (SERVICES,), "store": (STORE,), "both": (SERVICES, STORE)}
FROZEN_SECONDS = 4.0  # on average


def main() -> int:
    """Torture as the command line says."""
    given = _parser().parse_args()
    print(f"seed {given.seed}", flush=True)
    directory = Path(tempfile.mkdtemp(prefix="torture-"))
    print(f"data and logs in {directory}; they are kept if anything is found", flush=True)
    reports = asyncio.run(_all(given, directory))
    if len(reports) > 1:
        print("\n".join(lines(reports)))
    if any(report.findings for report in reports):
        return 1
    shutil.rmtree(directory)
    return 0


async def _all(given: argparse.Namespace, directory: Path) -> list[Report]:
    reports = []
    for struck in given.struck:
        place = directory / struck
        place.mkdir()
        reports.append(await torture(_plan(given, struck), place))
        print("\n".join(lines(reports[-1:])), flush=True)
    return reports


def _plan(given: argparse.Namespace, struck: str) -> Plan:
    random = Random(given.seed)
    pace, thaw = every(random, given.every), every(random, FROZEN_SECONDS)
    return Plan(
        seed=f"{given.seed} {struck}",
        games=given.games,
        at_a_time=given.at_a_time,
        seconds=given.seconds,
        services=given.services,
        sieges=tuple(Siege(ways, lambda _tally: (pace, thaw)) for ways in STRUCK[struck]),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.torture", description=__doc__)
    parser.add_argument("--struck", nargs="+", choices=tuple(STRUCK), default=tuple(STRUCK), help="what is struck")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--at-a-time", type=int, default=16, help="games played at a time")
    parser.add_argument("--services", type=int, default=2, help="service processes")
    parser.add_argument("--every", type=float, default=3.0, help="seconds between strikes, on average")
    parser.add_argument("--seconds", type=float, default=1200.0, help="the longest that the games of one kind may take")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    return parser


if __name__ == "__main__":
    sys.exit(main())
