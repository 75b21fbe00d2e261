"""Player: chooses at random from what is legal, until the table has ended."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Coroutine, Iterable, Sequence
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from stammtisch import StammtischError

from service.play.door import Beaten, CannotPlay, PlayedSeat, PlayedTable, Sight
from service.play.tally import Tally

Result = TypeVar("Result")

TABLE_SECONDS = 900  # a table that has not ended by then never will
CLOSE_SECONDS = 2


async def together(doings: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """Do everything at a time; if something fails, end the rest and raise that."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(doing) for doing in doings]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


async def play_table(table: PlayedTable, seed: str, tally: Tally) -> Sight:
    """Play to the end, and return it. A table that is given up is closed."""
    players = (
        play_seat(seat, random.Random(f"{seed}/{number}"), tally)  # noqa: S311 - chance enough for a player
        for number, seat in enumerate(table.seats, 1)
    )
    try:
        async with asyncio.timeout(TABLE_SECONDS):
            return (await together(players))[0]
    except BaseException as why:
        with suppress(StammtischError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await table.close()
        if isinstance(why, TimeoutError):
            raise CannotPlay(f"The table {table.table_id} had not ended after {TABLE_SECONDS} s.") from why
        raise


async def play_seat(seat: PlayedSeat, dice: random.Random, tally: Tally) -> Sight:
    """Act whenever this seat must, and return the table's end."""
    newest = 0
    async with aclosing(seat.sights()) as sights:
        async for seen in sights:
            sight: Sight | None = seen
            while sight and sight.version > newest:
                newest = sight.version
                if sight.ended:
                    return sight
                sight = await _act(seat, sight, dice, tally) if sight.legal else None
    raise CannotPlay("A stream ended before its table.")


async def _act(seat: PlayedSeat, sight: Sight, dice: random.Random, tally: Tally) -> Sight | None:
    """Give a command; None if somebody was faster, which the next sight will show."""
    command = _choice(seat, sight.legal, dice)
    try:
        after = await seat.act(command)
    except Beaten as beaten:
        if beaten.version is not None and beaten.version <= sight.version:
            raise CannotPlay(f"What was listed as legal was refused: {command} ({beaten})") from beaten
        tally.refusals += 1
        return None
    tally.commands += 1
    return after


def _choice(seat: PlayedSeat, legal: Sequence[Any], dice: random.Random) -> Any:
    """Choose a kind of command first: one that can be given in many ways would leave the others hardly a chance."""
    kinds: defaultdict[str, list[Any]] = defaultdict(list)
    for command in legal:
        kinds[seat.kind(command)].append(command)
    return dice.choice(kinds[dice.choice(tuple(kinds))])
