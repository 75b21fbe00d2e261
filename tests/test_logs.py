"""Log lines carry what is on the list, and nothing else."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

import service
from service.config import read
from service.logs import KEYS, start_logs

CONTEXT = "structlog.contextvars.bind"


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def line(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    said: dict[str, object] = json.loads(capsys.readouterr().err)
    return said


def test_a_line_is_json_with_what_the_context_has_bound(capsys: pytest.CaptureFixture[str]) -> None:
    start_logs(read({"STAMMTISCH_LOG_FORMAT": "json"}))
    with structlog.contextvars.bound_contextvars(request="r1"):
        structlog.get_logger().warning("refused", table="7f.abc", code="ABORTED")
    said = line(capsys)
    assert said.pop("timestamp")
    assert said == {"event": "refused", "level": "warning", "request": "r1", "table": "7f.abc", "code": "ABORTED"}


def test_what_is_not_on_the_list_is_left_out_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    start_logs(read({"STAMMTISCH_LOG_FORMAT": "json"}))
    structlog.get_logger().info("created", token="eyJhbGciOi", name="Ada", table="7f.abc")
    said = line(capsys)
    assert said["left_out"] == ["name", "token"]
    assert "Ada" not in str(said)
    assert "eyJ" not in str(said)


def test_an_exception_comes_with_its_trace(capsys: pytest.CaptureFixture[str]) -> None:
    start_logs(read({"STAMMTISCH_LOG_FORMAT": "json"}))
    structlog.get_logger().error("bug", exc_info=ValueError("broken"))
    assert "ValueError: broken" in str(line(capsys)["exception"])


def test_a_trace_on_a_terminal_shows_no_variables(capsys: pytest.CaptureFixture[str]) -> None:
    start_logs(read({"STAMMTISCH_LOG_FORMAT": "console"}))
    try:
        _break_with(" ".join(("held", "in", "hand")))
    except ValueError as error:
        structlog.get_logger().error("bug", exc_info=error)
    said = capsys.readouterr().err
    assert "ValueError: broken" in said
    assert "held in hand" not in said


def _break_with(_secret: str) -> None:
    raise ValueError("broken")


def test_every_line_of_the_service_carries_only_what_is_on_the_list() -> None:
    said = {key for source in Path(service.__file__).parent.rglob("*.py") for key in _keys_said(source)}
    assert {"request", "table"} <= said
    assert said <= KEYS


def _keys_said(source: Path) -> Iterator[str]:
    for call in ast.walk(ast.parse(source.read_text())):
        if isinstance(call, ast.Call) and ast.unparse(call.func).lower().startswith(("logger.", "log.", CONTEXT)):
            yield from (keyword.arg for keyword in call.keywords if keyword.arg)


def test_what_is_less_important_than_the_level_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    start_logs(read({"STAMMTISCH_LOG_LEVEL": "error", "STAMMTISCH_LOG_FORMAT": "console"}))
    structlog.get_logger().warning("unavailable")
    assert capsys.readouterr().err == ""
    structlog.get_logger().error("bug", reference="b1")
    assert "reference" in capsys.readouterr().err
