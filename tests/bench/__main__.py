"""Measure everything, or what is named: playouts, contracts, races, rebuilds, calls, sweeps, watchers, room."""

import argparse
import platform

import uvloop

from tests.bench.calls import calls
from tests.bench.contracts import contracts
from tests.bench.figures import Figure
from tests.bench.house import opened
from tests.bench.playouts import playouts
from tests.bench.races import races
from tests.bench.rebuilds import rebuilds
from tests.bench.room_taken import room_taken
from tests.bench.sweeps import sweeps
from tests.bench.watchers import watchers

IN_A_HOUSE = {"rebuilds": rebuilds, "calls": calls, "sweeps": sweeps, "watchers": watchers}
ALONE = {"playouts": playouts, "contracts": contracts, "room": room_taken, "races": races}


async def main(wanted: list[str]) -> None:
    """Print figures as they come."""
    print(
        f"Python {platform.python_version()} on {platform.machine()}: median, unit, least … most, ratio to a baseline"
    )
    for name, measure in ALONE.items():
        if name in wanted:
            _print(await measure())
    for name, measure_in in IN_A_HOUSE.items():
        if name in wanted:
            async with opened() as house:
                _print(await measure_in(house))


def _print(figures: list[Figure]) -> None:
    print("", *(figure.line() for figure in figures), sep="\n", flush=True)


if __name__ == "__main__":
    known = [*ALONE, *IN_A_HOUSE]
    parser = argparse.ArgumentParser("python -m tests.bench", description=__doc__)
    parser.add_argument("what", nargs="*", metavar="what", help="everything, if nothing is named")
    uvloop.run(main(parser.parse_args().what or known))
