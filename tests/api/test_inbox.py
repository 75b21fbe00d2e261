"""An inbox never grows beyond its limit, and never forgets what its watcher must know."""

import pytest

from service.api.frames import Frames
from service.api.inbox import Draining, Inbox, Overflow
from service.draft import found
from service.fold import Step, begin
from service.live import Lost, Reset
from tests.table.playing import KEYS, founding

DRAFT = found("00.aaaaaaaaaaaaaaaaaa", founding(), KEYS, 1_000)
STEP = DRAFT.steps[1]
NEWEST = Step(STEP.entry, STEP.data, begin("00.aaaaaaaaaaaaaaaaaa", DRAFT.entries[0], KEYS).table)


async def everything(inbox: Inbox) -> list[object]:
    messages: list[object] = []
    while (message := await inbox.next(0)) is not None:
        messages.append(message)
    return messages


async def test_a_full_inbox_keeps_only_the_newest_table() -> None:
    inbox = Inbox(2)
    for step in (STEP, STEP, NEWEST):
        inbox.put(step)
    assert await everything(inbox) == [Overflow(NEWEST.table)]


async def test_a_change_of_history_is_not_forgotten_with_the_rest() -> None:
    inbox = Inbox(2)
    for change in (Reset(STEP.table), STEP, NEWEST):
        inbox.put(change)
    assert await everything(inbox) == [Reset(NEWEST.table)]


async def test_a_change_of_history_that_finds_the_inbox_full_stays_one() -> None:
    inbox = Inbox(2)
    for change in (STEP, STEP, Reset(NEWEST.table)):
        inbox.put(change)
    assert await everything(inbox) == [Reset(NEWEST.table)]


@pytest.mark.parametrize("last", [Lost(), Draining()])
async def test_the_last_message_has_room_and_nothing_follows_it(last: Lost | Draining) -> None:
    inbox = Inbox(2)
    for message in (STEP, STEP, last, STEP, Lost(), Draining(), Reset(STEP.table)):
        inbox.put(message)
    assert await everything(inbox) == [STEP, STEP, last]


async def test_frames_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.frames.FRAMES_MAX", 2)
    frames = Frames()
    for key in (1, 2, 3):
        frames.encoded(key, lambda: b"first")
    assert frames.encoded(3, lambda: b"again") == b"first"
    assert frames.encoded(1, lambda: b"again") == b"again"
    assert len(frames._frames) == 2
