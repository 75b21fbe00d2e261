import asyncio
from dataclasses import fields

import pytest

from service.audit.show import show
from service.audit.trouble import Unusable
from service.games import GAMES
from service.games.doppelkopf.options import Options
from service.games.doppelkopf.rules import Profile
from service.kit.options import settled
from tests.audit.games import Played, play, small


@pytest.fixture(scope="module")
def played() -> Played:
    return asyncio.run(small())


def shown(played: Played, seat: int | None = None, at: int | None = None) -> str:
    return "\n".join(show(played.log, seat, at))


def test_a_record_begins_with_the_table(played: Played) -> None:
    header = shown(played).splitlines()[:6]
    assert header == [
        f"Table    {played.table_id}",
        "Game     DOUBLE, double_tricks/1",
        "Seats    2, and spectators",
        "Options  sets=1 hand_sizes=[1]",
        "Status   finished",
        f"Head     version 7, hash {played.versions[-1].head.hash.hex()}",
    ]


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        (Options(), "as usual"),
        (Options(profile=Profile.DDV), "profile=DDV"),
        (Options(profile=Profile.DDV, foxes=False), "profile=DDV foxes=no"),
    ],
)
def test_what_the_profile_has_need_not_be_told(chosen: Options, told: str) -> None:
    filled_in = settled(chosen)
    options = {each.name: getattr(filled_in, each.name) for each in fields(filled_in)}
    played = asyncio.run(play("doppelkopf", options=options, commands=0))
    assert shown(played).splitlines()[3] == f"Options  {told}"


def test_every_entry_has_its_command_and_events_in_words(played: Played) -> None:
    (card,) = played.versions[-2].state.trick
    record = shown(played)
    assert f"seat {card.seat}: PlayCard card={card.card} motif={card.motif}" in record
    assert f"        CardPlayed seat={card.seat} card={card.card} motif={card.motif}" in record
    assert "table: EndTable status=STATUS_FINISHED" in record
    assert "dealer: Deal dealer=" in record


def test_it_says_what_each_seat_saw_where_that_differs(played: Played) -> None:
    (first,), (second,) = played.versions[0].state.hands
    lines = shown(played).splitlines()
    seen = [line.strip() for line in lines if " saw " in line]
    assert [line.split(" saw ")[0] for line in seen] == ["seat 1", "seat 2", "a spectator"]
    assert (str(first) in seen[0], str(second) in seen[0]) == (True, False)
    assert (str(first) in seen[1], str(second) in seen[1]) == (False, True)
    assert (str(first) in seen[2], str(second) in seen[2]) == (False, False)


def test_a_seat_is_shown_nothing_that_it_did_not_see(played: Played) -> None:
    (_first,), (second,) = played.versions[0].state.hands
    until_the_card_is_played = shown(played, seat=1).split(f"PlayCard card={second}")[0]
    assert str(second) not in until_the_card_is_played
    assert "dealer: private" in until_the_card_is_played
    assert str(second) in shown(played, seat=2)


def test_a_version_is_shown_with_what_the_seat_knew_and_could_do(played: Played) -> None:
    table = played.versions[0]
    seat = table.state.turn
    record = shown(played, seat, at=2)
    assert f"What seat {seat} knew at version 2:" in record
    assert "phase: BID" in record
    for command in GAMES["double_tricks"].legal(table.state, seat):
        assert f"  Bid tricks={command.tricks}" in record
    other = shown(played, 3 - seat, at=2)
    assert "legal: nothing" in other


def test_a_version_is_shown_as_everybody_knew_it_where_no_seat_is_asked_for(played: Played) -> None:
    record = shown(played, at=2)
    for viewer in ("seat 1", "seat 2", "a spectator"):
        assert f"What {viewer} knew at version 2:" in record


def test_the_views_of_a_seat_at_any_version_can_be_shown() -> None:
    game = asyncio.run(play(seats=3))
    for version in range(1, len(game.log.entries) + 1, 7):
        assert f"What seat 3 knew at version {version}:" in shown(game, 3, version)


def test_of_a_running_table_the_faces_are_shown_and_the_rest_is_said_to_be_sealed() -> None:
    running = asyncio.run(small(commands=2))
    (first,), (second,) = running.versions[0].state.hands
    record = shown(running)
    assert "The table is running: what is private is sealed" in record
    assert "dealer: sealed" in record
    assert "(the rest is sealed)" in record
    assert str(first) not in record
    assert str(second) not in record
    assert "anybody's view of it, cannot be shown" in shown(running, at=2)
    assert "what only seat 1 saw cannot be shown" in shown(running, seat=1)


@pytest.mark.parametrize(("seat", "at"), [(0, None), (3, None), (-1, None), (None, 0), (None, 8), (None, -1)])
def test_a_seat_or_version_that_is_not_there_is_said_to_be_so(played: Played, seat: int | None, at: int | None) -> None:
    with pytest.raises(Unusable, match=r"the table has the seats 1 to 2|the log has the versions 1 to 7"):
        shown(played, seat, at)
