"""A draft is nothing until it is committed, and consequences have an end."""

from dataclasses import replace
from itertools import count

import pytest

from service import draft as drafts
from service import fold
from service.draft import Draft, Founding, found
from service.games import GAMES
from service.games.double_speed.cards import Card
from service.games.double_speed.options import Deadlock, HardDeadlock, Match
from service.games.double_tricks.commands import Bid
from tests.table.playing import GAME, KEYS, asked, founding

TABLE = "00.aaaaaaaaaaaaaaaaaa"
NONE_FITS = "Ro-Gq Ro-Bt Ro-Ys Ro-Vd Ro-Wh Gq-Bt Gq-Ys Gq-Vd Gq-Wh Bt-Ys Bt-Vd Bt-Wh"


def test_a_draft_leaves_the_table_it_was_made_from_as_it_was() -> None:
    table = found(TABLE, founding(), KEYS, 1_000).table
    command = asked(table)
    draft = Draft(table, 2_000)
    draft.add(
        command.seat, command.command_id, command.command, GAME.decide(table.state, command.seat, command.command)
    )
    assert command.command_id not in table.commands
    assert draft.committed(table).commands == {command.command_id: 3}
    assert (draft.seen, draft.table.head.version) == (table.head, 3)


def test_a_drafts_time_is_never_before_the_tables() -> None:
    table = found(TABLE, founding(), KEYS, 1_000).table
    draft = Draft(table, 500)
    draft.add(1, b"", Bid(0), ())
    assert draft.table.updated_ms == 1_000


def test_folding_what_was_drafted_gives_the_same_table() -> None:
    draft = found(TABLE, founding(), KEYS, 1_000)
    step = fold.begin(TABLE, draft.entries[0], KEYS)
    step = fold.advance(step.table, draft.entries[1])
    assert (step.table.head, step.table.state, step.table.deals) == (draft.table.head, draft.table.state, 1)


def test_every_deal_has_chance_of_its_own() -> None:
    table = found(TABLE, founding(), KEYS, 1_000).table
    assert len({replace(table, deals=deal).draw().shuffled(range(27)) for deal in range(10)}) == 10


def test_a_dealer_that_never_stops_is_a_bug_and_not_an_endless_table(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()
    endless = replace(GAME, chance=lambda state, draw: Bid(next(numbers)), decide=lambda state, seat, command: ())
    monkeypatch.setitem(GAMES, GAME.name, endless)
    with pytest.raises(RuntimeError, match="no end"):
        found(TABLE, replace(founding(), game=endless), KEYS, 1_000)
    assert next(numbers) <= drafts.CONSEQUENCES_MAX + 1


def test_a_match_whose_every_round_is_over_when_it_is_dealt_comes_to_its_end() -> None:
    race = GAMES["double_speed"]
    hopeless = race.options(
        deck=tuple(map(Card.parse, NONE_FITS.split())),
        hand_limit=1,
        deadlock=Deadlock.AUTO,
        hard_deadlock=HardDeadlock.STALEMATE,
        match=Match.FIRST_TO,
        rounds=15,
    )
    draft = found(TABLE, Founding(race, hopeless, (b"",) * 4, spectators=False), KEYS, 1_000)
    assert (draft.table.deals, draft.table.status) == (15 + 3 * 14, fold.FINISHED)
