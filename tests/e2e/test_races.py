"""Four seats that race through two service processes on one store: the log's order decides, and wrongs nobody."""

from pathlib import Path
from typing import Any

from stammtisch.double_speed.v1 import double_speed_pb2
from stammtisch.table.v1.entry_pb2 import Entry

from service.fold import advance, begin
from service.games import GAMES
from service.kit.game import Refused
from service.seal import MasterKeys
from service.wire import WIRES
from tests.racing import Raced, raced
from tests.torture.complaints import complaints
from tests.torture.fleet import sailing
from tests.torture.judge import Stored, judge
from tests.torture.store_log import stored_tables
from tests.torture.story import Story, Told

GAMES_RACED = 3
KEY = bytes(range(32))
GAME, WIRE = GAMES["double_speed"], WIRES["double_speed"]


async def test_four_seats_race_through_two_services_and_nobody_is_refused_wrongly(tmp_path: Path) -> None:
    options = double_speed_pb2.Options(starter=0)
    async with sailing(2, tmp_path, KEY) as fleet:
        first, second = (service.target for service in fleet.services)
        tables = [await raced([first, second, first, second], options) for _ in range(GAMES_RACED)]
        stored = await stored_tables(fleet.socket)
    assert complaints(tmp_path) == []
    for table in tables:
        assert table.retries == []
        assert judge(_story(table), stored[table.table_id]) == []
        assert _given(stored[table.table_id]) == sum(len(racer.accepted) for racer in table.racers)
        assert _wrongly_refused(table, stored[table.table_id]) == []


def _story(table: Raced) -> Story:
    """Return what the racers were told, as the judge reads it: that each acceptance is in the log as it was told."""
    told = [
        Told(each.command_id, seat, each.command.SerializeToString(deterministic=True), each.version, each.head_hash)
        for seat, racer in enumerate(table.racers, 1)
        for each in racer.accepted
    ]
    return Story(table.table_id, told)


def _given(stored: Stored) -> int:
    """Return how many commands of players the log holds."""
    return sum(bool(Entry.FromString(data).command_id) for _, data in stored.entries)


def _wrongly_refused(table: Raced, stored: Stored) -> list[str]:
    """Return the refusals that the rules, asked again at the version named, would not have given."""
    states = _states(table.table_id, [data for _, data in stored.entries])
    return [
        f"seat {seat}: {beaten}"
        for seat, racer in enumerate(table.racers, 1)
        for beaten in racer.beaten
        if _refusal(states[beaten.version], seat, WIRE.decode_command(beaten.command)) != beaten.reason
    ]


def _states(table_id: str, entries: list[bytes]) -> dict[int, Any]:
    keys = MasterKeys("torture", {"torture": KEY})
    steps = [begin(table_id, entries[0], keys)]
    for data in entries[1:]:
        steps.append(advance(steps[-1].table, data))
    return {step.entry.version: step.table.state for step in steps}


def _refusal(state: Any, seat: int, command: Any) -> str | None:
    try:
        GAME.decide(state, seat, command)
    except Refused as refused:
        return refused.reason.name
    return None
