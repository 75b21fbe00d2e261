import asyncio
import random
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from service.play.door import Beaten, CannotPlay, Sight
from service.play.player import play_seat
from service.play.tally import Tally


def sight(version: int, *legal: str, ended: bool = False) -> Sight:
    return Sight(version, ended, legal, ())


class Pile:
    """A seat in a game without turns: whoever acts first at a version is the only one heard."""

    def __init__(self, sights: list[Sight], beaten_at: int | None) -> None:
        self._sights = sights
        self._beaten_at = beaten_at
        self.given: list[Any] = []

    async def sights(self) -> AsyncGenerator[Sight, None]:
        for seen in self._sights:
            yield seen

    def kind(self, command: str) -> str:
        return command.split(maxsplit=1)[0]

    async def act(self, command: Any) -> Sight:
        self.given.append(command)
        if command == "late":
            raise Beaten("Somebody was faster.", self._beaten_at)
        return sight(3)


async def test_who_was_beaten_to_it_goes_on_with_what_is_seen_next() -> None:
    tally = Tally()
    seat = Pile([sight(1, "late"), sight(2, "play"), sight(3), sight(4, ended=True)], beaten_at=2)
    end = await play_seat(seat, random.Random(1), tally)
    assert (end.ended, seat.given) == (True, ["late", "play"])
    assert (tally.refusals, tally.commands) == (1, 1)


async def test_who_came_after_the_end_sees_the_end() -> None:
    seat = Pile([sight(1, "late"), sight(2, ended=True)], beaten_at=None)
    assert (await play_seat(seat, random.Random(1), Tally())).ended


async def test_a_legal_command_that_is_refused_nevertheless_is_a_fault_of_the_service() -> None:
    with pytest.raises(CannotPlay, match="listed as legal"):
        await play_seat(Pile([sight(1, "late")], beaten_at=1), random.Random(1), Tally())


async def test_a_stream_that_ends_before_the_table_is_a_fault_of_the_service() -> None:
    with pytest.raises(CannotPlay, match="before its table"):
        await play_seat(Pile([sight(1)], beaten_at=None), random.Random(1), Tally())


async def test_what_was_seen_in_a_reply_is_not_acted_on_again() -> None:
    seat = Pile([sight(1, "play"), sight(2, "play"), sight(3, "play"), sight(4, ended=True)], beaten_at=None)
    await asyncio.wait_for(play_seat(seat, random.Random(1), Tally()), 5)
    assert seat.given == ["play"]


async def test_every_kind_of_command_has_the_same_chance_however_many_ways_there_are_to_give_it() -> None:
    ways = [f"discard {number}" for number in range(100)]
    sights = [sight(version, *ways, "lay") for version in range(4, 204)]
    seat = Pile([*sights, sight(204, ended=True)], beaten_at=None)
    await play_seat(seat, random.Random(1), Tally())
    assert 80 < seat.given.count("lay") < 120
    assert len(set(seat.given)) > 50
