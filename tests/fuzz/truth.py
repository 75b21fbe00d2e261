"""Truth: what really happened at a table, read from its log with the operator's key, and who may know what of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from google.protobuf.message import Message

from service.fold import RUNNING, Step, advance, begin
from service.kit.game import CHANCE
from service.seal import MasterKeys
from service.wire import WIRES

SECRET_LENGTH_MIN = 2  # a joker's one sign turns up in other texts by chance


class Truth:
    """One table's log, opened."""

    def __init__(self, table_id: str, keys: MasterKeys) -> None:
        self._table_id = table_id
        self._keys = keys
        self.steps: list[Step] = []
        self._dealt: list[frozenset[str]] = []  # by version: everything that ever was private
        self._known: list[dict[int | None, frozenset[str]]] = []  # by version and seat: what it has been shown

    @property
    def version(self) -> int:
        """The newest version that has been read."""
        return len(self.steps)

    @property
    def now(self) -> Any:
        """The table at that version."""
        return self.steps[-1].table

    @property
    def running(self) -> bool:
        """Whether the game goes on."""
        return bool(self.now.status == RUNNING)

    @property
    def ended(self) -> bool:
        """Whether nothing can be done any more."""
        return bool(self.now.has_ended)

    def read(self, entry: bytes) -> None:
        """Take the next entry of the log."""
        step = advance(self.now, entry) if self.steps else begin(self._table_id, entry, self._keys)
        self.steps.append(step)
        private = [fact for fact in (step.entry.command, *step.entry.events) if isinstance(fact, self._game.private)]
        dealt = frozenset(text for fact in private for text in strings(self._encoded(fact)))
        self._dealt.append(dealt | (self._dealt[-1] if self._dealt else frozenset()))
        anew = bool(private) and step.entry.seat == CHANCE
        self._known.append({seat: self._shown(step, seat, anew=anew) for seat in (None, *self.seats)})

    @property
    def seats(self) -> range:
        """The seats of the table."""
        seats: range = self.steps[0].table.charter.seats
        return seats

    @property
    def _game(self) -> Any:
        return self.steps[0].table.charter.game

    def hidden(self, version: int, seat: int | None) -> set[str]:
        """Return the notations that a seat, or a spectator, may not know at a version."""
        if not self.steps or self.steps[version - 1].table.status != RUNNING:
            return set()
        return set(self._dealt[version - 1] - self._known[version - 1][seat])

    @property
    def options(self) -> Message:
        """How the table is played, which everybody may know."""
        return WIRES[self._game.name].encode(self.now.charter.options)

    def view(self, version: int, seat: int | None) -> Message:
        """Return the view that a seat may have of a version."""
        return WIRES[self._game.name].encode(self._game.project(self.steps[version - 1].table.state, seat))

    def legal(self, version: int, seat: int | None) -> list[Message]:
        """Return what a seat may do at a version."""
        table = self.steps[version - 1].table
        if seat is None or table.status != RUNNING:
            return []
        return [WIRES[self._game.name].encode_command(command) for command in self._game.legal(table.state, seat)]

    def happened(self, versions: range, seat: int | None) -> list[Message]:
        """Return the game's events of some versions, as a seat may see them."""
        events = [event for version in versions for event in self.steps[version - 1].entry.events]
        seen = [self._game.see(event, seat) for event in events if isinstance(event, self._game.events)]
        return [WIRES[self._game.name].encode_event(event) for event in seen if event is not None]

    def after_command(self, version: int) -> range:
        """Return the versions that a command brought about which led to a version: its own and the dealer's."""
        first = version
        while self.steps[first - 1].entry.seat == CHANCE and first > 1:
            first -= 1
        return range(first, version + 1)

    def _shown(self, step: Step, seat: int | None, *, anew: bool) -> frozenset[str]:
        """Return what a seat has been shown since the last deal."""
        before = frozenset() if anew or not self._known else self._known[-1][seat]
        table = step.table
        seen = [table.charter.game.project(table.state, seat)]
        seen += [self._game.see(event, seat) for event in step.entry.events if isinstance(event, self._game.events)]
        return before | {text for each in seen if each is not None for text in strings(self._encoded(each))}

    def _encoded(self, value: Any) -> Message:
        wire = WIRES[self._game.name]
        if isinstance(value, self._game.commands):
            return wire.encode_command(value)
        if isinstance(value, self._game.events):
            return wire.encode_event(value)
        return wire.encode(value)


def strings(message: Message) -> Iterator[str]:
    """Return every text in a message that is long enough to be told from chance."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else (value,)
        if isinstance(values, Mapping):
            values = (*values, *values.values())
        yield from _texts(values)


def _texts(values: Sequence[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, Message):
            yield from strings(value)
        elif isinstance(value, str) and len(value) >= SECRET_LENGTH_MIN:
            yield value
