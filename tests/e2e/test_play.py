"""Playing through the front door, as people do it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.program import OPEN, SERVICE, free_port, running


@pytest.fixture(scope="module")
def front_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data: Path = tmp_path_factory.mktemp("data")
    listen = f"127.0.0.1:{free_port()}"
    with running(module=SERVICE, data=data, listen=listen) as house:
        house.says(OPEN)
        yield listen


def play(server: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "service", "play", "double_tricks", "--server", server, *arguments)
    return subprocess.run(command, capture_output=True, check=False, text=True, timeout=60)


@pytest.mark.parametrize("transport", [(), ("--rest",)])
def test_whole_games_are_played_through_the_front_door(front_door: str, transport: tuple[str, ...]) -> None:
    played = play(front_door, "--tables=3", "--seats=3", "--option=hand_sizes=2,1", *transport)
    assert (played.returncode, played.stderr) == (0, "")
    assert "All games came to their end: 3 tables, 45 commands" in played.stdout


@pytest.mark.parametrize(("value", "sentence"), [("9", "options.sets: choose 1 to 2"), ("many", "many")])
def test_over_rest_too_what_cannot_be_played_is_said(front_door: str, value: str, sentence: str) -> None:
    played = play(front_door, "--rest", f"--option=sets={value}")
    assert (played.returncode, played.stdout) == (1, "")
    assert sentence in played.stderr
