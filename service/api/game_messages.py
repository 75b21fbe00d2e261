"""GameMessages: what one game's tables look like on the wire, found by name and never written per game."""

import importlib
from collections.abc import Iterable
from enum import Enum
from typing import Any

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from service.api.errors import DOMAIN, Code, Failure
from service.api.messages import table_message
from service.fold import FORMING, RUNNING, Step, Table
from service.kit.game import AnyGame
from service.objections import RulesRefuse, WrongGame
from service.wire import WIRES, Plain


class GameMessages:
    """The messages of one game's package."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.wire = WIRES[game.name]
        service = importlib.import_module(f"stammtisch.{game.name}.v1.service_pb2")
        camel = "".join(word.capitalize() for word in game.name.split("_"))
        self.service: ServiceDescriptor = service.DESCRIPTOR.services_by_name[f"{camel}Service"]
        self.watch_view_type = service.WatchViewResponse
        messages = importlib.import_module(f"stammtisch.{game.name}.v1.{game.name}_pb2")
        self._refusal_type, self._reason_type = messages.Refusal, messages.Reason

    def check(self, table: Table) -> None:
        """Raise WrongGame if a table plays another game."""
        if table.charter.game is not self.game:
            raise WrongGame(table.charter.game.name)

    def fields(self, table: Table, seat: int | None) -> Plain:
        """Return the fields that every view of a table has: what is shared, what the seat sees, what it may do."""
        game = self.game
        return {
            "table": table_message(table),
            "view": self.wire.plain(game.project(table.state, seeing_as(table, seat))),
            "legal": self._legal(table, seat),
            "seat": seat or 0,
        }

    def happened_in(self, step: Step, seat: int | None) -> list[Plain]:
        """Return the game's events of one entry as a seat may see them."""
        return self.happened(step.entry.events, seeing_as(step.table, seat))

    def options(self, table: Table) -> Plain:
        """Return how a table is played, with every default filled in."""
        return self.wire.plain(table.charter.options)

    def happened(self, events: Iterable[Any], seat: int | None) -> list[Plain]:
        """Return the game's events as a seat may see them."""
        see, plain = self.game.see, self.wire.plain_event
        seen = (see(event, seat) for event in events if isinstance(event, self.game.events))
        return [plain(event) for event in seen if event is not None]

    def refusal(self, refused: RulesRefuse, seat: int) -> Failure:
        """Return what a seat is told whose command the rules refuse."""
        reason: Enum = refused.reason
        table = refused.table
        detail = self._refusal_type(
            reason=self._reason_type.Value(f"REASON_{reason.name}"),
            sentence=reason.value,
            legal=self._legal(table, seat),
            version=table.head.version,
        )
        metadata = {"game": self.game.name, "version": str(table.head.version)}
        domain = f"{self.game.name}.{DOMAIN}"
        return Failure(Code.FAILED_PRECONDITION, reason.name, reason.value, domain, metadata, (detail,))

    def _legal(self, table: Table, seat: int | None) -> list[Plain]:
        if seat is None or table.status != RUNNING:
            return []
        plain = self.wire.plain_command
        return [plain(command) for command in self.game.legal(table.state, seat)]


def seeing_as(table: Table, seat: int | None) -> int | None:
    """Return as whom a seat sees its table: until the game begins, no more than everybody, as seats may change hands.

    That hides something at forks only, whose cards are there before their people.
    """
    return None if table.status == FORMING else seat


def types(method: MethodDescriptor) -> tuple[type[Message], type[Message]]:
    """Return the classes of a method's request and response."""
    return GetMessageClass(method.input_type), GetMessageClass(method.output_type)
