"""Fuzzing, in short; and the judge: whatever it is there to find, it finds."""

from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from stammtisch.table.v1 import entry_pb2, service_pb2, table_pb2

from service.draft import Draft, Founding, found
from service.fold import CLOSED
from service.games import GAMES
from service.kit.game import AnyGame
from service.seal import MasterKeys
from tests.fuzz.contract import BY_PATH, GAME_RPCS, Rpc, game_rpc
from tests.fuzz.exchange import DIRECT, REST, Answer, Request
from tests.fuzz.growth import Growth
from tests.fuzz.house import House
from tests.fuzz.judge import faults
from tests.fuzz.report import MIB
from tests.fuzz.run import fuzz
from tests.fuzz.tables import Seating
from tests.fuzz.truth import Truth, strings

REQUESTS, SECONDS, SEED = 2_000, 60, 1
COARSE = 24 * MIB  # so short a run is nearly all warm-up
KEYS = MasterKeys("k", {"k": bytes(32)})
TABLE_ID = "00." + "a" * 18
GET_TABLE = BY_PATH["/stammtisch.table.v1.TableService/GetTable"]
GET_LOG = BY_PATH["/stammtisch.table.v1.TableService/GetLog"]
SEATS = 3  # or as many as the game needs


def test_no_request_brings_an_answer_that_may_never_be(tmp_path: Path) -> None:
    report = fuzz(tmp_path, seed=SEED, requests=REQUESTS, seconds=SECONDS, memory_most=COARSE)
    assert not report.faults, report.text()
    assert report.moves > REQUESTS / 20, report.text()  # games went on, so that what is deep was reached


@pytest.fixture(params=sorted(GAMES))
def table(request: pytest.FixtureRequest) -> Seating:
    """A table of each game at its first deal."""
    game = GAMES[request.param]
    return dealt(game, max(SEATS, game.seats[0]))


def dealt(game: AnyGame, seats: int) -> Seating:
    """A table at its first deal."""
    draft = found(TABLE_ID, Founding(game, game.options(), (b"",) * seats, spectators=True), KEYS, 0)
    truth = Truth(TABLE_ID, KEYS)
    for entry in draft.entries:
        truth.read(entry)
    return Seating(TABLE_ID, game.name, spectators=True, admin="", tokens={}, truth=truth, contributions={})


def judged(answer: Answer, rpc: Rpc = GET_TABLE, table: Seating | None = None, seat: int | None = None) -> list[str]:
    return faults(Request("planted", DIRECT, rpc.path, rpc=rpc, table=table, seat=seat), answer)


def failed(code: grpc.StatusCode, *reasons: str, domain: str = "stammtisch", text: str = "No.") -> Answer:
    status = status_pb2.Status(code=code.value[0], message=text)
    for reason in reasons:
        packed = any_pb2.Any()
        packed.Pack(error_details_pb2.ErrorInfo(reason=reason, domain=domain))
        status.details.append(packed)
    return Answer(f"direct {code.name}", grpc=code.value[0], status=status, text=text)


def hidden(table: Seating, seat: int | None) -> str:
    """Something that a seat may not know."""
    return min(table.truth.hidden(table.truth.version, seat))


def view_response(table: Seating, seat: int | None) -> Any:
    """What a seat may be told."""
    version = table.truth.version
    view, legal = table.truth.view(version, seat), table.truth.legal(version, seat)
    return game_rpc(table.game, "GetView").response(version=version, view=view, legal=legal)


def test_an_error_with_one_documented_reason_is_nothing_to_find() -> None:
    assert not judged(failed(grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"))
    assert not judged(Answer("direct OK"))


@pytest.mark.parametrize("code", ["INTERNAL", "UNKNOWN", "UNAVAILABLE", "DATA_LOSS"])
def test_a_call_that_fails_by_the_services_fault_is_found(code: str) -> None:
    assert judged(failed(grpc.StatusCode[code], "BUG")) == [f"gRPC {grpc.StatusCode[code].value[0]}"]


@pytest.mark.parametrize("http", [500, 501, 502, 503, 504])
def test_an_http_answer_that_blames_the_server_is_found(http: int) -> None:
    answer = failed(grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND")
    answer.http = http
    assert judged(answer) == [f"HTTP {http}"]


def test_an_error_without_reason_with_two_and_with_an_unknown_one_is_found() -> None:
    assert "an error without an ErrorInfo" in judged(failed(grpc.StatusCode.NOT_FOUND))[0]
    assert judged(failed(grpc.StatusCode.NOT_FOUND, "TOO_FAST", "TOO_LARGE")) == ["2 ErrorInfos"]
    assert judged(failed(grpc.StatusCode.NOT_FOUND, "LOST")) == ["an undocumented reason: stammtisch LOST"]
    assert judged(failed(grpc.StatusCode.NOT_FOUND, "TOO_FAST", domain="x")) == ["an undocumented reason: x TOO_FAST"]


@pytest.mark.parametrize(
    "text", ["Traceback (most recent call last)", "KeyError: 7", "at service.table.act", "<class 'int'>"]
)
def test_the_insides_of_the_service_are_found(text: str) -> None:
    assert "insides" in judged(failed(grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND", text=text))[0]


def test_the_view_of_a_seat_is_found_in_the_answer_to_another(table: Seating) -> None:
    rpc = game_rpc(table.game, "GetView")
    for seat in (None, 1, 2, 3):
        for other in (None, 1, 2, 3):
            told = judged(Answer("direct OK", messages=[view_response(table, other)]), rpc, table, seat)
            assert bool(told) == (seat != other)


def test_the_view_of_a_seat_is_nothing_to_find_once_the_table_has_ended(table: Seating) -> None:
    rpc, dealt_at = game_rpc(table.game, "GetView"), table.truth.version
    looked_back = view_response(table, 2)
    looked_back.seat = 2
    looked_back.happened.extend(table.truth.happened(range(dealt_at, dealt_at + 1), 2))
    answer = Answer("direct OK", messages=[looked_back])
    assert judged(answer, rpc, table, 1)
    end = Draft(table.truth.now, 0)
    end.add_end(CLOSED, (), bytes(16))
    table.truth.read(*end.entries)
    assert not judged(answer, rpc, table, 1)
    looked_back.seat = 1
    assert "not the view" in judged(answer, rpc, table, 1)[0]


def test_what_a_seat_may_do_is_found_in_the_answer_to_another(table: Seating) -> None:
    version = table.truth.version
    legal = (table.truth.legal(version, seat) for seat in table.truth.now.charter.game.to_act(table.truth.now.state))
    answer = view_response(table, None)
    answer.legal.extend(next(commands for commands in legal if commands))
    assert "may do" in judged(Answer("direct OK", messages=[answer]), game_rpc(table.game, "GetView"), table)[0]


def test_a_hidden_card_is_found_in_an_error_unless_the_caller_has_named_it(table: Seating) -> None:
    card = hidden(table, 1)
    answer = failed(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", text=f"It is not the {card}.")
    assert f"hidden {card}" in judged(answer, table=table, seat=1)[0]
    said = Request("", REST, f"/v1/{card}", rpc=GET_TABLE, table=table, seat=1)
    assert not faults(said, answer)


def test_a_quoted_letter_is_no_card() -> None:
    table = dealt(GAMES["romme10"], 4)
    low_clubs = {f"C{rank}" for rank in range(2, 10)} & table.truth.hidden(table.truth.version, 1)
    quoted = "".join(f"%{card}" for card in low_clubs)
    assert quoted
    assert not judged(failed(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", text=quoted), table=table, seat=1)


def test_a_hidden_card_is_found_in_any_field_of_an_answer(table: Seating) -> None:
    seat = table_pb2.Seat(seat=1, name=f"-{hidden(table, 2)}-")
    answer = service_pb2.GetTableResponse(version=table.truth.version, table=table_pb2.Table(seats=[seat]))
    assert "stammtisch.table.v1.Seat.name" in judged(Answer("direct OK", messages=[answer]), table=table, seat=2)[0]


def test_a_hidden_card_is_found_in_the_bytes_of_the_log_even_by_the_seat_that_holds_it(table: Seating) -> None:
    version = table.truth.version
    own = table.truth.hidden(version, None) & set(strings(table.truth.view(version, 1)))
    face = b"\x0a" + bytes([len(min(own))]) + min(own).encode()
    fact = entry_pb2.Fact(sealed=entry_pb2.Sealed(nonce=bytes(12), box=bytes(64), face=face))
    entry = entry_pb2.Entry(version=table.truth.version, events=[fact]).SerializeToString()
    told = service_pb2.LogEntry(version=table.truth.version, entry=entry)
    answer: Message = service_pb2.GetLogResponse(entries=[told])
    assert "LogEntry.entry" in judged(Answer("direct OK", messages=[answer]), GET_LOG, table, 1)[0]
    sealed = service_pb2.LogEntry(version=table.truth.version, entry=table.truth.steps[-1].data)
    assert not judged(Answer("direct OK", messages=[service_pb2.GetLogResponse(entries=[sealed])]), GET_LOG, table, 1)


def test_what_grows_with_the_requests_is_found_and_what_fills_up_at_first_is_not() -> None:
    assert Growth(0, [1000 + 10 * sample for sample in range(100)]).by() > 400
    assert Growth(0, [1000 + min(sample, 25) * 100 for sample in range(100)]).by() == 0
    assert Growth(0, [1000 + 5000 * (sample == 99) for sample in range(100)]).by() == 0


def test_a_line_that_is_logged_as_an_error_is_found(tmp_path: Path) -> None:
    house = House("", 0, 0, tmp_path / "data")
    house.data.mkdir()
    house.log.write_text('{"level": "warning"}\n{"level": "error", "event": "bug"}\nTraceback\n')
    (house.data / "envoy.log").write_text("[2026][1][warning][x] a\n[2026][1][critical][x] b\n")
    assert [line.partition(":")[0] for line in house.errors()] == ["service", "service", "Envoy"]


def test_every_rpc_of_every_game_is_in_the_contract() -> None:
    assert GAME_RPCS.keys() == GAMES.keys()
    assert all(rpc.template.startswith("/v1/") and rpc.verb in ("GET", "POST") for rpc in BY_PATH.values())
