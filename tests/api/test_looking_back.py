"""A table as it was: what a seat saw at an earlier version, and what everybody saw once it has ended."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf import duration_pb2
from google.rpc import error_details_pb2
from stammtisch.double_tricks.v1 import double_tricks_pb2, service_pb2

from service.api.game_messages import GameMessages, types
from service.draft import Draft, Founding, found
from service.fold import begin
from service.games import GAMES
from service.kit.game import CHANCE, AnyGame, Refused
from tests.api.house import AUDITOR_KEY, Created, House, Metadata, bearer, failed, house, rest
from tests.api.test_limits import TOO_FAST
from tests.api.test_roles import DENIED, HIDDEN
from tests.games.story import History, Story, known_of, tell
from tests.table.playing import KEYS

TABLE_ID = "00." + "a" * 18
OPTIONS = double_tricks_pb2.Options(hand_sizes=[1, 2, 2], sets=1)
UNKNOWN = ("FAILED_PRECONDITION", "VERSION_UNKNOWN")
INVALID = ("INVALID_ARGUMENT", "INVALID_FIELD")
EVERYBODY = (None, 1, 2, 3)


async def new_table(home: House, **fields: Any) -> Created:
    """Create a table for three, which spectators may watch."""
    return await home.create(**{"seats": [{}] * 3, "options": OPTIONS, "spectators": True, **fields})


async def watched(home: House, created: Created) -> dict[int | None, list[Any]]:
    """Play to the end, and return what everybody was sent of it as it happened."""
    streams = {seat: home.watch(created, seat, from_version=0) for seat in EVERYBODY}
    first = {seat: await stream.read() for seat, stream in streams.items()}
    await home.play(created)
    return {seat: [first[seat], *(await rest(stream))[:-1]] for seat, stream in streams.items()}


def as_step(view: Any) -> Any:
    """Return a view of what has been as the frame of a watcher."""
    told: Any = {name: getattr(view, name) for name in ("happened", "table", "view", "legal", "seat")}
    return service_pb2.WatchViewResponse(version=view.version, head_hash=view.head_hash, step=told)


def field_of(failure: Any) -> str:
    (violation,) = failure.detail(error_details_pb2.BadRequest).field_violations
    return str(violation.field)


async def test_an_earlier_view_is_byte_for_byte_what_was_sent_then(home: House) -> None:
    created = await new_table(home)
    for seat, frames in (await watched(home, created)).items():
        assert [frame.version for frame in frames] == list(range(1, len(frames) + 1))
        for frame in frames:
            view = await home.view(created, seat, at_version=frame.version)
            assert as_step(view).SerializeToString(deterministic=True) == frame.SerializeToString(deterministic=True)


async def test_every_earlier_view_is_there_while_the_game_goes_on(home: House) -> None:
    created = await new_table(home)
    seen: dict[int | None, list[Any]] = {seat: [] for seat in EVERYBODY}
    while (newest := await home.view(created)).table.seats_to_act:
        for seat in EVERYBODY:
            now = await home.view(created, seat)
            seen[seat].append(now)
            for then in seen[seat]:
                past = await home.view(created, seat, at_version=then.version)
                past.ClearField("happened")
                assert past == then
                assert not past.table.root
        await home.move(created)
    assert newest.table.root
    for seat in EVERYBODY:
        assert not (await home.view(created, seat, at_version=newest.version - 1)).table.root
        assert (await home.view(created, seat, at_version=newest.version)).table.root


async def test_a_view_of_now_does_not_say_what_happened(home: House) -> None:
    created = await new_table(home)
    now = await home.view(created)
    then = await home.view(created, at_version=now.version)
    assert not now.happened
    assert [event.WhichOneof("event") for event in then.happened] == ["dealt"]
    assert [bool(hand.cards) for hand in then.happened[0].dealt.hands] == [True, False, False]


@pytest.mark.parametrize("closed", [True, False])
async def test_once_the_table_has_ended_anybody_who_may_see_it_sees_as_any_seat(home: House, closed: bool) -> None:
    created = await new_table(home)
    dealt = {seat: await home.view(created, seat, at_version=2) for seat in created.seats}
    await (home.close(created) if closed else home.play(created))
    for who in (*created.seats.values(), created.admin, bearer(AUDITOR_KEY), ()):
        for seat, then in dealt.items():
            assert await looked(home, created, who, at_version=2, as_seat=seat) == then
            now = await looked(home, created, who, as_seat=seat)
            assert (now.seat, now.view) == (seat, (await home.view(created, seat)).view)


async def looked(home: House, created: Created, who: Metadata, **fields: Any) -> service_pb2.GetViewResponse:
    request = service_pb2.GetViewRequest(table_id=created.table_id, **fields)
    answer: service_pb2.GetViewResponse = await home.game.GetView(request, metadata=who)
    return answer


async def test_before_the_end_everybody_sees_only_as_oneself(home: House) -> None:
    created = await new_table(home)
    for seat, who in created.seats.items():
        assert (await looked(home, created, who, as_seat=seat)).seat == seat
        assert (await looked(home, created, who, as_seat=seat, at_version=1)).seat == seat
    for who in (created.seats[1], created.admin, bearer(AUDITOR_KEY), ()):
        for moment in ({}, {"at_version": 1}, {"min_version": 99, "wait": {}}):
            assert (await failed(looked(home, created, who, as_seat=2, **moment))).kind == DENIED


async def test_a_table_that_is_hidden_stays_so_when_it_has_ended(home: House) -> None:
    created = await new_table(home, spectators=False)
    await home.close(created)
    assert (await failed(looked(home, created, (), at_version=1, as_seat=1))).kind == HIDDEN
    elsewhere = await new_table(home)
    assert (await failed(looked(home, created, elsewhere.seats[1], at_version=1, as_seat=1))).kind == DENIED


@pytest.mark.parametrize("version", [0, -1, 3, 2**31 - 1])
async def test_a_version_that_is_not_there_is_refused_with_the_newest_that_is(home: House, version: int) -> None:
    created = await new_table(home)
    failure = await failed(home.view(created, at_version=version))
    assert (failure.kind, failure.info.metadata["version"]) == (UNKNOWN, "2")


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("as_seat", {"as_seat": 4}),
        ("as_seat", {"as_seat": -1, "at_version": 1}),
        ("min_version", {"min_version": 1, "at_version": 1}),
        ("wait", {"wait": duration_pb2.Duration(), "at_version": 1}),
    ],
)
async def test_what_cannot_be_asked_for_is_refused_with_the_field(
    home: House, field: str, fields: dict[str, Any]
) -> None:
    failure = await failed(home.view(await new_table(home), **fields))
    assert (failure.kind, field_of(failure)) == (INVALID, field)


async def test_looking_back_counts_as_reading_the_log(socket: Path) -> None:
    async with house(socket, commands_a_second=0.001, command_burst=2) as home:
        created = await new_table(home)
        for _ in range(2):
            await home.view(created, at_version=1)
        assert (await failed(home.view(created, at_version=1))).kind == TOO_FAST
        assert (await home.view(created)).version == 2


async def test_what_was_before_the_game_began_can_be_seen_too(home: House) -> None:
    open_seat: Any = {"kind": "SEAT_KIND_OPEN"}
    created = await new_table(home, seats=[{"name": "Ada"}, open_seat])
    then = await home.view(created, at_version=1)
    assert (then.version, len(then.view.hand), len(then.legal)) == (1, 0, 0)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_an_earlier_view_does_not_depend_on_what_others_hold(home: House, game: AnyGame) -> None:
    """Write pairs of logs that differ only in cards which a seat cannot see: it sees the same in both."""
    compared = 0
    for number in range(8):
        random = Random(f"looking back {number}")
        seat, worlds = two_worlds(game, random)
        if worlds is None:
            continue
        versions = random.sample(range(1, worlds[0].table.head.version + 1), k=5)
        here, there = [await past_views(home, game, world, seat, versions) for world in worlds]
        assert here == there
        compared += 1
    assert compared > 3, "too few games could be dealt anew for this to prove anything"


def two_worlds(game: AnyGame, random: Random) -> tuple[int | None, tuple[Draft, Draft] | None]:
    """Return a seat, and two logs of what may be the same game to it; or none if there is no second one."""
    known = known_of(game)
    story = tell(game, known, str(random.random()))
    history = [(step.seat, step.command) for step in story.steps[: random.randint(8, 60)]]
    seat = random.choice((None, *range(1, story.seats + 1)))
    here = written(game, story, history)
    for candidate in known.redeals(random, story.start, history, seat):
        with suppress(Refused):
            there = written(game, story, candidate)
            if there.table.state != here.table.state:
                return seat, (here, there)
    return seat, None


def written(game: AnyGame, story: Story, history: History) -> Draft:
    """Return the entries of a table at which all this was done, dealt by us and not by its root."""
    founding = Founding(game, story.options, (b"",) * story.seats, spectators=True)
    first, *_ = found(TABLE_ID, founding, KEYS, now_ms=0).entries
    draft = Draft(begin(TABLE_ID, first, KEYS).table, now_ms=0)
    draft.entries.append(first)
    for number, (seat, command) in enumerate(history, 1):
        command_id = b"" if seat == CHANCE else number.to_bytes(16, "big")
        draft.add(seat, command_id, command, game.decide(draft.table.state, seat, command))
    return draft


async def past_views(
    home: House, game: AnyGame, world: Draft, seat: int | None, versions: Sequence[int]
) -> list[bytes]:
    """Return what a seat sees of some versions, but for the hash, which is of the whole log with its seals."""
    home.log.rewrite(TABLE_ID, world.entries)
    home.guests.tables.shelf.live._tables.clear()
    method = GameMessages(game).service.methods_by_name["GetView"]
    request, response = types(method)
    call = home.raw.unary_unary(
        f"/{method.containing_service.full_name}/GetView", request.SerializeToString, response.FromString
    )
    metadata = bearer(home.guests.tokens.for_seat(TABLE_ID, seat)) if seat else ()
    views = [await call(request(table_id=TABLE_ID, at_version=each), metadata=metadata) for each in versions]
    for view in views:
        view.ClearField("head_hash")
    return [view.SerializeToString(deterministic=True) for view in views]
