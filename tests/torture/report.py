"""The table that a torture ends with."""

from collections.abc import Sequence
from statistics import median

from tests.torture.judge import Kind
from tests.torture.run import Report
from tests.torture.strikes import Strike

FINDINGS_SHOWN = 20


def lines(reports: Sequence[Report]) -> list[str]:
    """Return a table with a column for each report, and what was found."""
    rows = [
        ("", [report.plan.seed for report in reports]),
        ("games", [str(len(report.stories)) for report in reports]),
        *((way.value, [str(report.counts[way.value]) for report in reports]) for way in Strike),
        ("acknowledged", [str(report.counts["acknowledged"]) for report in reports]),
        ("done unseen", [str(report.counts["done unseen"]) for report in reports]),
        ("unanswered calls", [str(report.counts["unanswered"]) for report in reports]),
        ("watchers", [str(sum(len(story.watched) for story in report.stories)) for report in reports]),
        ("watchers resumed", [str(_resumed(report)) for report in reports]),
        *((kind.value, [str(report.found(kind)) for report in reports]) for kind in Kind),
        ("seconds", [f"{report.seconds:.1f}" for report in reports]),
        ("back after, s", [_spread(report.back) for report in reports]),
        ("next answer, s", [_spread(report.next_answer) for report in reports]),
    ]
    wide = [max(len(cells[column]) for _, cells in rows) for column, _ in enumerate(reports)]
    table = [
        "  ".join([f"{name:18}", *(f"{cell:>{width}}" for cell, width in zip(cells, wide, strict=True))])
        for name, cells in rows
    ]
    findings = [finding for report in reports for finding in report.findings]
    shown = [f"{finding.kind.value}: {finding.where}: {finding.sentence}" for finding in findings[:FINDINGS_SHOWN]]
    return [*table, *shown]


def _resumed(report: Report) -> int:
    return sum(watched.resumed for story in report.stories for watched in story.watched)


def _spread(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.2f}, at most {max(seconds):.2f}" if seconds else "-"
