"""Let steady bots play among random ones, in all games or in those named, and print a table for the rooms' READMEs."""

import argparse

from service.games import GAMES
from tests.tournament.tournament import Result, tournament

SEATS = {"double_tricks": (2, 4), "doppelkopf": (4,), "double_speed": (2, 4), "romme10": (2, 4)}
DEALS = 200

HEAD = """\
| game | seats | games | wins | of that fair | ahead by | µs a decision |
|---|--:|--:|--:|--:|--:|--:|"""


def line(result: Result) -> str:
    wins, ahead = result.wins, result.ahead
    return (
        f"| {result.game} | {result.seats} | {result.games} | {wins.mean:.1%} ± {wins.either_side:.1%} "
        f"| {result.fair:.0%} | {ahead.mean:.1f} ± {ahead.either_side:.1f} | {result.microseconds:.0f} |"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m tests.tournament", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="game", help="all, if none is named")
    parser.add_argument("--deals", type=int, default=DEALS, help="each is played from every seat")
    asked = parser.parse_args()
    print(HEAD)
    for name in asked.games or SEATS:
        for seats in SEATS[name]:
            print(line(tournament(GAMES[name], GAMES[name].options(), seats, asked.deals)), flush=True)
