"""What services wrote into their logs that no outage excuses."""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.torture.judge import Finding, Kind

TRACEBACK = "Traceback "


def complaints(directory: Path) -> list[Finding]:
    """Return a finding for each error that a service logged, and for each exception that nobody caught."""
    logs = sorted(directory.glob("service-*.log"))
    return [Finding(Kind.COMPLAINT, log.name, sentence) for log in logs for sentence in _of(log)]


def _of(log: Path) -> Iterator[str]:
    lines = iter(log.read_text().splitlines())
    for line in lines:
        if line.startswith(TRACEBACK):
            yield next((end for end in lines if end and not end.startswith(" ")), line)
        elif line.startswith("{") and (said := json.loads(line))["level"] in {"error", "critical"}:
            yield ": ".join([said["event"], *said.get("exception", "").splitlines()[-1:]])
