"""Golden logs: whole games as text, with what each seat knew beside each entry.

`python -m tests.games.golden` writes them anew from the commands they hold. A file that ends after its head is played
first, so a new log is a head, and one played anew is a log cut off there:

    rules double_tricks/1
    seats 3
    seed any words
    options {"handSizes": [2, 1]}

Entries read `version seat command`; then come its events (`=`), where a seat or all others saw something else of them
what they saw (`~`), what changed in everybody's view (`*`), and what each seat alone sees and may do.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict

from service.games import GAMES
from service.kit.game import AnyGame
from service.wire import WIRES
from tests.games.story import Step, choose, known_of, take

FOLDER = Path(__file__).parent.parent / "golden"
_ENTRY = re.compile(r"\d+ \d+ \{")
HEAD = ("rules", "seats", "seed", "options")


@dataclass(frozen=True)
class Log:
    """What a golden file holds before it is told."""

    head: str
    game: AnyGame
    seats: int
    seed: str
    options: Any
    commands: tuple[tuple[int, Any], ...]


def files() -> list[Path]:
    return sorted(FOLDER.glob("*/*.txt"))


def read(path: Path) -> Log:
    lines = path.read_text().splitlines()
    head = dict(zip(HEAD, (line.split(" ", 1)[1] for line in lines), strict=False))
    game = GAMES[path.parent.name]
    assert head["rules"] == game.rules, f"{path} was played by other rules than today's"
    wire = WIRES[game.name]
    options = wire.decode(ParseDict(json.loads(head["options"]), wire.messages.Options()))
    entries = (line.split(" ", 2) for line in lines[len(HEAD) :] if _ENTRY.match(line))
    commands = (
        (int(seat), wire.decode_command(ParseDict(json.loads(command), wire.messages.Command())))
        for _, seat, command in entries
    )
    return Log("\n".join(lines[: len(HEAD)]), game, int(head["seats"]), head["seed"], options, tuple(commands))


def write(log: Log) -> str:
    """Return the whole text: the commands taken again, or a new game where there are none."""
    start = log.game.start(log.options, log.seats)
    steps = _replayed(log, start) if log.commands else _played(log, start)
    return "\n".join([log.head, *_entries(log, start, list(steps))]) + "\n"


def _replayed(log: Log, state: Any) -> Iterator[Step]:
    for seat, command in log.commands:
        step = take(log.game, state, seat, command)
        yield step
        state = step.after


def _played(log: Log, state: Any) -> Iterator[Step]:
    known, random = known_of(log.game), Random(log.seed)
    while (chosen := choose(log.game, known, state, log.seats, random)) is not None:
        step = take(log.game, state, *chosen)
        yield step
        state = step.after


def _entries(log: Log, start: Any, steps: Sequence[Step]) -> Iterator[str]:
    game, wire = log.game, WIRES[log.game.name]
    seats = (None, *range(1, log.seats + 1))
    views = {seat: _data(wire.encode(game.project(start, seat))) for seat in seats}
    for version, step in enumerate(steps, start=1):
        yield f"\n{version} {step.seat} {_text(_data(wire.encode_command(step.command)))}"
        for event in step.events:
            yield f"  = {_text(_data(wire.encode_event(event)))}"
        yield from _seen(log, step, seats)
        before, views = views, {seat: _data(wire.encode(game.project(step.after, seat))) for seat in seats}
        yield f"  * {_changes(before[None], views[None])}"
        for seat in seats[1:]:
            own = {name: value for name, value in views[seat].items() if value != views[None].get(name)}
            legal = [_data(wire.encode_command(command)) for command in game.legal(step.after, seat)]
            if own or legal:
                yield " ".join(filter(None, (f"  {seat}", _changes(before[seat], own), f"legal={_text(legal)}")))
    yield ""
    for place in game.standings(steps[-1].after):
        yield f"{place.rank}. seat {place.seat} with {place.score}"


def _seen(log: Log, step: Step, seats: Sequence[int | None]) -> Iterator[str]:
    wire = WIRES[log.game.name]
    for event in step.events:
        for seat in seats:
            seen = log.game.see(event, seat)
            if seen != event:
                text = "nothing" if seen is None else _text(_data(wire.encode_event(seen)))
                yield f"  ~ {seat or 'all'} {text}"


def _changes(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return the fields that changed; of a list that only grew, what it grew by."""
    changes = []
    for name, new in sorted(after.items()):
        old = before.get(name)
        if isinstance(new, list) and old and new[: len(old)] == old and new != old:
            changes.append(f"{name}+={_text(new[len(old) :])}")
        elif new != old:
            changes.append(f"{name}={_text(new)}")
    return " ".join(changes)


def _data(message: Any) -> dict[str, Any]:
    return MessageToDict(message, always_print_fields_with_no_presence=True)


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), sort_keys=True)


if __name__ == "__main__":
    for path in files():
        path.write_text(write(read(path)))
