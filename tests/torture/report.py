"""The table that a torture ends with."""

from collections.abc import Sequence
from statistics import median

from service.duty import Task
from tests.torture.judge import Kind
from tests.torture.run import Report
from tests.torture.strikes import Strike

FINDINGS_SHOWN = 20
LATE = (  # median, 99 % and worst, in milliseconds
    ("bots late, ms", Task.PLAY, False),
    ("… after strikes", Task.PLAY, True),
    ("clocks late, ms", Task.RUN_OUT, False),
    ("… after strikes", Task.RUN_OUT, True),
)


def lines(reports: Sequence[Report]) -> list[str]:
    """Return a table with a column for each report, and what was found."""
    rows = [
        ("", [report.plan.seed for report in reports]),
        ("games", [str(len(report.stories)) for report in reports]),
        *((way.value, [str(report.counts[way.value]) for report in reports]) for way in Strike),
        ("acknowledged", [str(report.counts["acknowledged"]) for report in reports]),
        ("left", [str(report.counts["left"]) for report in reports]),
        ("came back", [str(report.counts["came back"]) for report in reports]),
        ("done unseen", [str(report.counts["done unseen"]) for report in reports]),
        ("unanswered calls", [str(report.counts["unanswered"]) for report in reports]),
        ("watchers", [str(sum(len(story.watched) for story in report.stories)) for report in reports]),
        ("watchers resumed", [str(_resumed(report)) for report in reports]),
        *((kind.value, [str(report.found(kind)) for report in reports]) for kind in Kind),
        *((name, [_lateness(report, task, struck=struck) for report in reports]) for name, task, struck in LATE),
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


def _lateness(report: Report, task: Task, *, struck: bool) -> str:
    """Return how late things were that were due at such times, and how many."""
    late = sorted(due.late_ms for due in report.dues if due.task is task and due.is_near(report.struck) == struck)
    return f"{median(late):.0f}, {late[len(late) * 99 // 100]}, {late[-1]} of {len(late)}" if late else "-"


def _resumed(report: Report) -> int:
    return sum(watched.resumed for story in report.stories for watched in story.watched)


def _spread(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.2f}, at most {max(seconds):.2f}" if seconds else "-"
