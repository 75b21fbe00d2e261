import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.api.attendance import Attendance
from service.api.guests import Guests
from service.api.limits import ApiLimits
from service.api.server import Server
from service.api.tokens import Tokens
from service.audit import exported
from service.audit.command_line import main
from service.audit.exported import Exported
from tests.audit.games import Played, play, small
from tests.audit.running import audit

AUDITOR = "an-auditors-long-key"
TOKENS = Tokens({"t1": bytes(32)}, "t1", auditors={"auditor": AUDITOR})


@pytest.fixture(scope="module")
def log() -> Exported:
    return asyncio.run(small()).log


@pytest.fixture
def file(log: Exported, tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(exported.write(log))
    return path


@pytest.fixture
async def played() -> Played:
    return await play(seats=3)


@pytest.fixture
async def server(played: Played, tmp_path: Path) -> AsyncIterator[str]:
    attendance = Attendance(played.tables, played.store)
    guests = Guests(played.tables, attendance, TOKENS, ApiLimits(), anybody_creates=True)
    serving = Server(guests, reflect=False)
    address = f"unix:{tmp_path}/s"
    await serving.start(address)
    yield address
    await serving.stop(0)


def test_a_file_that_holds_ends_with_0(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(file)]) == 0
    assert "7 entries chained" in capsys.readouterr().out


def test_a_difference_ends_with_1_and_names_the_entry(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(file.read_bytes().replace(b'"version":4}', b'"version":5}'))
    assert main(["verify", str(file)]) == 1
    assert main(["show", str(file)]) == 1
    assert "DIFFERS version 4: " in capsys.readouterr().err


@pytest.mark.parametrize("command", ["verify", "show"])
def test_what_cannot_be_used_ends_with_2_and_says_why(
    command: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(tmp_path / "missing")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert main([command, str(tmp_path)]) == 2
    assert "Is a directory" in capsys.readouterr().err
    file.write_bytes(b"")
    assert main([command, str(file)]) == 2
    assert "no manifest" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_said_to_be_so(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.chmod(0)
    assert main(["verify", str(file)]) == 2
    assert "Permission denied" in capsys.readouterr().err


def test_a_record_is_shown_from_a_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(file), "--seat", "1", "--at", "3"]) == 0
    assert "What seat 1 knew at version 3:" in capsys.readouterr().out
    assert main(["show", str(file), "--seat", "9"]) == 2


async def test_a_log_is_exported_from_a_running_service_page_by_page(
    played: Played, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("service.api.table_service.PAGE_MAX", 50)
    target = tmp_path / "out.jsonl"
    assert await audit("export", played.table_id, target, "--server", server) == 0
    assert exported.read(target.read_bytes()) == played.log
    assert f"Wrote {len(played.log.entries)} entries of a finished table" in capsys.readouterr().out
    assert await audit("verify", target) == 0


async def test_a_record_is_shown_from_a_running_service(
    played: Played, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await audit("show", played.table_id, "--server", server) == 0
    assert f"Table    {played.table_id}" in capsys.readouterr().out


async def test_nothing_is_overwritten(played: Played, server: str, file: Path) -> None:
    before = await asyncio.to_thread(file.read_bytes)
    assert await audit("export", played.table_id, file, "--server", server) == 2
    assert await asyncio.to_thread(file.read_bytes) == before


async def test_a_token_comes_from_a_file_or_from_the_environment(
    played: Played, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    token = tmp_path / "token"
    token.write_text(AUDITOR + "\n")
    assert await audit("show", played.table_id, "--server", server, "--token-file", token) == 0
    monkeypatch.setenv("STAMMTISCH_TOKEN", TOKENS.for_seat(played.table_id, 1))
    assert await audit("show", played.table_id, "--server", server) == 0
    monkeypatch.setenv("STAMMTISCH_TOKEN", "not.a.token")
    assert await audit("show", played.table_id, "--server", server) == 2
    assert "UNAUTHENTICATED" in capsys.readouterr().err
    monkeypatch.setenv("STAMMTISCH_TOKEN", "two words")
    assert await audit("show", played.table_id, "--server", server) == 2
    assert "no token" in capsys.readouterr().err


async def test_a_table_that_is_not_there_is_said_not_to_be(
    server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await audit("export", "00.aaaaaaaaaaaaaaaaaa", tmp_path / "x", "--server", server) == 2
    assert "NOT_FOUND: There is no such table" in capsys.readouterr().err
    assert await audit("export", "no-id", tmp_path / "x", "--server", server) == 2
    assert "is not the id of a table" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


async def test_a_service_that_is_not_there_is_said_not_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nobody = f"unix:{tmp_path}/nobody"
    assert await audit("export", "00.aaaaaaaaaaaaaaaaaa", tmp_path / "x", "--server", nobody) == 2
    assert "answers UNAVAILABLE" in capsys.readouterr().err
    assert await audit("export", "00.aaaaaaaaaaaaaaaaaa", tmp_path / "x", "--server", "ftp://host") == 2
    assert "give host:port" in capsys.readouterr().err


async def test_a_file_that_cannot_be_written_is_said_to_be_so(
    played: Played, server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await audit("export", played.table_id, tmp_path / "no" / "where", "--server", server) == 2
    assert "No such file or directory" in capsys.readouterr().err


def test_the_command_explains_itself_and_ends_quietly_when_nobody_reads_on(file: Path) -> None:
    program = [sys.executable, "-m", "service.audit"]
    told = subprocess.run([*program, "--help"], capture_output=True, text=True, check=True)
    assert "exit codes" in told.stdout
    reader = subprocess.Popen([*program, "show", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reader.stdout is not None
    reader.stdout.close()
    _, errors = reader.communicate()
    assert errors == b""
