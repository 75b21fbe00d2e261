"""Tale: what happened at a table since its last deal, as far as bots need it."""

from typing import Any

from service.fold import Step
from service.kit.game import CHANCE


class Tale:
    """The game's events from the last deal on, kept while a bot plays."""

    def __init__(self) -> None:
        self.version = 0
        self.events: list[Any] = []

    def add(self, step: Step) -> None:
        """Go on with the next step."""
        entry, game = step.entry, step.table.charter.game
        events = [event for event in entry.events if isinstance(event, game.events)]
        if events and entry.seat == CHANCE and step.table.deals > 1:  # before, nothing was dealt here
            self.events.clear()
        self.events += events
        self.version = entry.version
