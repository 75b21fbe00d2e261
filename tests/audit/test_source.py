from pathlib import Path

import pytest

from service.audit import exported
from service.audit.command_line import main
from service.history import missing
from service.log import GENESIS, Append
from service.redis_log import RedisLog, Settings
from tests.audit.games import Played, play
from tests.audit.running import audit
from tests.stores import Store, free_port


@pytest.fixture
async def played(valkey: Store) -> Played:
    """A game whose log was copied into a real store."""
    game = await play(seats=2)
    page = await missing(game.store, game.table_id, 0)
    log = RedisLog(Settings(url=valkey.url))
    await log.open()
    await log.append(Append(game.table_id, GENESIS, page.entries, page.head, ends=True))
    await log.close()
    return game


async def test_a_log_is_exported_straight_from_the_store(played: Played, valkey: Store, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    assert await audit("export", played.table_id, target, "--redis", valkey.url) == 0
    assert target.read_bytes() == exported.write(played.log)


async def test_a_record_is_shown_straight_from_the_store_of_the_environment(
    played: Played, valkey: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STAMMTISCH_REDIS_URL", valkey.url)
    assert await audit("show", played.table_id, "--redis", "-") == 0
    assert f"Table    {played.table_id}" in capsys.readouterr().out


async def test_a_table_that_the_store_has_not_is_said_not_to_be_there(
    valkey: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await audit("export", "00.aaaaaaaaaaaaaaaaaa", tmp_path / "x", "--redis", valkey.url) == 2
    assert "the store has no table" in capsys.readouterr().err


async def test_a_damaged_store_is_noticed(
    played: Played, valkey: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with valkey.client() as client:
        client.xdel(f"t:{{{played.table_id[:2]}}}:{played.table_id}:e", "5-0")
    assert await audit("export", played.table_id, tmp_path / "x", "--redis", valkey.url) != 0
    assert capsys.readouterr().err


def test_a_store_that_is_not_there_is_said_not_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, file = "00.aaaaaaaaaaaaaaaaaa", str(tmp_path / "x")
    assert main(["export", table, file, "--redis", f"redis://127.0.0.1:{free_port()}"]) == 2
    assert "the store cannot be reached" in capsys.readouterr().err
    assert main(["export", table, file, "--redis", "http://127.0.0.1"]) == 2
    assert "begins with one of redis://" in capsys.readouterr().err


def test_a_password_is_not_taken_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, file = "00.aaaaaaaaaaaaaaaaaa", str(tmp_path / "x")
    assert main(["export", table, file, "--redis", "redis://user:secret@127.0.0.1:1"]) == 2
    said = capsys.readouterr().err
    assert "can be read by everybody" in said
    assert "secret" not in said
