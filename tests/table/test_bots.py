"""Bots: they play when they have thought, once, whichever process is first, and know only what their seats may see."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from stammtisch.table.v1 import table_pb2

from service.bots import BOTS
from service.bots.brain import Strength
from service.draft import tick_id
from service.duty import next_duty
from service.fold import FINISHED, RUNNING
from service.games import GAMES
from service.table import Asked
from service.terms import Terms
from tests.table.clockwork import PATIENCE, Clockwork
from tests.table.faulty_log import FaultyLog
from tests.table.playing import new_id

RANDOM, STEADY = table_pb2.BOT_STRENGTH_RANDOM, table_pb2.BOT_STRENGTH_STEADY
MIXED = {2: STEADY, 3: RANDOM, 4: STEADY}


@pytest.mark.parametrize("game", GAMES)
async def test_one_person_and_three_bots_play_to_the_end_and_the_log_verifies(here: Clockwork, game: str) -> None:
    table = await here.play(await here.create(game, 4, Terms(), bots=MIXED))
    assert table.status == FINISHED
    verified = await here.verified(table)
    assert verified.status == "finished"


async def test_bots_alone_play_to_the_end(here: Clockwork) -> None:
    table = await here.play(await here.create("double_tricks", 3, Terms(), bots={1: STEADY, 2: STEADY, 3: RANDOM}))
    assert table.status == FINISHED


async def test_a_bot_thinks_as_long_as_the_terms_say(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms(thinking_ms=5_000), bots={1: STEADY, 2: STEADY})
    here.now_ms += 4_999
    await here.tables.time.tick(table.charter.table_id)
    assert (await here.look(table)).head == table.head
    here.now_ms += 1
    await here.tables.time.tick(table.charter.table_id)
    assert (await here.look(table)).updated_ms == table.updated_ms + 5_000


async def test_a_bot_plays_once_however_many_processes_want_it_to(here: Clockwork, log: FaultyLog) -> None:
    there = Clockwork(log)
    table = await here.create("double_tricks", 2, Terms(), bots={1: RANDOM, 2: RANDOM})
    there.now_ms = here.now_ms = here.now_ms + 1_000
    await asyncio.gather(*(each.tables.time.tick(table.charter.table_id) for each in (here, there, here, there)))
    assert (await here.look(table)).head.version == table.head.version + 1


async def test_nobody_can_foresee_the_id_under_which_a_bot_will_play(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms(), bots={2: STEADY})
    charter = table.charter
    assert tick_id(charter, 3) != tick_id(replace(charter, root=bytes(32)), 3)


async def test_nobody_can_foresee_when_a_bot_races(here: Clockwork) -> None:
    table = await here.create("double_speed", 4, Terms(thinking_ms=100_000), bots=dict.fromkeys((1, 2, 3, 4), STEADY))
    roots = [bytes([number]) * 32 for number in range(20)]
    guesses = [replace(table, charter=replace(table.charter, root=root)) for root in roots]
    assert len({next_duty(guess, PATIENCE) for guess in guesses}) > 1


async def test_whoever_waits_for_a_bot_that_has_not_thought_finds_nothing_done(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms(), bots={1: STEADY, 2: STEADY})
    await here.tables.time.tick(table.charter.table_id)
    assert (await here.look(table)).head == table.head


async def test_a_table_without_bots_and_clock_has_nothing_to_do_by_itself(here: Clockwork) -> None:
    table = await here.create("double_tricks", 2, Terms())
    await here.tables.time.tick(table.charter.table_id)
    assert (await here.look(table)).head == table.head
    assert not table.waiting.since


async def test_a_bot_racing_is_put_off_only_by_what_changes_what_it_may_do(here: Clockwork) -> None:
    table = await here.create("double_speed", 2, Terms(thinking_ms=10_000), bots={2: STEADY})
    while table.status == RUNNING and (legal := list(table.charter.game.legal(table.state, 1))):
        before, here.now_ms = table, here.now_ms + 1
        table = (await here.tables.act(table.charter.table_id, Asked(1, new_id(), legal[0]))).table
        if table.status == RUNNING:
            may, might = (list(each.charter.game.legal(each.state, 2)) for each in (table, before))
            assert table.waiting.since[2] == (before.waiting.since[2] if may == might else here.now_ms)


@pytest.mark.parametrize("brain", [lambda sight, dice: 1 / 0, lambda sight, dice: "nothing legal"])
async def test_a_bot_whose_brain_fails_does_the_games_default(
    here: Clockwork, monkeypatch: pytest.MonkeyPatch, brain: Any
) -> None:
    monkeypatch.setitem(BOTS["double_tricks"], Strength.STEADY, brain)
    table = await here.create("double_tricks", 2, Terms(), bots={1: STEADY, 2: STEADY})
    (seat,) = table.seats_to_act
    await here.on_time(table)
    (step,) = await here.tables.steps(table.charter.table_id, table.head.version)
    assert step.entry.command == table.charter.game.default(table.state, seat)
