"""Pushes from Redis: what is lost on the way becomes a Gap."""

import asyncio
import os
import signal

import pytest
import redis
from redis.asyncio.connection import AbstractConnection
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.testing import capture_logs

from service.log import GENESIS, Append, Committed, Gap, Head, LogUnavailable, Push
from service.redis_log import keys
from service.redis_log.watched import Watched
from tests.open_logs import Inbox, back, eventually, opened, pushed, soon, watching
from tests.stores import Store
from tests.tables import appending, new_id


def write_without_pushing(running: Store, append: Append) -> None:
    """Write what an append writes, but publish nothing: a push lost on its way."""
    with running.client() as client:
        for number, entry in enumerate(append.entries, append.seen.version + 1):
            client.xadd(keys.entries(append.table_id), {"entry": entry}, id=f"{number}-0")
        client.hset(keys.head(append.table_id), mapping={"version": append.head.version, "hash": append.head.hash})


async def test_a_cut_subscriber_connection_gives_a_gap_and_then_pushes_again(own_store: Store) -> None:
    async with opened(own_store.url) as log, watching(log, *(new_id() for _ in range(20))) as inboxes:
        with own_store.client() as client:
            assert client.execute_command("CLIENT KILL TYPE PUBSUB") == 1
        for table_id, inbox in inboxes.items():
            assert await soon(inbox) == Gap()
            append = appending(table_id, GENESIS, b"first")
            await log.append(append)
            assert await soon(inbox) == pushed(append)


async def test_what_the_log_says_of_its_connections_is_not_put_down_to_a_caller(own_store: Store) -> None:
    with capture_logs(processors=[merge_contextvars]) as said, bound_contextvars(request_id="the caller's"):
        async with opened(own_store.url) as log, watching(log) as inboxes:
            with own_store.client() as client:
                client.execute_command("CLIENT KILL TYPE PUBSUB")
            assert await soon(*inboxes.values()) == Gap()
    assert said
    assert not [line for line in said if "request_id" in line]


async def test_watchers_survive_an_outage_and_get_a_gap(own_store: Store) -> None:
    async with opened(own_store.url, resubscribe_longest=0.1) as log, watching(log, new_id(), new_id()) as inboxes:
        own_store.kill()
        with pytest.raises(LogUnavailable):
            async with log.watch(new_id(), lambda _push: None):
                pass
        own_store.start()
        for table_id, inbox in inboxes.items():
            assert await soon(inbox) == Gap()
            append = appending(table_id, GENESIS, b"first")
            assert await back(log, append) == Committed()
            assert await soon(inbox) == pushed(append)


@pytest.mark.parametrize(
    "error",
    [AttributeError("'NoneType' object has no attribute 'writelines'"), RuntimeError("the handler is closed")],
    ids=["redis-py", "uvloop"],
)
async def test_a_connection_that_closes_while_it_is_written_to_is_a_store_that_is_away(
    error: Exception, own_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def closes(*_: object, **__: object) -> None:
        raise error

    append = appending(new_id(), GENESIS, b"first")
    async with opened(own_store.url) as log, watching(log):
        with monkeypatch.context() as closing:
            closing.setattr(AbstractConnection, "send_packed_command", closes)
            with pytest.raises(LogUnavailable):
                await asyncio.wait_for(log.append(append), timeout=5)
            with pytest.raises(LogUnavailable):
                async with log.watch(new_id(), lambda _push: None):
                    pass
        assert await back(log, append) == Committed()


async def test_a_node_that_falls_silent_is_taken_for_dead(own_store: Store) -> None:
    settings = {"ping_every": 0.05, "answer_timeout": 0.2, "resubscribe_longest": 0.1}
    async with opened(own_store.url, **settings) as log, watching(log) as inboxes:
        os.kill(own_store.pid, signal.SIGSTOP)
        try:
            with capture_logs() as logged:
                await eventually(lambda: any(line["event"] == "subscription not restored yet" for line in logged))
        finally:
            os.kill(own_store.pid, signal.SIGCONT)
        for inbox in inboxes.values():
            assert await soon(inbox) == Gap()


async def test_a_quiet_connection_stays_open(own_store: Store) -> None:
    async with opened(own_store.url, ping_every=0.01) as log, watching(log) as inboxes:
        with own_store.client() as client:
            before = pings(client)
            await eventually(lambda: pings(client) >= before + 5)
            assert len(client.client_list("pubsub")) == 1
        ((table_id, inbox),) = inboxes.items()
        append = appending(table_id, GENESIS, b"first")
        await log.append(append)
        assert await soon(inbox) == pushed(append)


def pings(client: redis.Redis) -> int:
    return int(client.info("commandstats").get("cmdstat_ping", {"calls": 0})["calls"])


async def test_a_last_push_that_was_lost_is_found_by_comparing_heads(valkey: Store) -> None:
    async with opened(valkey.url, look_every=0.02) as log, watching(log) as inboxes:
        ((table_id, inbox),) = inboxes.items()
        first = appending(table_id, GENESIS, b"first")
        await log.append(first)
        assert await soon(inbox) == pushed(first)
        lost = appending(table_id, first.head, b"lost")
        write_without_pushing(valkey, lost)
        assert await soon(inbox) == Gap()
        third = appending(table_id, lost.head, b"third")
        await log.append(third)
        assert await soon(inbox) == pushed(third)


async def test_an_inbox_that_fails_harms_no_other(valkey: Store) -> None:
    def fail(_push: Push) -> None:
        raise RuntimeError

    async with opened(valkey.url) as log:
        table_id = new_id()
        inbox = Inbox()
        async with log.watch(table_id, fail), log.watch(table_id, inbox.put_nowait):
            append = appending(table_id, GENESIS, b"first", b"second")
            with capture_logs() as logged:
                await log.append(append)
                assert await soon(inbox) == pushed(append)
        assert [line["event"] for line in logged] == ["an inbox failed, its push is lost"]


async def test_a_table_that_nobody_watches_any_more_is_not_subscribed(own_store: Store) -> None:
    async with opened(own_store.url) as log:
        with own_store.client() as client:
            async with watching(log, new_id(), new_id()) as inboxes:
                assert len(client.execute_command("PUBSUB SHARDCHANNELS")) == len(inboxes)
            await eventually(lambda: client.execute_command("PUBSUB SHARDCHANNELS") == [])


ONE, TWO = Head(1, b"one"), Head(2, b"two")


def test_a_head_seen_differing_in_two_looks_is_a_loss() -> None:
    watched = Watched(new_id(), head=ONE)
    assert [watched.misses(TWO), watched.misses(TWO), watched.misses(TWO)] == [False, True, False]


def test_a_head_that_was_pushed_between_two_looks_is_no_loss() -> None:
    watched = Watched(new_id(), head=ONE)
    assert not watched.misses(TWO)
    watched.head = TWO
    assert not watched.misses(Head(3, b"three"))
    watched.head = Head(3, b"three")
    assert not watched.misses(Head(3, b"three"))
