"""Every command is done exactly once, whoever is asked and however often."""

import asyncio
import random
from dataclasses import replace

import pytest

from service.fold import RUNNING
from service.games.double_tricks.commands import Bid
from service.log import Append, Behind, Outcome, Page
from service.objections import CommandIdReused, RulesRefuse, Stale, TableFull, TooManyConflicts, WrongGame
from service.table import Done, Tables
from tests.table.faulty_log import FaultyLog
from tests.table.playing import GAME, SHORT, asked, move, moves, new_table, play, replica


def same_outcome(first: Done, again: Done) -> bool:
    return (first.table.head, first.table.state, first.entries) == (again.table.head, again.table.state, again.entries)


async def test_a_second_command_with_the_same_id_answers_as_the_first_and_does_nothing(
    log: FaultyLog, tables: Tables
) -> None:
    table = await new_table(tables)
    bid = asked(table)
    first = await tables.act(table.charter.table_id, bid)
    stored = log.entries(table.charter.table_id)
    again = await tables.act(table.charter.table_id, bid)
    assert (first.duplicate, again.duplicate) == (False, True)
    assert same_outcome(first, again)
    assert log.entries(table.charter.table_id) == stored


async def test_the_first_outcome_is_told_after_the_game_went_on_and_after_it_ended(tables: Tables) -> None:
    table = await new_table(tables)
    bid = asked(table)
    first = await tables.act(table.charter.table_id, bid)
    table = await moves(tables, first.table, 2)
    assert same_outcome(first, await tables.act(table.charter.table_id, bid))
    await play(tables, table)
    assert same_outcome(first, await tables.act(table.charter.table_id, bid))


async def test_a_repeated_command_that_ended_a_round_brings_the_next_deal_again(tables: Tables) -> None:
    table = await new_table(tables)
    while True:
        command = asked(table)
        done = await tables.act(table.charter.table_id, command)
        table = done.table
        if len(done.entries) > 1:
            break
    again = await tables.act(table.charter.table_id, command)
    assert same_outcome(done, again)
    assert again.entries[1].seat == 0


async def test_the_last_command_of_a_game_can_be_repeated(tables: Tables) -> None:
    table = await new_table(tables)
    while True:
        command = asked(table)
        done = await tables.act(table.charter.table_id, command)
        table = done.table
        if table.status != RUNNING:
            break
    assert same_outcome(done, await tables.act(table.charter.table_id, command))


async def test_another_process_and_one_started_later_know_the_id_too(
    log: FaultyLog, tables: Tables, others: Tables
) -> None:
    table = await new_table(tables)
    await others.look(table.charter.table_id)  # so that its copy is old when it is asked
    bid = asked(table)
    first = await tables.act(table.charter.table_id, bid)
    for process in (others, replica(log)):
        again = await process.act(table.charter.table_id, bid)
        assert again.duplicate
        assert same_outcome(first, again)


async def test_an_id_used_for_another_command_is_refused_everywhere(
    log: FaultyLog, tables: Tables, others: Tables
) -> None:
    table = await new_table(tables)
    bid = asked(table)
    await others.look(table.charter.table_id)
    await tables.act(table.charter.table_id, bid)
    for process in (tables, others, replica(log)):
        with pytest.raises(CommandIdReused):
            await process.act(table.charter.table_id, replace(bid, command=Bid(1 - bid.command.tricks)))


async def test_an_id_used_by_another_seat_is_refused(tables: Tables) -> None:
    table = await new_table(tables)
    bid = asked(table)
    await tables.act(table.charter.table_id, bid)
    with pytest.raises(CommandIdReused):
        await tables.act(table.charter.table_id, replace(bid, seat=3 - bid.seat))


async def test_an_id_used_for_closing_cannot_be_used_for_playing(tables: Tables) -> None:
    table = await new_table(tables)
    bid = asked(table)
    await tables.close(table.charter.table_id, bid.command_id)
    with pytest.raises(CommandIdReused):
        await tables.act(table.charter.table_id, bid)


async def test_the_same_command_sent_many_times_at_once_is_done_once(tables: Tables, others: Tables) -> None:
    table = await new_table(tables)
    bid = asked(table)
    dones = await asyncio.gather(*(process.act(table.charter.table_id, bid) for process in (tables, others) * 10))
    assert sum(not done.duplicate for done in dones) == 1
    assert all(same_outcome(dones[0], done) for done in dones)


async def test_two_processes_taking_turns_at_random_finish_games_and_refuse_nothing(log: FaultyLog) -> None:
    chance = random.Random(7)
    processes = (replica(log), replica(log))
    for _ in range(5):
        table = await new_table(processes[0], seats=3)
        while table.status == RUNNING:
            done = await chance.choice(processes).act(table.charter.table_id, asked(table, chance))
            assert done.table.head.version > table.head.version
            table = done.table
        assert [(await process.look(table.charter.table_id)).head for process in processes] == [table.head] * 2


async def test_a_process_that_is_behind_catches_up_before_it_refuses(tables: Tables, others: Tables) -> None:
    table = await new_table(tables)
    old = await others.look(table.charter.table_id)
    table = (await move(tables, table)).table
    command = asked(table)
    with pytest.raises(RulesRefuse):
        await tables.act(table.charter.table_id, asked(old))
    assert not (await others.act(table.charter.table_id, command)).duplicate  # not this seat's turn at `old`


async def test_a_refusal_tells_the_newest_table(tables: Tables, others: Tables) -> None:
    table = await new_table(tables)
    await others.look(table.charter.table_id)
    newest = (await move(tables, table)).table
    with pytest.raises(RulesRefuse) as refused:
        await others.act(table.charter.table_id, replace(asked(table), command=Bid(99)))
    assert refused.value.table.head == newest.head


async def test_a_refusal_writes_nothing(log: FaultyLog, tables: Tables) -> None:
    table = await new_table(tables)
    stored = log.entries(table.charter.table_id)
    with pytest.raises(RulesRefuse):
        await tables.act(table.charter.table_id, replace(asked(table), command=Bid(99)))
    assert log.entries(table.charter.table_id) == stored


async def test_an_expected_version_holds_also_where_the_process_is_behind(tables: Tables, others: Tables) -> None:
    table = await new_table(tables)
    await others.look(table.charter.table_id)
    newest = (await move(tables, table)).table
    command = asked(newest)
    with pytest.raises(Stale) as stale:
        await others.act(table.charter.table_id, replace(command, expected=table.head.version))
    assert stale.value.version == newest.head.version
    done = await others.act(table.charter.table_id, replace(command, expected=newest.head.version))
    assert done.table.head.version == newest.head.version + 1
    again = await others.act(table.charter.table_id, replace(command, expected=newest.head.version))
    assert again.duplicate  # although the version is another by now


async def test_who_always_comes_too_late_is_told_after_so_many_tries(log: FaultyLog) -> None:
    tables = replica(log, conflicts=3)
    table = await new_table(tables)
    tries: list[Append] = []

    async def too_late(append: Append) -> Outcome:
        tries.append(append)
        return Behind(Page(table.head.version, (), table.head))

    log.append = too_late  # type: ignore[method-assign]
    with pytest.raises(TooManyConflicts):
        await move(tables, table)
    assert len(tries) == 3


async def test_a_full_table_takes_no_command_but_can_be_closed(log: FaultyLog, tables: Tables) -> None:
    full = replica(log, entries=2)
    table = await new_table(tables)
    with pytest.raises(TableFull):
        await move(full, table)
    assert (await full.close(table.charter.table_id, b"c" * 16)).table.status != RUNNING


async def test_a_command_of_another_game_is_refused_as_such(tables: Tables) -> None:
    table = await new_table(tables)
    with pytest.raises(WrongGame) as wrong:
        await tables.act(table.charter.table_id, replace(asked(table), command=SHORT))
    assert wrong.value.game == GAME.name
