"""What the service may do in the store, with the rights that deploy/redis/stammtisch.acl gives it."""

from collections.abc import Iterator
from pathlib import Path
from string import Template

import pytest
import redis

from service.log import GENESIS, Committed, Page
from service.redis_log import RedisLog, Settings, UnfitJanitor, UnfitStore, keys, library
from tests.open_logs import Inbox, opened, soon
from tests.stores import REDIS, VALKEY, Store, store
from tests.tables import appending, new_id

RIGHTS = Path(__file__).parents[1] / "deploy/redis/stammtisch.acl"
OPERATOR = "user operator on >operator ~* &* +@all"
REFUSED = [
    "DEL {key}",
    "UNLINK {key}",
    "XTRIM {key} MAXLEN 0",
    "XDEL {key} 1-0",
    "SET {key} x",
    "RENAME {key} x",
    "EXPIRE {key} 1",
    "HDEL {key} x",
    "RESTORE {key} 0 x",
    "FLUSHALL",
    "FLUSHDB",
    "SHUTDOWN",
    "CONFIG SET appendonly no",
    "FUNCTION LOAD x",
    "FUNCTION DELETE stammtisch_3",
    "FUNCTION FLUSH",
    "EVAL x 0",
    "ACL SETUSER stammtisch allcommands",
    "HSET other x y",
    "PUBLISH t:x x",
    "SSUBSCRIBE other",
]
RIGHTS_OF_THE_JANITOR = {"UNLINK {key}", "HDEL {key} x"}
REFUSED_TO_THE_JANITOR = [
    *(command for command in REFUSED if command not in RIGHTS_OF_THE_JANITOR),
    "HSET {key} x y",
    "XADD {key} 1-0 x y",
    "XRANGE {key} - +",
    "HGETALL {key}",
]
SHARED = ["+zadd", "+zrem", "+zcard", "+zrangebyscore", "+zremrangebyrank"]


def write_rights(directory: Path, rights: str) -> Path:
    """Write the file an operator would include, with the passwords filled in."""
    written = directory / "stammtisch.acl"
    passwords = {
        "STAMMTISCH_REDIS_PASSWORD": "service",
        "STAMMTISCH_REDIS_JANITOR_PASSWORD": "janitor",
        "STAMMTISCH_REDIS_DEPLOY_PASSWORD": "deploy",
    }
    written.write_text(f"{Template(rights).substitute(passwords)}\n{OPERATOR}\n")
    return written


@pytest.fixture(params=["valkey", "redis"])
def binary(request: pytest.FixtureRequest) -> str:
    """The server that reads the file: they tell rights and errors differently."""
    if request.param == "valkey":
        return VALKEY
    return REDIS or pytest.skip("there is no redis-server on PATH")


@pytest.fixture
def guarded(tmp_path: Path, binary: str) -> Iterator[Store]:
    """A store that knows the users of the file as it is delivered."""
    rights = write_rights(tmp_path, RIGHTS.read_text())
    with store(tmp_path / "store", "--include", str(rights), binary=binary) as running:
        yield running


def url(running: Store, user: str, password: str) -> str:
    return f"redis://{user}:{password}@127.0.0.1:{running.port}"


def deploy(running: Store) -> None:
    """Load the library as the deploy job does."""
    with redis.Redis.from_url(url(running, "stammtisch-deploy", "deploy")) as client:
        client.function_load(library.SOURCE)


async def test_the_log_works_with_the_service_s_rights(guarded: Store) -> None:
    deploy(guarded)
    log = RedisLog(Settings(url=url(guarded, "stammtisch", "service"), strict=True))
    await log.open()
    table_id = new_id()
    inbox = Inbox()
    append = appending(table_id, GENESIS, b"first", names={1: "Ann"})
    async with log.watch(table_id, inbox.put_nowait):
        assert await log.append(append) == Committed()
        assert await soon(inbox) == Page(0, (b"first",), append.head)
    assert await log.read(table_id, 0, 10) == Page(0, (b"first",), append.head)
    assert await log.names(table_id) == {1: "Ann"}
    await log.close()


@pytest.mark.parametrize("command", REFUSED)
def test_the_service_may_not(guarded: Store, command: str) -> None:
    with (
        redis.Redis.from_url(url(guarded, "stammtisch", "service")) as client,
        pytest.raises(redis.exceptions.NoPermissionError),
    ):
        client.execute_command(*command.format(key="t:{00}:00.x:e").split())


async def test_ended_tables_are_forgotten_with_the_janitor_s_rights_and_not_with_the_service_s(guarded: Store) -> None:
    deploy(guarded)
    service, janitor = url(guarded, "stammtisch", "service"), url(guarded, "stammtisch-janitor", "janitor")
    async with opened(service, janitor_url=janitor, strict=True) as log:
        append = appending(new_id(), GENESIS, b"first", ends=True)
        await log.append(append)
        touched = (keys.entries(append.table_id), keys.head(append.table_id), keys.names(append.table_id))
        with redis.Redis.from_url(service) as client, pytest.raises(redis.exceptions.ResponseError, match=r"ACL|can't"):
            client.fcall(library.FORGET, 4, *touched, keys.due(append.table_id[:2]), append.table_id)
        assert (await log.read(append.table_id, 0, 1)).head == append.head
        assert await log.forget(append.table_id)
        assert (await log.read(append.table_id, 0, 1)).head == GENESIS


@pytest.mark.parametrize("command", REFUSED_TO_THE_JANITOR)
def test_the_janitor_may_not(guarded: Store, command: str) -> None:
    with (
        redis.Redis.from_url(url(guarded, "stammtisch-janitor", "janitor")) as client,
        pytest.raises(redis.exceptions.NoPermissionError),
    ):
        client.execute_command(*command.format(key="t:{00}:00.x:e").split())


@pytest.mark.parametrize("right", ["+hmget", "+unlink", "+hdel", "+zrem"])
async def test_a_right_that_the_janitor_lacks_shows_at_start(tmp_path: Path, binary: str, right: str) -> None:
    service, janitor = RIGHTS.read_text().split("# stammtisch-janitor")
    rights = write_rights(tmp_path, f"{service}# stammtisch-janitor{janitor.replace(f' {right}', '')}")
    with store(tmp_path / "store", "--include", str(rights), binary=binary) as running:
        deploy(running)
        log = RedisLog(
            Settings(
                url=url(running, "stammtisch", "service"), janitor_url=url(running, "stammtisch-janitor", "janitor")
            )
        )
        with pytest.raises(UnfitJanitor, match=r"lacks a right, see deploy/redis/stammtisch\.acl"):
            await log.open()


def test_nobody_comes_in_without_a_name(guarded: Store) -> None:
    with guarded.client() as client, pytest.raises(redis.AuthenticationError):
        client.ping()


async def test_a_wrong_password_is_told_as_one(guarded: Store) -> None:
    log = RedisLog(Settings(url=url(guarded, "stammtisch", "wrong")))
    with pytest.raises(UnfitStore, match=r"does not let in the user of its URL"):
        await log.open()


async def test_a_service_that_may_not_load_the_missing_library_says_who_should(guarded: Store) -> None:
    log = RedisLog(Settings(url=url(guarded, "stammtisch", "service")))
    with pytest.raises(UnfitStore, match=r"stammtisch_3 is not in the store.*log\.lua as a user who may"):
        await log.open()


@pytest.mark.parametrize("right", ["+xadd", "+hset", "+spublish", "+ssubscribe", "+hmget", "+xrange", "&t:*", *SHARED])
async def test_a_missing_right_shows_at_start(tmp_path: Path, binary: str, right: str) -> None:
    rights = write_rights(tmp_path, RIGHTS.read_text().replace(f"{right} ", ""))
    with store(tmp_path / "store", "--include", str(rights), binary=binary) as running:
        deploy(running)
        log = RedisLog(Settings(url=url(running, "stammtisch", "service")))
        with pytest.raises(UnfitStore, match=r"lacks a right, see deploy/redis/stammtisch\.acl"):
            await log.open()
