"""`make run`, as a person at a terminal sees it: one program, real parts, clear words when something is in the way."""

import base64
import os
import signal
import socket
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from tests.house.program import OPEN, SERVICE, Program, children, free_port, running
from tests.house.upstream import HOLD, STUCK

pytestmark = pytest.mark.timeout(30)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def listen() -> str:
    return f"127.0.0.1:{free_port()}"


def store(data: Path) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(data / "run" / "valkey.sock"))


def refused(**settings: Any) -> str:
    """Run the program, which must not open; return what it said."""
    with running(**settings) as program:
        assert program.ends() == 1
        assert not any("Stammtisch is open." in line for line in program.said)
        assert not any("Traceback" in line for line in program.said)
        return "\n".join(program.said)


def child_called(program: Program, name: str) -> int:
    """Return the process id of a child of the house."""
    return next(
        child
        for child in children(program.process.pid)
        if name in Path(f"/proc/{child}/cmdline").read_bytes().partition(b"\0")[0].decode()
    )


def test_it_says_where_to_go_stops_on_ctrl_c_and_leaves_nobody_behind(data: Path, listen: str) -> None:
    with running(data=data, listen=listen) as program:
        program.says(OPEN)
        said = "\n".join(program.said)
        for words in (f"http://{listen}/", f"http://{listen}/openapi.json", f"http://{listen}/readyz", str(data)):
            assert words in said
        assert httpx.get(f"http://{listen}/readyz").status_code == 200
        parts = children(program.process.pid)
        assert len(parts) == 2
        program.interrupt()
        assert program.ends() == 0
        assert program.said[-1] == "Stammtisch is closed."
        assert not [part for part in parts if Path(f"/proc/{part}").exists()]


def test_sigterm_stops_it_in_order_too(data: Path, listen: str) -> None:
    with running(data=data, listen=listen) as program:
        program.says(OPEN)
        program.process.terminate()
        assert program.ends() == 0


def test_a_stream_gets_its_last_frame_before_the_front_door_goes(data: Path, listen: str) -> None:
    with running(data=data, listen=listen) as program:
        program.says(OPEN)
        with httpx.stream("GET", f"http://{listen}/v1/double-tricks/tables/{HOLD}:events") as answer:
            lines = answer.iter_lines()
            assert next(lines) == "id: 1"
            program.interrupt()
            assert "id: 0" in list(lines)
        assert program.ends() == 0


def test_a_second_ctrl_c_stops_it_at_once(data: Path, listen: str) -> None:
    with running(data=data, listen=listen, grace_seconds=100) as program:
        program.says(OPEN)
        with httpx.stream("GET", f"http://{listen}/v1/double-tricks/tables/{STUCK}:watch") as answer:
            assert answer.status_code == 200
            parts = children(program.process.pid)
            program.interrupt()
            program.says("Stammtisch is closing")
            program.interrupt()
            assert program.ends() == 130
        assert not [part for part in parts if Path(f"/proc/{part}").exists()]


def test_while_it_closes_it_says_that_it_is_not_ready(data: Path, listen: str) -> None:
    with running(data=data, listen=listen, grace_seconds=100) as program, httpx.Client() as client:
        program.says(OPEN)
        with client.stream("GET", f"http://{listen}/v1/double-tricks/tables/{STUCK}:watch"):
            program.interrupt()
            while client.get(f"http://{listen}/readyz").status_code != 503:
                assert client.get(f"http://{listen}/livez").status_code == 200
            program.interrupt()
            assert program.ends() == 130


def test_a_start_can_be_given_up(data: Path, listen: str) -> None:
    with running(data=data, listen=listen, grpc_upstreams=f"unix:{data}/nobody.sock") as program:
        program.says("Stammtisch is opening.")
        program.interrupt()
        assert program.ends() == 130
        assert len(program.said) == 1


def test_a_start_given_up_while_the_service_waits_for_its_front_door_ends_without_a_trace(
    data: Path, listen: str
) -> None:
    with running(module=SERVICE, data=data, listen=listen, grpc_upstreams=f"unix:{data}/nobody.sock") as program:
        program.says("store reachable")
        program.interrupt()
        assert program.ends() == 130
        assert not any("Traceback" in line for line in program.said)


def test_a_second_start_finds_what_the_first_has_written_and_the_same_keys(data: Path, listen: str) -> None:
    for start in (1, 2):
        with running(data=data, listen=listen) as program, store(data) as client:
            program.says(OPEN)
            assert client.incr("starts") == start
            keys = {(data / name).read_text() for name in ("master.key", "token.key")}
            program.interrupt()
            assert program.ends() == 0
        assert keys == {(data / name).read_text() for name in ("master.key", "token.key")}
        assert not any(key.strip() in line for key in keys for line in program.said)


def test_the_store_forgets_nothing_and_only_its_owner_may_look_into_the_data(data: Path, listen: str) -> None:
    with running(data=data, listen=listen) as program, store(data) as client:
        program.says(OPEN)
        wanted = {
            "appendonly": "yes",
            "appendfsync": "always",
            "no-appendfsync-on-rewrite": "no",
            "maxmemory-policy": "noeviction",
            "port": "0",
        }
        assert client.config_get(*wanted) == wanted
    for path in (data, data / "master.key", data / "token.key"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_a_busy_port_is_named_before_anything_is_started(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        said = refused(data=data, listen=address)
    assert address in said
    assert "STAMMTISCH_LISTEN" in said
    assert not (data / "valkey").exists()


def test_a_data_directory_in_use_is_refused_and_its_owner_goes_on(data: Path, listen: str) -> None:
    with running(data=data, listen=listen) as program:
        program.says(OPEN)
        said = refused(data=data, listen=f"127.0.0.1:{free_port()}")
        assert f"{data} is in use by another Stammtisch" in said
        assert httpx.get(f"http://{listen}/readyz").status_code == 200


def test_data_of_another_format_is_refused_and_left_as_it_is(data: Path) -> None:
    data.mkdir()
    (data / "format").write_text("stammtisch-data/2\n")
    assert "stammtisch-data/2" in refused(data=data)
    assert [path.name for path in data.iterdir()] == ["format"]


def test_a_directory_that_holds_other_things_is_not_taken_for_data(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    assert "holds other things" in refused(data=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_data_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "STAMMTISCH_DATA" in refused(data=tmp_path / "file" / "data")


def test_a_directory_too_deep_for_a_socket_is_named_with_the_way_out(tmp_path: Path) -> None:
    assert "STAMMTISCH_RUN" in refused(data=tmp_path / ("deep" * 30))


def test_a_directory_that_cannot_hold_sockets_is_named(data: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert f"{tmp_path / 'file'} cannot be used for sockets" in refused(data=data, envoy="off", run=tmp_path / "file")


def test_the_strict_want_a_store_with_a_replica(data: Path) -> None:
    assert "Set STAMMTISCH_REDIS_URL" in refused(data=data, strict="on")
    assert not data.exists()


def test_a_bad_setting_is_named() -> None:
    assert refused(listen="everywhere") == "STAMMTISCH_LISTEN must be: IP address:port."


def test_with_an_external_store_the_keys_must_be_configured(data: Path, listen: str) -> None:
    said = refused(data=data, listen=listen, redis_url="redis://127.0.0.1:1")
    assert "STAMMTISCH_MASTER_KEYS" in said
    assert "openssl rand -base64 32" in said


def test_who_forgets_ended_tables_must_be_let_in_where_tables_are_forgotten(data: Path) -> None:
    unfit: dict[str, Any] = {
        "module": SERVICE,
        "data": data,
        "envoy": "off",
        "janitor_redis_url": "redis://127.0.0.1:1",
    }
    assert "STAMMTISCH_JANITOR_REDIS_URL: the store cannot be reached" in refused(**unfit, ended_seconds=60)
    with running(**unfit) as program:
        program.says(OPEN)


def test_a_damaged_key_is_named_and_kept(data: Path, listen: str) -> None:
    data.mkdir()
    (data / "format").write_text("stammtisch-data/1\n")
    (data / "master.key").write_text("own:half\n")
    said = refused(data=data, listen=listen)
    assert f"{data / 'master.key'} cannot be used" in said
    assert (data / "master.key").read_text() == "own:half\n"


@pytest.mark.parametrize(("name", "variable"), [("master.key", "MASTER_KEYS"), ("token.key", "TOKEN_KEYS")])
def test_a_key_that_is_gone_is_not_made_anew_beside_a_store_it_belongs_to(data: Path, name: str, variable: str) -> None:
    with running(data=data, envoy="off") as program:
        program.says(OPEN)
    (data / name).unlink()
    said = refused(data=data, envoy="off")
    assert f"{name} is missing" in said
    assert f"STAMMTISCH_{variable}" in said
    assert not (data / name).exists()


def test_a_killed_house_takes_its_children_along_and_the_next_one_opens_on_its_data(data: Path, listen: str) -> None:
    with running(data=data, listen=listen) as killed, store(data) as client:
        killed.says(OPEN)
        client.set("written", "yes")
        killed.process.kill()
        killed.ends()
    assert (data / "run" / "service.sock").exists()
    with running(data=data, listen=listen) as program, store(data) as client:
        program.says(OPEN)
        assert client.get("written") == b"yes"


@pytest.mark.parametrize("name", ["valkey", "envoy"])
def test_a_child_that_dies_is_reported_with_its_last_words_and_all_stop(data: Path, listen: str, name: str) -> None:
    with running(data=data, listen=listen) as program:
        program.says(OPEN)
        os.kill(child_called(program, name), signal.SIGKILL)
        assert program.ends() == 1
        said = "\n".join(program.said).casefold()
        assert f"{name} has ended with -9" in said
        assert f"{name}.log" in said
        assert "traceback" not in said


def test_a_child_that_cannot_start_is_reported_with_its_last_words(data: Path, listen: str) -> None:
    (data / "valkey").mkdir(parents=True)
    (data / "format").write_text("stammtisch-data/1\n")
    (data / "valkey" / "appendonlydir").touch()
    key = base64.b64encode(bytes(32)).decode()
    said = refused(data=data, listen=listen, master_keys=f"a:{key}", token_keys=f"a:{key}")
    assert "Valkey has ended with 1" in said
    assert "appendonlydir" in said


@pytest.mark.parametrize("in_the_way", ["valkey", "valkey.log.1/x"])
def test_a_child_whose_place_cannot_be_written_is_reported_with_the_place(data: Path, in_the_way: str) -> None:
    data.mkdir()
    for name in ("valkey.log", in_the_way):
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).touch()
    (data / "format").write_text("stammtisch-data/1\n")
    key = base64.b64encode(bytes(32)).decode()
    said = refused(data=data, envoy="off", master_keys=f"a:{key}", token_keys=f"a:{key}")
    assert f"Valkey cannot be started in {data / 'valkey'}" in said


def test_without_envoy_it_tells_where_grpc_is(data: Path) -> None:
    with running(data=data, envoy="off") as program:
        program.says(OPEN)
        assert any(str(data / "run" / "service.sock") in line for line in program.said)


def test_the_service_alone_needs_a_store(data: Path) -> None:
    with running("serve", data=data) as program:
        assert program.ends() == 1
        assert "STAMMTISCH_REDIS_URL" in program.said[-1]
        assert not data.exists()


def test_settings_and_configuration_are_printed() -> None:
    with running("settings") as program:
        assert program.ends() == 0
        assert "\n".join(program.said) + "\n" == Path("docs/settings.md").read_text()
    with running("envoy", "--files", "/etc/stammtisch", listen="0.0.0.0:80") as program:
        assert program.ends() == 0
        assert any("/etc/stammtisch/api.binpb" in line for line in program.said)
