"""Sights: what a bot is shown, which is what its seat may see, and what it chooses by it."""

import hmac
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import structlog
from stammtisch.table.v1 import table_pb2

from service.bots import BOTS
from service.bots.brain import Choose as Brain
from service.bots.brain import Sight, Strength
from service.draft import Choose
from service.fold import Table

logger = structlog.get_logger()

STRENGTHS: Mapping[table_pb2.BotStrength.ValueType, Strength] = {
    table_pb2.BOT_STRENGTH_RANDOM: Strength.RANDOM,
    table_pb2.BOT_STRENGTH_STEADY: Strength.STEADY,
}


def chooser(happened: Sequence[Any]) -> Choose:
    """Return what chooses for the bots of a table, by what happened there since the last deal."""

    def choose(table: Table, seat: int) -> Any:
        sight = _sight(table, seat, happened)
        try:
            command = _brain(table, seat)(sight, _dice(table, seat))
        except Exception:
            logger.exception("bug: a bot cannot choose", table=table.charter.table_id, version=table.head.version)
            command = None
        if command in sight.legal:
            return command
        return table.charter.game.default(table.state, seat)  # a table must not wait for a bug to be mended

    return choose


def _brain(table: Table, seat: int) -> Brain:
    strength = table.seating.chair(seat).bot or table.charter.terms.stand_in
    return BOTS[table.charter.game.name][STRENGTHS[strength]]


def _sight(table: Table, seat: int, happened: Sequence[Any]) -> Sight:
    game, state = table.charter.game, table.state
    seen = (game.see(event, seat) for event in happened)
    return Sight(
        seat,
        table.charter.options,
        game.project(state, seat),
        tuple(game.legal(state, seat)),
        tuple(event for event in seen if event is not None),
    )


def _dice(table: Table, seat: int) -> Random:
    """Return dice that nobody can foresee, and that roll the same in every process."""
    charter = table.charter
    where = f"stammtisch/dice/1{charter.table_id}/{table.head.version}/{seat}"
    return Random(hmac.digest(charter.root, where.encode(), "sha256"))  # noqa: S311 - what a bot does is no secret
