"""Whatever goes wrong, the caller learns one reason, one sentence, and what to do."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import duration_pb2
from google.rpc import error_details_pb2
from stammtisch.double_tricks.v1 import double_tricks_pb2, service_pb2
from stammtisch.table.v1 import table_pb2
from structlog.testing import capture_logs

from service.fold import Table
from service.seal import MasterKeys
from service.shelf import TableLimits
from tests.api.house import SHORT, Created, House, failed, house, new_id, stream_failed

INVALID = ("INVALID_ARGUMENT", "INVALID_FIELD")
MISSING_TABLE = "00.aaaaaaaaaaaaaaaaaa"


def path_of(failure: Any) -> str:
    (violation,) = failure.detail(error_details_pb2.BadRequest).field_violations
    assert violation.description
    return str(violation.field)


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("command_id", {"command_id": ""}),
        ("command_id", {"command_id": "not a uuid"}),
        ("command_id", {"command_id": "0" * 32}),
        ("command_id", {"command_id": "urn:" + "0" * 32}),
        ("command_id", {"command_id": "{" + "0" * 34 + "}"}),
        ("command_id", {"command_id": "-" * 4 + "0" * 32}),
        ("command_id", {"command_id": "\uff11" * 8 + "-0000-4000-8000-000000000000"}),
        ("command_id", {"command_id": "1_______-0000-4000-8000-000000000000"}),
        ("command_id", {"command_id": new_id() + "\n"}),
        ("seats", {"seats": []}),
        ("seats", {"seats": [table_pb2.NewSeat()] * 9}),
        ("seats", {"seats": [table_pb2.NewSeat()] * 3_000}),
        ("seats[1].name", {"seats": [table_pb2.NewSeat(), table_pb2.NewSeat(name="x" * 65)]}),
        ("seats[0].name", {"seats": [table_pb2.NewSeat(name="line\nbreak"), table_pb2.NewSeat()]}),
        ("seats[1].contribution", {"seats": [table_pb2.NewSeat(), table_pb2.NewSeat(contribution=b"short")]}),
        ("options.sets", {"options": double_tricks_pb2.Options(sets=0)}),
        ("options.sets", {"options": double_tricks_pb2.Options(sets=2**31 - 1)}),
        ("options.hand_sizes", {"options": double_tricks_pb2.Options(hand_sizes=[1] * 10_000)}),
        ("options.hand_sizes", {"options": double_tricks_pb2.Options(hand_sizes=[-1])}),
        ("options.bank", {"options": double_tricks_pb2.Options(bank=77)}),  # type: ignore[arg-type]
        ("options.deck_pairs[0]", {"options": double_tricks_pb2.Options(deck_pairs=["nonsense" * 7_000])}),
        ("options.first_dealer", {"options": double_tricks_pb2.Options(first_dealer=3)}),
    ],
)
async def test_a_table_that_cannot_be_is_refused_with_the_field_that_is_wrong(
    home: House, field: str, fields: dict[str, Any]
) -> None:
    failure = await failed(home.create(**fields))
    assert failure.kind == INVALID
    assert path_of(failure) == field


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("table_id", {"table_id": ""}),
        ("table_id", {"table_id": "../../etc/passwd"}),
        ("table_id", {"table_id": MISSING_TABLE + "\n"}),
        ("table_id", {"table_id": MISSING_TABLE.upper()}),
        ("command_id", {"command_id": ""}),
        ("command", {"command": None}),
        ("command.card", {"command": double_tricks_pb2.PlayCard(card="XX", motif="CA")}),
        ("command.card", {"command": double_tricks_pb2.PlayCard(motif="CA")}),
        ("command.motif", {"command": double_tricks_pb2.PlayCard(card="CA/H2", motif="♥")}),
    ],
)
async def test_a_malformed_command_is_refused_with_the_field_that_is_wrong(
    home: House, field: str, change: dict[str, Any]
) -> None:
    created = await home.create()
    request = service_pb2.PlayCardRequest(**{"table_id": created.table_id, "command_id": new_id(), **change})
    failure = await failed(home.game.PlayCard(request, metadata=created.seats[1]))
    assert failure.kind == INVALID
    assert path_of(failure).removesuffix(".card") == field.removesuffix(".card")


async def test_a_bid_without_its_number_is_not_a_bid_of_zero(home: House) -> None:
    created = await home.create()
    request = service_pb2.BidRequest(table_id=created.table_id, command_id=new_id(), command=double_tricks_pb2.Bid())
    failure = await failed(home.game.Bid(request, metadata=created.seats[1]))
    assert (failure.kind, path_of(failure)) == (INVALID, "command.tricks")


@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("min_version", lambda home, created: home.view(created, min_version=-1)),
        ("wait", lambda home, created: home.view(created, wait=duration_pb2.Duration(seconds=26))),
        ("wait", lambda home, created: home.view(created, wait=duration_pb2.Duration(seconds=-1))),
        ("limit", lambda home, created: home.entries(created, limit=501)),
        ("limit", lambda home, created: home.entries(created, limit=-1)),
        ("after", lambda home, created: home.entries(created, after=-1)),
        ("from_version", lambda home, created: home.watch(created, from_version=-1).read()),
        ("after", lambda home, created: home.watch_log(created, after=-1).read()),
    ],
)
async def test_numbers_have_their_limits(home: House, field: str, call: Callable[[House, Created], Any]) -> None:
    failure = await failed(call(home, await home.create()))
    assert (failure.kind, path_of(failure)) == (INVALID, field)


async def test_a_refusal_says_what_would_be_legal(home: House) -> None:
    created = await home.create()
    (seat,) = (await home.view(created)).table.seats_to_act
    view = await home.view(created, seat)
    failure = await failed(home.act(created, seat, double_tricks_pb2.Command(bid={"tricks": 99})))  # type: ignore[arg-type]
    assert failure.kind == ("FAILED_PRECONDITION", "BID_ABOVE_HAND")
    assert (failure.info.domain, failure.info.metadata["game"]) == ("double_tricks.stammtisch", "double_tricks")
    refusal = failure.detail(double_tricks_pb2.Refusal)
    assert (refusal.reason, refusal.sentence) == (double_tricks_pb2.REASON_BID_ABOVE_HAND, failure.sentence)
    assert list(refusal.legal) == list(view.legal)
    assert refusal.version == view.version
    await home.act(created, seat, refusal.legal[0])


async def test_a_stale_version_is_told_the_current_one(home: House) -> None:
    created = await home.create()
    (seat,) = (await home.view(created)).table.seats_to_act
    command = (await home.view(created, seat)).legal[0]
    failure = await failed(home.act(created, seat, command, expected_version=1))
    assert failure.kind == ("ABORTED", "VERSION_STALE")
    version = int(failure.info.metadata["version"])
    await home.act(created, seat, command, expected_version=version)


async def test_an_id_used_twice_for_different_things_is_refused(home: House) -> None:
    created, command_id = await home.create(), new_id()
    (seat,) = (await home.view(created)).table.seats_to_act
    first, second, *_ = (await home.view(created, seat)).legal
    await home.act(created, seat, first, command_id=command_id)
    failure = await failed(home.act(created, seat, second, command_id=command_id))
    assert failure.kind == ("ALREADY_EXISTS", "COMMAND_ID_REUSED")
    create_id = new_id()
    await home.create(command_id=create_id)
    failure = await failed(home.create(command_id=create_id, spectators=True))
    assert failure.kind == ("ALREADY_EXISTS", "COMMAND_ID_REUSED")


async def test_a_table_that_has_ended_takes_no_command(home: House) -> None:
    created = await home.create()
    (seat,) = (await home.view(created)).table.seats_to_act
    command = (await home.view(created, seat)).legal[0]
    await home.close(created)
    assert (await failed(home.act(created, seat, command))).kind == ("FAILED_PRECONDITION", "TABLE_ENDED")
    assert (await failed(home.close(created))).kind == ("FAILED_PRECONDITION", "TABLE_ENDED")


async def test_a_log_that_is_away_is_told_with_the_time_to_wait(home: House) -> None:
    created = await home.create()
    home.log.down = True
    for call in (home.view(created), home.entries(created), home.close(created), home.watch(created).read()):
        failure = await failed(call)
        assert failure.kind == ("UNAVAILABLE", "LOG_UNAVAILABLE")
        assert failure.detail(error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() > 0
    home.log.down = False
    await home.play(created)


@pytest.mark.parametrize(
    ("reason", "spoil"),
    [
        ("LOG_DAMAGED", lambda stored: [stored[0][:-1] + b"x", *stored[1:]]),
        ("RULES_UNKNOWN", lambda stored: [*stored, b"\xff"]),
        ("LOG_DAMAGED", lambda stored: stored[:1]),
    ],
)
async def test_a_log_that_cannot_be_understood_is_told(
    home: House, reason: str, spoil: Callable[[list[bytes]], list[bytes]]
) -> None:
    created = await home.create()
    stored = home.log.entries(created.table_id)
    if reason == "RULES_UNKNOWN":
        home.log.rewrite(created.table_id, spoil(stored))
    else:
        home.log.store._entries[created.table_id] = spoil(stored)
    home.guests.tables.shelf.live._tables.clear()
    failure = await failed(home.view(created))
    assert failure.kind == ("UNAVAILABLE", reason)
    assert failure.detail(error_details_pb2.RetryInfo)


async def test_a_table_that_is_lost_is_not_found(home: House) -> None:
    created = await home.create()
    (seat,) = (await home.view(created)).table.seats_to_act
    command = (await home.view(created, seat)).legal[0]
    home.log.delete(created.table_id)
    for call in (home.act(created, seat, command), home.view(created), home.entries(created), home.close(created)):
        assert (await failed(call)).kind == ("NOT_FOUND", "TABLE_NOT_FOUND")


async def test_a_table_whose_key_is_not_configured_is_told(home: House) -> None:
    created = await home.create()
    home.guests.tables.shelf.live._tables.clear()
    home.guests.tables.shelf._keys = MasterKeys("k2", {"k2": b"2" * 32})
    assert (await failed(home.view(created))).kind == ("UNAVAILABLE", "KEY_UNKNOWN")


METHODS = [  # but for ListGames, whose request is empty, so that any field is one it may ignore
    "double_tricks.v1.DoubleTricksService/CreateTable",
    "double_tricks.v1.DoubleTricksService/GetView",
    "double_tricks.v1.DoubleTricksService/Bid",
    "double_tricks.v1.DoubleTricksService/PlayCard",
    "table.v1.TableService/GetTable",
    "table.v1.TableService/CloseTable",
    "table.v1.TableService/GetLog",
]
STREAMS = [
    "double_tricks.v1.DoubleTricksService/WatchView",
    "double_tricks.v1.DoubleTricksService/WatchEvents",
    "table.v1.TableService/WatchLog",
]


@pytest.mark.parametrize("noise", [b"\xff", b"\x0a\x05abc", b"\x0a\x02\xff\xfe", b"\x08", b"\x00" * 100])
async def test_bytes_that_are_no_message_are_the_callers_fault(home: House, noise: bytes) -> None:
    for method in METHODS:
        failure = await failed(home.raw.unary_unary(f"/stammtisch.{method}")(noise))
        assert failure.kind == INVALID, method
    for method in STREAMS:
        failure = await stream_failed(home.raw.unary_stream(f"/stammtisch.{method}")(noise))
        assert failure.kind == INVALID, method


async def test_a_message_that_is_too_large_is_refused(socket: Path) -> None:
    async with house(socket, message_bytes=10_000) as home:
        seats = [table_pb2.NewSeat(name="x" * 11_000), table_pb2.NewSeat()]
        failure = await failed(home.create(seats=seats, options=SHORT))
        assert failure.kind == ("RESOURCE_EXHAUSTED", "TOO_LARGE")
        await home.create()


async def test_a_message_that_is_far_too_large_is_not_even_read(home: House) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await home.create(seats=[table_pb2.NewSeat(name="x" * 5_000_000)])
    assert error.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_bug_gets_out_as_nothing_but_a_reference_that_is_in_the_log(
    socket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(socket) as home:
        created = await home.create()

        async def broken(table_id: str) -> Table:
            raise KeyError("a secret")

        monkeypatch.setattr(home.guests.tables, "look", broken)
        for call in (home.view, lambda created: home.watch(created).read(), home.entries):
            with capture_logs() as lines:
                failure = await failed(call(created))
            assert failure.kind == ("INTERNAL", "BUG")
            assert "secret" not in failure.sentence
            assert failure.others == ()
            reference = failure.info.metadata["reference"]
            assert str(uuid.UUID(reference)) == reference
            (line,) = lines
            assert (line["event"], line["reference"], line["log_level"]) == ("bug", reference, "error")
            assert isinstance(line["exc_info"], KeyError)


async def test_a_table_of_another_game_is_shown_the_right_service(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    created = await home.create()

    table = await home.guests.tables.look(created.table_id)

    async def of_another_game(table_id: str) -> Table:
        return replace(table, charter=replace(table.charter, game=replace(table.charter.game, name="poker")))

    monkeypatch.setattr(home.guests.tables, "look", of_another_game)
    failure = await failed(home.view(created))
    assert failure.kind == ("FAILED_PRECONDITION", "WRONG_GAME")
    assert failure.info.metadata["game"] == "poker"


async def test_a_full_table_says_so_and_can_be_closed(home: House) -> None:
    created = await home.create()
    home.guests.tables.shelf.limits = TableLimits(entries=2)
    assert (await failed(home.move(created))).kind == ("FAILED_PRECONDITION", "TABLE_FULL")
    await home.close(created)


async def test_who_keeps_coming_too_late_is_told_to_try_again(home: House) -> None:
    created = await home.create()
    home.guests.tables.shelf.limits = TableLimits(conflicts=0)
    failure = await failed(home.move(created))
    assert failure.kind == ("ABORTED", "TOO_MANY_CONFLICTS")
    assert failure.detail(error_details_pb2.RetryInfo)


async def test_an_unknown_method_is_unimplemented(home: House) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await home.raw.unary_unary("/stammtisch.table.v1.TableService/Nothing")(b"")
    assert error.value.code() == grpc.StatusCode.UNIMPLEMENTED
