"""Watcher: follows a table through whatever happens to the processes that tell of it."""

import asyncio
from random import Random
from typing import Any

import grpc
from stammtisch.table.v1.table_pb2 import Closed

from tests.torture.caller import AGAIN, authorization, reason_of
from tests.torture.fleet import Fleet
from tests.torture.played import Played
from tests.torture.story import Frame, Story, Watched

PAUSE_SECONDS = 0.1  # the longest before watching again
SILENCE_SECONDS = 5.0  # a stream without even a heartbeat is taken for dead


class Watcher:
    """One watcher of one seat; it begins at one process and goes on at whichever chance sends it to."""

    def __init__(self, fleet: Fleet, played: Played, random: Random, home: int) -> None:
        self._stubs = [played.stub(service.channel) for service in fleet.services]
        self._played = played
        self._random = random
        self._stub = self._stubs[home]

    async def watch(self, story: Story, seat: int | None, token: str, *, whole: bool) -> None:
        """Write down every version until the table has ended, however often the stream breaks."""
        watched = Watched(seat)
        story.watched.append(watched)
        while not watched.complete:
            try:
                await self._stream(self._request(story.table_id, watched, whole=whole), token, watched)
            except TimeoutError:
                pass
            except grpc.aio.AioRpcError as error:
                if (reason := reason_of(error)) is not None and reason not in AGAIN:
                    story.refused.append(f"a watcher: {reason}: {error.details()}")
            if not watched.complete:
                watched.resumed += 1
                await asyncio.sleep(self._random.uniform(0, PAUSE_SECONDS))
                self._stub = self._random.choice(self._stubs)

    async def _stream(self, request: Any, token: str, watched: Watched) -> None:
        call = self._stub.WatchView(request, metadata=authorization(token))
        try:
            while True:
                message = await asyncio.wait_for(call.read(), SILENCE_SECONDS)
                if message is grpc.aio.EOF:
                    return
                _note(message, watched)
        finally:
            call.cancel()

    def _request(self, table_id: str, watched: Watched, *, whole: bool) -> Any:
        last = watched.frames[-1] if watched.frames else watched.begun
        after = {"from_version": last.version, "from_hash": last.hash} if last else {"from_version": 0} if whole else {}
        return self._played.request("WatchView", table_id=table_id, **after)


def _note(message: Any, watched: Watched) -> None:
    kind = message.WhichOneof("frame")
    content = message.SerializeToString(deterministic=True)
    frame = Frame(message.version, message.head_hash, content, step=kind == "step")
    if kind == "closed":
        watched.complete = message.closed.reason == Closed.REASON_TABLE_ENDED
    elif kind == "snapshot" and not watched.frames and watched.begun is None:
        watched.begun = frame
    elif kind != "heartbeat":
        watched.frames.append(frame)
