"""The command line of playing."""

import argparse
import asyncio
import os
import secrets
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

import httpx
from stammtisch import StammtischError, connect
from stammtisch.table.v1.service_pb2 import GameInfo

from service.play.display import Display
from service.play.door import CannotPlay, Door, Wanted
from service.play.options import read_options
from service.play.over_grpc import GrpcDoor
from service.play.over_rest import CALL_SECONDS, Http, RestDoor
from service.play.player import play_table, together
from service.play.tally import Tally

SEATS = 4  # unless the game wants fewer or more
INTERRUPTED = 130
SERVER = "127.0.0.1:8080"
KEY = "STAMMTISCH_TOKEN"  # the variable that the audit tool reads, too


def main(arguments: Sequence[str]) -> int:
    """Play whole games; return the exit code."""
    wanted = _parser().parse_args(arguments)
    tally = Tally()
    try:
        asyncio.run(_play(wanted, tally))
    except KeyboardInterrupt:
        print(f"Stopped. {tally.line()}", file=sys.stderr)
        return INTERRUPTED
    except (CannotPlay, StammtischError) as why:
        print(why, file=sys.stderr)
        return 1
    print("\n".join(tally.standing()))
    print(f"All games came to their end: {tally.line()}.")
    return 0


async def _play(wanted: argparse.Namespace, tally: Tally) -> None:
    await _knock(wanted.server)
    async with _door(wanted, tally) as door:
        game = _find(await door.games(), wanted.game)
        table_wanted = _table(game, wanted)
        display = Display(tally, wanted.tables, quiet=wanted.quiet)

        async def play(numbers: Iterator[int]) -> None:
            for number in numbers:
                table = await door.create(game, table_wanted)
                end = await play_table(table, f"{wanted.seed}/{number}", tally)
                tally.finished(end.places)
                display.finished(table.table_id, end.places)

        numbers = iter(range(1, wanted.tables + 1))
        async with display.moving():
            await together(play(numbers) for _ in range(wanted.parallel))


async def _knock(server: str) -> None:
    """Fail unless somebody listens."""
    host, _, port = server.rpartition(":")
    try:
        _, writer = await asyncio.open_connection(host, int(port))
    except OSError as error:
        sentence = f"Nobody answers at {server}. Start the service with `make run`, or name another with --server."
        raise CannotPlay(sentence) from error
    writer.close()


@asynccontextmanager
async def _door(wanted: argparse.Namespace, tally: Tally) -> AsyncIterator[Door]:
    key = os.environ.get(KEY)
    if wanted.rest:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        async with httpx.AsyncClient(base_url=f"http://{wanted.server}", timeout=CALL_SECONDS, limits=limits) as client:
            yield RestDoor(Http(client, tally.retried), key)
    else:
        async with connect(wanted.server, token=key, on_retry=tally.retried) as client:
            yield GrpcDoor(client)


def _table(game: GameInfo, wanted: argparse.Namespace) -> Wanted:
    seats = wanted.seats or min(max(SEATS, game.min_seats), game.max_seats)
    if wanted.bots >= seats:
        raise CannotPlay(f"Of {seats} seats at least one is to be played: ask for fewer bots.")
    return Wanted(seats, wanted.bots, read_options(game, wanted.option))


def _find(games: Sequence[GameInfo], name: str) -> GameInfo:
    for game in games:
        if game.game == name.replace("-", "_"):
            return game
    raise CannotPlay(f"{name} is not played here; these are: {', '.join(game.game for game in games)}.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m service play",
        description="Play whole games, choosing at random. Anybody may watch the tables, and export their logs.",
        epilog=f"Where creating tables needs an API key, it is taken from ${KEY}.",
    )
    parser.add_argument("game", help="as the service lists it, such as double_tricks")
    parser.add_argument("--server", type=_address, default=SERVER, metavar="HOST:PORT", help="(default: %(default)s)")
    parser.add_argument("--rest", action="store_true", help="over HTTP and JSON instead of gRPC")
    parser.add_argument("--tables", type=_positive, default=1, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--seats", type=_positive, metavar="N", help=f"at each table (default: {SEATS}, or what fits)")
    parser.add_argument("--bots", type=_positive, default=0, metavar="N", help="seats of the service's own bots")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="lists with commas")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="choose alike again, if the cards are dealt alike")
    parser.add_argument("--parallel", type=_positive, default=4, metavar="N", help="at a time (default: %(default)s)")
    parser.add_argument("--quiet", action="store_true", help="print nothing but the end")
    return parser


def _address(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal():
        raise argparse.ArgumentTypeError("give HOST:PORT")
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError("give a number from 1 on")
    return int(text)
