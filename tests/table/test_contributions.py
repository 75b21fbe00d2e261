"""Contributions make the deal: each changes it, and once the last person has committed himself nobody can change it."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stammtisch.table.v1 import entry_pb2

from service.draft import Founding
from service.draw import CONTRIBUTION_BYTES, committed
from service.fold import Table
from service.log import MemoryLog
from service.objections import ContributionDiffers
from service.table import Asked, Tables
from service.terms import Revealing, Terms
from tests.table.playing import GAME, SHORT, new_id, replica

COMMAND_ID = b"always the same "  # and so is the table's root
THREE = st.tuples(*[st.binary(min_size=CONTRIBUTION_BYTES, max_size=CONTRIBUTION_BYTES)] * 3)
ONE = st.binary(min_size=CONTRIBUTION_BYTES, max_size=CONTRIBUTION_BYTES)
Contributions = tuple[bytes, ...]


async def given_in_clear(contributions: Contributions) -> Table:
    founding = Founding(GAME, SHORT, contributions, spectators=True)
    return (await replica(MemoryLog()).create("somebody", COMMAND_ID, founding)).table


async def committing(tables: Tables, contributions: Contributions) -> Table:
    commitments = tuple(map(committed, contributions))
    terms = Terms(revealing=Revealing())
    founding = Founding(GAME, SHORT, (b"",) * 3, spectators=True, terms=terms, commitments=commitments)
    return (await tables.create("somebody", COMMAND_ID, founding)).table


async def reveal(tables: Tables, table: Table, seat: int, contribution: bytes) -> Table:
    asked = Asked(seat, new_id(), entry_pb2.Reveal(contribution=contribution))
    return (await tables.reveal(table.charter.table_id, asked)).table


async def revealed(contributions: Contributions, order: tuple[int, ...] = (1, 2, 3)) -> Table:
    tables = replica(MemoryLog())
    table = await committing(tables, contributions)
    for seat in order:
        table = await reveal(tables, table, seat, contributions[seat - 1])
    return table


@pytest.mark.parametrize("contribute", [given_in_clear, revealed])
@settings(max_examples=10, deadline=None)
@given(contributions=THREE, other=ONE, place=st.integers(0, 2))
async def test_each_contribution_changes_the_deal(
    contribute: object, contributions: Contributions, other: bytes, place: int
) -> None:
    changed = (*contributions[:place], other, *contributions[place + 1 :])
    first, second = await contribute(contributions), await contribute(changed)  # type: ignore[operator]
    assert first.charter.root == second.charter.root
    assert (first.state == second.state) == (contributions == changed)


@settings(max_examples=10, deadline=None)
@given(contributions=THREE)
async def test_in_which_order_people_reveal_makes_no_difference(contributions: Contributions) -> None:
    deals = {(await revealed(contributions, order)).state for order in permutations((1, 2, 3))}
    assert len(deals) == 1


@settings(max_examples=10, deadline=None)
@given(contributions=THREE)
async def test_revealed_or_given_in_clear_the_same_contributions_make_the_same_deal(
    contributions: Contributions,
) -> None:
    assert (await revealed(contributions)).state == (await given_in_clear(contributions)).state


@settings(max_examples=20, deadline=None)
@given(contributions=THREE, other=ONE)
async def test_once_all_have_committed_themselves_the_last_to_reveal_can_choose_nothing(
    contributions: Contributions, other: bytes
) -> None:
    tables = replica(MemoryLog())
    table = await committing(tables, contributions)
    for seat in (1, 2):
        table = await reveal(tables, table, seat, contributions[seat - 1])
    if other != contributions[2]:
        with pytest.raises(ContributionDiffers):
            await reveal(tables, table, 3, other)
    table = await reveal(tables, table, 3, contributions[2])
    assert table.state == (await revealed(contributions)).state
