"""A fork goes on from a version of an ended table, under a root of its own."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

import service.fork
from service.audit.exported import Exported, write
from service.audit.verify import Verified, verify
from service.draft import Founding
from service.draw import committed
from service.fold import FINISHED, FORMING, REVEALING, RUNNING, Table
from service.fork import CannotFork
from service.games import GAMES
from service.kit.options import settled
from service.objections import CommandIdReused, NotEnded, VersionUnknown
from service.table import Asked, Tables
from service.terms import Terms
from tests.games.story import choose, known_of
from tests.table.clockwork import Clockwork
from tests.table.contributing import REVEALED, contribution, reveal
from tests.table.faulty_log import FaultyLog
from tests.table.playing import SHORT, founding, move, moves, new_id, new_table, play

KEPT, REDEALT = table_pb2.CARDS_KEPT, table_pb2.CARDS_REDEALT
STEADY = table_pb2.BOT_STRENGTH_STEADY
SEATS = 4


async def started(tables: Tables, game: str, seed: int = 1) -> Table:
    kind = GAMES[game]
    asked = Founding(kind, settled(known_of(kind).short), (b"",) * SEATS, spectators=True)
    return (await tables.create("somebody", Random(seed).randbytes(16), asked)).table


async def played(tables: Tables, table: Table, commands: int, seed: int = 1) -> Table:
    """Give so many commands at random, unless the game is over before."""
    chance, game = Random(seed), table.charter.game
    for _ in range(commands):
        if table.status != RUNNING:
            break
        chosen = choose(game, known_of(game), table.state, SEATS, chance)
        assert chosen
        seat, command = chosen
        since = table.seating.chair(seat).since
        table = (await tables.act(table.charter.table_id, Asked(seat, new_id(), command, since=since))).table
    return table


async def closed(tables: Tables, table: Table) -> Table:
    return (await tables.close(table.charter.table_id, new_id())).table


async def fork(
    tables: Tables, before: Table, version: int, command_id: bytes = b"", cards: Any = KEPT, **changed: Any
) -> Table:
    position = await tables.position(before, version)
    charter = before.charter
    asked = Founding(charter.game, charter.options, (b"",) * len(charter.seats), spectators=False)
    asked = replace(asked, forked_from=position.origin(cards), **changed)
    return (await tables.create("somebody", command_id or new_id(), asked, position.events)).table


async def verified(tables: Tables, *tables_and_origin: Table) -> Verified:
    files = [write(Exported(table.charter.table_id, await entries(tables, table))) for table in tables_and_origin]
    return verify(*files)


async def entries(tables: Tables, table: Table) -> tuple[bytes, ...]:
    return tuple(entry for _, entry in await tables.log(table.charter.table_id))


async def events(tables: Tables, table: Table) -> Sequence[Any]:
    game = table.charter.game
    steps = await tables.steps(table.charter.table_id, 0)
    return [event for step in steps for event in step.entry.events if isinstance(event, game.events)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("commands", [0, 3, 17, 40])
async def test_it_begins_where_the_other_was_and_is_played_to_its_end(tables: Tables, game: str, commands: int) -> None:
    then = await played(tables, await started(tables, game), commands)
    version = then.head.version if then.status == RUNNING else then.head.version // 2
    before = await closed(tables, then) if then.status == RUNNING else then
    there = (await tables.look_back(before.charter.table_id, version)).table
    here = await fork(tables, before, version)
    assert here.state == there.state
    assert (here.status, here.head.version, here.deals) == (RUNNING, 2, 0)
    over = await played(tables, here, 10_000, seed=2)
    assert over.status == FINISHED
    told = await verified(tables, over, before)
    assert told.origin_checked
    assert told.position == len((await tables.position(before, version)).events)


async def test_at_a_version_at_which_a_deal_was_due_it_deals_by_its_own_root(tables: Tables) -> None:
    before = await play(tables, await new_table(tables))
    here = await fork(tables, before, 1)
    assert (here.head.version, here.deals) == (3, 1)
    theirs = (await tables.look_back(before.charter.table_id, 2)).table
    assert here.state.hands != theirs.state.hands
    await verified(tables, await play(tables, here), before)


async def test_every_process_finds_the_same_fork_and_the_same_request_makes_one(tables: Tables, others: Tables) -> None:
    before, command_id = await closed(tables, await moves(tables, await new_table(tables), 2)), new_id()
    here = await fork(tables, before, 4, command_id)
    again = await fork(others, before, 4, command_id)
    assert again.head == here.head
    assert (await others.look(here.charter.table_id)).state == here.state
    for other in ({"version": 3}, {"cards": table_pb2.CARDS_REDEALT}, {"terms": Terms(thinking_ms=1)}):
        with pytest.raises(CommandIdReused):
            await fork(others, before, **{"version": 4, "command_id": command_id, **other})  # type: ignore[arg-type]


async def test_what_was_private_is_sealed_anew(tables: Tables) -> None:
    before = await closed(tables, await moves(tables, await new_table(tables), 1))
    here = await fork(tables, before, 3)
    position = entry_pb2.Entry.FromString((await entries(tables, here))[1])
    kinds = [event.WhichOneof("fact") for event in position.events]
    assert kinds == ["table", "sealed", "game"]
    assert await events(tables, here) == (await events(tables, before))[:2]


async def test_people_sit_down_and_then_it_goes_on(tables: Tables) -> None:
    before = await closed(tables, await moves(tables, await new_table(tables), 2))
    here = await fork(tables, before, 4, open_seats=(1, 2))
    assert (here.status, here.seats_to_act) == (FORMING, ())
    for name in ("Ada", "Grace"):
        here = (await tables.join(here.charter.table_id, new_id(), entry_pb2.TakeSeat(), name)).table
    assert (here.status, here.state) == (RUNNING, (await tables.look_back(before.charter.table_id, 4)).table.state)
    await verified(tables, await play(tables, here), before)


@pytest.mark.parametrize("game", GAMES)
async def test_bots_play_it_on(log: FaultyLog, game: str) -> None:
    here = Clockwork(log)
    before = await closed(here.tables, await played(here.tables, await started(here.tables, game), 9))
    bots = dict.fromkeys((1, 2, 4), STEADY)
    table = await fork(here.tables, before, before.head.version - 1, bots=bots)
    assert (await here.play(table)).status == FINISHED
    await here.verified(table)


async def test_a_fork_has_forks_and_a_rematch(tables: Tables) -> None:
    first = await closed(tables, await moves(tables, await new_table(tables), 2))
    second = await closed(tables, await moves(tables, await fork(tables, first, 3), 1))
    third = await play(tables, await fork(tables, second, 3))
    await verified(tables, third, second)
    await verified(tables, second, first)
    rematch = (await tables.rematch(third)).table
    assert (rematch.charter.forked_from, rematch.charter.options) == (None, settled(SHORT))


async def test_looking_back_begins_with_its_own_versions(tables: Tables) -> None:
    before = await closed(tables, await moves(tables, await new_table(tables), 2))
    here = await fork(tables, before, 4)
    steps = [await tables.look_back(here.charter.table_id, version) for version in (1, 2)]
    assert steps[0].table.state == before.charter.game.start(before.charter.options, 2)
    assert steps[1].table.state == here.state


async def test_nobody_forks_a_table_before_its_end(tables: Tables) -> None:
    with pytest.raises(NotEnded):
        await tables.position(await new_table(tables), 1)


@pytest.mark.parametrize("version", [-1, 0, 5])
async def test_a_version_that_the_table_has_not_is_named(tables: Tables, version: int) -> None:
    before = await closed(tables, await moves(tables, await new_table(tables), 1))
    with pytest.raises(VersionUnknown) as raised:
        await tables.position(before, version)
    assert raised.value.newest == 4


async def test_where_the_game_is_over_there_is_no_going_on(tables: Tables) -> None:
    before = await play(tables, await new_table(tables))
    for version in (before.head.version, before.head.version - 1):
        with pytest.raises(CannotFork, match="version: The game is over by then"):
            await tables.position(before, version)
    await tables.position(before, before.head.version - 2)


async def test_a_position_of_too_many_events_is_refused(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    before = await closed(tables, await moves(tables, await new_table(tables), 2))
    monkeypatch.setattr(service.fork, "POSITION_EVENTS_MAX", 2)
    await tables.position(before, 3)
    with pytest.raises(CannotFork, match="version: By then 3 things have happened, and a fork takes 2"):
        await tables.position(before, 4)


async def test_a_table_that_never_began_is_forked_from_its_beginning(tables: Tables) -> None:
    asked = replace(founding(), open_seats=(2,), names={})
    forming = (await tables.create("somebody", new_id(), asked)).table
    before = await closed(tables, forming)
    here = await fork(tables, before, 1)
    assert (here.deals, here.head.version) == (1, 3)
    await move(tables, here)


DEALT_ANEW = [game for game, kind in GAMES.items() if known_of(kind).dealt_anew]


async def redealt(tables: Tables, before: Table, **changed: Any) -> Table:
    return await fork(tables, before, before.head.version - 1, cards=REDEALT, **changed)


@pytest.mark.parametrize("game", DEALT_ANEW)
async def test_hidden_cards_are_dealt_anew_and_all_else_stays(tables: Tables, game: str) -> None:
    before = await closed(tables, await played(tables, await started(tables, game), 11))
    there, kind = (await tables.look_back(before.charter.table_id, before.head.version - 1)).table, GAMES[game]
    one, other = await redealt(tables, before), await redealt(tables, before)
    for here in (one, other):
        assert (here.head.version, here.deals) == (3, 1)
        assert kind.project(here.state, None) == kind.project(there.state, None)
    assert len({world.state.hands for world in (there, one, other)}) == 3
    over = await played(tables, one, 10_000)
    assert (over.status, (await verified(tables, over, before)).origin_checked) == (FINISHED, True)


async def test_cards_are_dealt_anew_when_all_have_come_and_by_what_they_contribute(tables: Tables) -> None:
    before = await closed(tables, await moves(tables, await new_table(tables), 2))
    here = await redealt(tables, before, open_seats=(1, 2))
    assert (here.status, here.head.version, here.deals) == (FORMING, 2, 0)
    for given in (b"1" * 32, b"2" * 32):
        wanted = entry_pb2.TakeSeat(contribution=given)
        here = (await tables.join(here.charter.table_id, new_id(), wanted, "")).table
    assert (here.status, here.deals) == (RUNNING, 1)
    assert here.seating.contributions == (b"1" * 32, b"2" * 32)
    await verified(tables, await play(tables, here), before)


async def test_cards_are_dealt_anew_once_contributions_have_been_revealed(log: FaultyLog) -> None:
    here = Clockwork(log)
    before = await closed(here.tables, await moves(here.tables, await new_table(here.tables), 2))
    commitments = tuple(committed(contribution(seat)) for seat in (1, 2))
    table = await redealt(here.tables, before, terms=REVEALED, commitments=commitments)
    assert (table.status, table.head.version, table.deals) == (REVEALING, 2, 0)
    for seat in (2, 1):
        table = (await reveal(here, table, seat)).table
    assert (table.status, table.deals) == (RUNNING, 1)
    told = await verified(here.tables, await here.play(table), before)
    assert (told.fairness, told.origin_checked) == (table_pb2.FAIRNESS_JOINT, True)


async def test_cards_that_were_dealt_elsewhere_are_not_said_to_be_everybodys_chance(log: FaultyLog) -> None:
    here = Clockwork(log)
    before = await closed(here.tables, await moves(here.tables, await new_table(here.tables), 2))
    commitments = tuple(committed(contribution(seat)) for seat in (1, 2))
    table = await fork(here.tables, before, 3, terms=REVEALED, commitments=commitments)
    for seat in (1, 2):
        table = (await reveal(here, table, seat)).table
    assert (table.status, table.fairness) == (RUNNING, table_pb2.FAIRNESS_COMMITTED)


async def test_the_next_deal_is_another_than_the_one_that_was_dealt_anew(tables: Tables) -> None:
    before = await closed(tables, await moves(tables, await new_table(tables), 2))
    here = await redealt(tables, before)
    while here.deals == 1:
        here = (await move(tables, here)).table
    assert here.deals == 2
    await verified(tables, await play(tables, here), before)


async def test_between_two_rounds_there_is_nothing_to_deal_anew_but_the_next_round(tables: Tables) -> None:
    before = await play(tables, await new_table(tables))
    here = await fork(tables, before, 1, cards=REDEALT)
    assert (here.head.version, here.deals) == (3, 1)
    await verified(tables, await play(tables, here), before)


@pytest.mark.parametrize("game", DEALT_ANEW)
async def test_bots_play_on_with_what_they_were_dealt_anew(log: FaultyLog, game: str) -> None:
    here = Clockwork(log)
    before = await closed(here.tables, await played(here.tables, await started(here.tables, game), 9))
    table = await redealt(here.tables, before, bots=dict.fromkeys((1, 2, 4), STEADY))
    assert (await here.play(table)).status == FINISHED
    await here.verified(table)


@pytest.mark.parametrize(
    ("game", "commands", "sentence"),
    [("double_speed", 1, "what nobody played tells of the hands"), ("doppelkopf", 1, "While reservations are made")],
)
async def test_where_cards_cannot_be_dealt_anew_a_sentence_says_why(
    tables: Tables, game: str, commands: int, sentence: str
) -> None:
    before = await closed(tables, await played(tables, await started(tables, game), commands))
    with pytest.raises(CannotFork, match=f"cards: .*{sentence}.* Send CARDS_KEPT"):
        await redealt(tables, before)
    await fork(tables, before, before.head.version - 1)
