"""The same frames as server-sent events."""

import re
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from stammtisch.double_tricks.v1 import service_pb2

from tests.api.house import Created, House, failed, house, rest

EVENT = re.compile(rb"id: (\d+)-([0-9a-f]{64})\nevent: (\w+)\ndata: (\{[^\n]*\})\n\n")


def events(home: House, created: Created, last: str | None = None, **fields: Any) -> Any:
    request = service_pb2.WatchViewRequest(table_id=created.table_id, **fields)
    metadata = [*created.seats[1]] + ([("last-event-id", last)] if last is not None else [])
    return home.game.WatchEvents(request, metadata=metadata)


async def test_an_event_carries_a_frame_its_name_and_its_version(home: House) -> None:
    created = await home.create()
    stream, frames = events(home, created), home.watch(created)
    first = await stream.read(), await frames.read()
    await home.play(created)
    pairs = [first, *zip(await rest(stream), await rest(frames), strict=True)]
    for body, frame in pairs:
        assert body.content_type == "text/event-stream"
        event = EVENT.fullmatch(body.data)
        assert event, body.data
        assert (int(event[1]), event[2].decode()) == (frame.version, frame.head_hash.hex())
        assert event[3].decode() == frame.WhichOneof("frame")
        assert json_format.Parse(event[4], service_pb2.WatchViewResponse()) == frame


async def test_a_heartbeat_is_a_comment_that_moves_no_id(socket: Path) -> None:
    async with house(socket, heartbeat_seconds=0.01) as home:
        created = await home.create()
        stream = events(home, created)
        await stream.read()
        assert (await stream.read()).data == b": heartbeat\n\n"


async def test_the_id_of_any_event_is_enough_to_go_on_after_it(home: House) -> None:
    created = await home.create()
    stream = events(home, created, from_version=0)
    await home.play(created)
    everything = [body async for body in stream]
    for place, body in enumerate(everything[:-1], 1):
        event = EVENT.fullmatch(body.data)
        assert event
        resumed = [body async for body in events(home, created, f"{event[1].decode()}-{event[2].decode()}")]
        assert resumed == everything[place:]


async def test_an_id_of_another_history_resets(home: House) -> None:
    created = await home.create()
    body = await events(home, created, f"2-{'0' * 64}").read()
    assert b"event: reset" in body.data


@pytest.mark.parametrize(
    "last", ["x", "-", "2", "2-", "2-xyz", "-1-00", "99999999999999-00", f"2-{'0' * 63}", "1_0-00"]
)
async def test_an_id_that_is_none_is_refused(home: House, last: str) -> None:
    created = await home.create()
    failure = await failed(events(home, created, last).read())
    assert failure.kind == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert "Last-Event-ID" in failure.sentence
