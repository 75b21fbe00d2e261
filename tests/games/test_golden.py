from pathlib import Path

import pytest

from service.games import GAMES
from tests.games import golden


@pytest.mark.parametrize("path", golden.files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_log_is_told_again_word_for_word(path: Path) -> None:
    log = golden.read(path)
    assert log.commands, "the log has only a head: run python -m tests.games.golden"
    assert golden.write(log) == path.read_text()


def test_every_game_has_golden_logs() -> None:
    assert {path.parent.name for path in golden.files()} == set(GAMES)
