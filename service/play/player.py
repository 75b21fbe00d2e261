"""Player: chooses at random from what is legal, until the table has ended."""

import asyncio
import random
from contextlib import aclosing, suppress

from stammtisch import StammtischError

from service.play.door import Beaten, PlayedSeat, PlayedTable, Sight
from service.play.tally import Tally

TABLE_SECONDS = 900  # a table that has not ended by then never will
CLOSE_SECONDS = 2


class BrokenPromise(Exception):
    """The service did not do what it had said it would."""


async def play_table(table: PlayedTable, seed: str, tally: Tally) -> Sight:
    """Play to the end, and return it. A table that is given up is closed."""
    try:
        async with asyncio.timeout(TABLE_SECONDS), asyncio.TaskGroup() as group:
            players = [
                group.create_task(play_seat(seat, random.Random(f"{seed}/{number}"), tally))  # noqa: S311 - a game
                for number, seat in enumerate(table.seats, 1)
            ]
    except BaseException:
        with suppress(StammtischError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await table.close()
        raise
    return players[0].result()


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
    raise BrokenPromise("A stream ended before its table.")


async def _act(seat: PlayedSeat, sight: Sight, dice: random.Random, tally: Tally) -> Sight | None:
    """Give a command; None if somebody was faster, which the next sight will show."""
    command = dice.choice(sight.legal)
    try:
        after = await seat.act(command)
    except Beaten as beaten:
        if beaten.version is not None and beaten.version <= sight.version:
            raise BrokenPromise(f"What was listed as legal was refused: {command} ({beaten})") from beaten
        tally.refusals += 1
        return None
    tally.commands += 1
    return after
