"""What the log does in Redis beyond the contract: limits, outages, restarts, and stores it must not use."""

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest

from service.log import GENESIS, Append, Behind, Committed, Forked, Head, LogUnavailable, Page
from service.redis_log import Durability, RedisLog, Settings, UnfitStore, keys
from tests.open_logs import back, opened
from tests.stores import REDIS, Store, free_port, store
from tests.tables import appending, new_id


async def test_appends_beyond_the_queue_are_refused_and_not_written(valkey: Store) -> None:
    async with opened(valkey.url, write_queue=3) as log:
        appends = [appending(new_id(), GENESIS, b"first") for _ in range(5)]
        outcomes = await asyncio.gather(*(log.append(append) for append in appends), return_exceptions=True)
        assert outcomes[:3] == [Committed()] * 3
        for append, outcome in zip(appends[3:], outcomes[3:], strict=True):
            assert isinstance(outcome, LogUnavailable)
            assert "nothing was done, try again later" in str(outcome)
            assert (await log.read(append.table_id, 0, 1)).head == GENESIS


async def test_an_append_whose_caller_left_before_it_was_sent_is_not_written(valkey: Store) -> None:
    async with opened(valkey.url) as log:
        append = appending(new_id(), GENESIS, b"first")
        leaving = asyncio.create_task(log.append(append))
        asyncio.get_running_loop().call_soon(leaving.cancel)
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert await log.append(append) == Committed()


async def test_a_library_that_has_gone_is_loaded_again(valkey: Store) -> None:
    async with opened(valkey.url) as log:
        appends = [appending(new_id(), GENESIS, b"first") for _ in range(3)]
        with valkey.client() as client:
            client.function_flush()
        assert await asyncio.gather(*(log.append(append) for append in appends)) == [Committed()] * 3
        with valkey.client() as client:
            client.function_flush()
        assert await log.read(appends[0].table_id, 0, 1) == Page(0, (b"first",), appends[0].head)


async def test_a_store_that_lost_everything_is_a_fork_and_takes_new_tables(own_store: Store) -> None:
    async with opened(own_store.url) as log:
        first = appending(new_id(), GENESIS, b"first")
        assert await log.append(first) == Committed()
        own_store.kill()
        shutil.rmtree(own_store.directory / "appendonlydir")
        own_store.start()
        assert await back(log, appending(first.table_id, first.head, b"second")) == Forked(GENESIS)
        assert await log.append(appending(new_id(), GENESIS, b"first")) == Committed()


async def test_during_an_outage_the_log_is_unavailable_and_afterwards_it_works(own_store: Store) -> None:
    async with opened(own_store.url) as log:
        first = appending(new_id(), GENESIS, b"first")
        await log.append(first)
        own_store.kill()
        second = appending(first.table_id, first.head, b"second")
        with pytest.raises(LogUnavailable):
            await log.append(second)
        with pytest.raises(LogUnavailable):
            await log.read(first.table_id, 0, 1)
        with pytest.raises(LogUnavailable):
            await log.names(first.table_id)
        with pytest.raises(LogUnavailable):
            await log.rematch(first.table_id)
        with pytest.raises(LogUnavailable):
            await log.durability()
        own_store.start()
        assert await back(log, second) == Committed()


async def test_a_killed_store_has_kept_every_append_it_committed(own_store: Store) -> None:
    async with opened(own_store.url) as log:
        kept: dict[str, Head] = {}
        unknown: dict[str, Append] = {}
        running = asyncio.Event()

        async def write(table_id: str) -> None:
            seen = GENESIS
            while True:
                append = appending(table_id, seen, b"entry %d" % seen.version)
                try:
                    assert await log.append(append) == Committed()
                except LogUnavailable:
                    unknown[table_id] = append
                    return
                kept[table_id] = seen = append.head
                if seen.version == 20:
                    running.set()

        writers = [asyncio.create_task(write(new_id())) for _ in range(50)]
        await asyncio.wait_for(running.wait(), 20)
        own_store.kill()
        await asyncio.gather(*writers)
        own_store.start()
        for table_id, head in kept.items():
            again = unknown[table_id]
            outcome = await back(log, again)
            # either it never happened, and does now, or it had, and its own entry is what was missed
            assert outcome in (Committed(), Behind(Page(head.version, again.entries, again.head)))
            assert (await log.read(table_id, head.version, 10)) == Page(head.version, again.entries, again.head)


async def test_the_settings_that_keep_what_is_acknowledged_are_read(valkey: Store) -> None:
    async with opened(valkey.url, strict=True) as log:
        (found,) = await log.durability()
        assert found == Durability("yes", "always", "no", "noeviction")
        assert found.weaknesses == ()


async def test_a_strict_log_refuses_a_store_that_may_lose_what_it_acknowledged(tmp_path: Path) -> None:
    with store(tmp_path, "--appendfsync", "everysec", "--maxmemory-policy", "allkeys-lru") as weak:
        async with opened(weak.url) as log:
            (found,) = await log.durability()
            assert found.weaknesses == (
                "appendfsync is everysec, it should be always",
                "maxmemory-policy is allkeys-lru, it should be noeviction",
            )
        with pytest.raises(UnfitStore, match="appendfsync is everysec, it should be always"):
            await RedisLog(Settings(url=weak.url, strict=True)).open()


async def test_settings_the_store_does_not_tell_are_unknown_and_not_enough_for_a_strict_log(
    own_store: Store,
) -> None:
    with own_store.client() as client:
        client.execute_command("ACL SETUSER managed on >pass ~* &* +@all -config")
    url = f"redis://managed:pass@127.0.0.1:{own_store.port}"
    async with opened(url) as log:
        assert await log.durability() == (Durability("unknown", "unknown", "unknown", "unknown"),)
    with pytest.raises(UnfitStore, match="appendonly is unknown, it should be yes"):
        await RedisLog(Settings(url=url, strict=True)).open()


async def test_a_store_of_another_format_is_left_alone(own_store: Store) -> None:
    with own_store.client() as client:
        client.set("stammtisch:format", "2")
        with pytest.raises(UnfitStore, match="the store holds format 2, this program knows 1"):
            await RedisLog(Settings(url=own_store.url)).open()
        assert client.keys() == [b"stammtisch:format"]
        assert client.function_list() == []


async def test_opening_leaves_the_format_and_one_tiny_key_however_often(own_store: Store) -> None:
    with own_store.client() as client:
        for _ in range(3):
            async with opened(own_store.url):
                pass
        assert sorted(client.keys()) == [b"stammtisch:format", b"t:{00}:00canary:m"]
        assert client.hlen("t:{00}:00canary:m") == 1


async def test_a_store_that_is_not_there_is_unavailable(own_store: Store) -> None:
    own_store.kill()
    with pytest.raises(LogUnavailable, match="the store cannot be reached"):
        await RedisLog(Settings(url=own_store.url)).open()


async def test_a_wrong_password_is_unavailable_with_a_reason(own_store: Store) -> None:
    with pytest.raises(LogUnavailable, match="invalid username-password pair"):
        await RedisLog(Settings(url=f"redis://somebody:wrong@127.0.0.1:{own_store.port}")).open()


async def test_with_a_replica_to_wait_for_an_append_is_committed_once_it_has_it(tmp_path: Path) -> None:
    with (
        store(tmp_path / "primary", "--repl-diskless-sync-delay", "0") as primary,
        store(tmp_path / "replica", "--replicaof", f"127.0.0.1 {primary.port}") as replica,
    ):
        confirm(primary)
        async with opened(primary.url, replica_wait=5.0) as log:
            append = appending(new_id(), GENESIS, b"first")
            assert await log.append(append) == Committed()
            with replica.client() as client:
                assert client.xlen(keys.entries(append.table_id)) == 1
            assert await log.append(append) == Behind(Page(0, append.entries, append.head))


async def test_an_append_that_no_replica_confirms_is_not_committed_for_its_caller(tmp_path: Path) -> None:
    with (
        store(tmp_path / "primary", "--repl-diskless-sync-delay", "0") as primary,
        store(tmp_path / "replica", "--replicaof", f"127.0.0.1 {primary.port}") as replica,
    ):
        confirm(primary)
        async with opened(primary.url, replica_wait=1.0) as log:
            replica.kill()
            append = appending(new_id(), GENESIS, b"first")
            with pytest.raises(LogUnavailable, match=r"no replica has confirmed within 1\.0 s"):
                await log.append(append)
            assert (await log.read(append.table_id, 0, 1)).head == append.head
            with pytest.raises(LogUnavailable, match="no replica has confirmed"):
                await log.append(append)  # that the entry is found does not make it safe


async def test_without_the_replica_it_should_wait_for_the_log_does_not_open(valkey: Store) -> None:
    with pytest.raises(LogUnavailable, match=r"no replica has confirmed"):
        await RedisLog(Settings(url=valkey.url, replica_wait=0.05)).open()


def confirm(primary: Store) -> None:
    """Return when a replica has confirmed a write, as it does from then on without delay."""
    with primary.client() as client:
        client.set("written", "once")
        assert client.wait(1, 20_000) == 1


async def test_a_unix_socket_leads_to_the_log(tmp_path: Path) -> None:
    socket = tmp_path / "socket"
    with store(tmp_path / "store", "--unixsocket", str(socket)):
        async with opened(f"unix://{socket}") as log:
            assert await log.append(appending(new_id(), GENESIS, b"first")) == Committed()


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for 127.0.0.1 that nobody has signed, and beside it its key."""
    openssl = shutil.which("openssl")
    if REDIS is None or openssl is None:
        pytest.skip("TLS needs openssl and redis-server on PATH: the Valkey of the wheel is built without it")
    request = f"{openssl} req -x509 -newkey rsa:2048 -nodes -subj /CN=store -addext subjectAltName=IP:127.0.0.1"
    files = f"-keyout {tmp_path}/key.pem -out {tmp_path}/cert.pem"
    subprocess.run([*request.split(), *files.split()], check=True, capture_output=True)
    return tmp_path / "cert.pem"


async def test_tls_and_a_password_lead_to_the_log(tmp_path: Path, certificate: Path) -> None:
    assert REDIS is not None
    port, key = free_port(), certificate.with_name("key.pem")
    options = f"--tls-port {port} --tls-cert-file {certificate} --tls-key-file {key} --tls-auth-clients no"
    with store(tmp_path / "store", *options.split(), "--requirepass", "p/ss", binary=REDIS):
        async with opened(f"rediss://:p%2Fss@127.0.0.1:{port}?ssl_ca_certs={certificate}") as log:
            assert await log.append(appending(new_id(), GENESIS, b"first")) == Committed()
        with pytest.raises(LogUnavailable, match="certificate verify failed"):
            await RedisLog(Settings(url=f"rediss://:p%2Fss@127.0.0.1:{port}")).open()
