"""Fork: what a table begins with that goes on from a version of an ended one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stammtisch.table.v1 import table_pb2

from service.fold import Step, Table
from service.kit.game import CannotRedeal

POSITION_EVENTS_MAX = 5_000  # they stand in one entry; a long game of ROMMÉ 10 has 3,500, of some 40 bytes each


class CannotFork(ValueError):
    """There is no going on from there like that."""

    def __init__(self, field: str, sentence: str) -> None:
        """Take the field that asks for it, and a sentence that says what to send instead."""
        super().__init__(f"{field}: {sentence}")
        self.field = field
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Position:
    """A table at one version, and the game's events that led there."""

    table: Table
    events: tuple[Any, ...]

    def origin(self, cards: table_pb2.Cards.ValueType) -> table_pb2.ForkedFrom:
        """Return what a fork says of where it goes on from, or raise CannotFork."""
        table, head = self.table, self.table.head
        if cards == table_pb2.CARDS_REDEALT:
            try:
                table.charter.game.redeal(table.state, table.draw())
            except CannotRedeal as cannot:
                raise CannotFork("cards", f"{cannot} Send CARDS_KEPT, or go on from another version.") from cannot
        return table_pb2.ForkedFrom(
            table_id=table.charter.table_id, version=head.version, head_hash=head.hash, cards=cards
        )


def position_after(steps: Sequence[Step]) -> Position:
    """Return where steps have led, or raise CannotFork where nothing can be played from there."""
    table, game = steps[-1].table, steps[-1].table.charter.game
    events = tuple(event for step in steps for event in step.entry.events if isinstance(event, game.events))
    if game.standings(table.state):
        raise CannotFork("version", "The game is over by then: send an earlier one.")
    if len(events) > POSITION_EVENTS_MAX:
        most = f"a fork takes {POSITION_EVENTS_MAX}"
        raise CannotFork("version", f"By then {len(events)} things have happened, and {most}: send an earlier one.")
    return Position(table, events)
