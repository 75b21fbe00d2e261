"""A service that recovers but prints tracebacks has not been silent enough."""

from pathlib import Path

from tests.torture.complaints import complaints
from tests.torture.judge import Finding, Kind

LOG = """\
{"event": "serving", "level": "info"}
STAMMTISCH_REDIS_URL: the store cannot be reached.
{"event": "unavailable", "level": "warning"}
{"event": "history changed", "level": "error"}
{"event": "bug", "level": "error", "exception": "Traceback (most recent call last):\\n  File \\"a\\"\\nKeyError: 1"}
Task exception was never retrieved
Traceback (most recent call last):
  File "service/table.py", line 205, in _once
    raise Stale(table.head.version)
service.table.Stale: 11
"""


def test_errors_and_tracebacks_are_complaints_and_outages_are_not(tmp_path: Path) -> None:
    (tmp_path / "service-1.log").write_text(LOG)
    assert complaints(tmp_path) == [
        Finding(Kind.COMPLAINT, "service-1.log", "history changed"),
        Finding(Kind.COMPLAINT, "service-1.log", "bug: KeyError: 1"),
        Finding(Kind.COMPLAINT, "service-1.log", "service.table.Stale: 11"),
    ]
