"""REST: every path of the description and every error of the API, through the real front door."""

import base64
import hashlib
import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from stammtisch.table.v1 import entry_pb2

from tests.fuzz.contract import REASONS
from tests.fuzz.house import opened
from tests.stores import Store

DOUBLE = "/v1/double-tricks/tables"
KEYS = {name: f"test:{base64.b64encode(bytes(32)).decode()}" for name in ("master_keys", "token_keys")}
BURST = 20
STREAMS = 2
NOBODY = "00." + "a" * 18
CREATORS = tuple(f"key-of-the-creator-number-{number:03}-of-tables" for number in range(20))
ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"


@dataclass(frozen=True, slots=True)
class Table:
    """A table for two, at which seat 1 bids first."""

    table_id: str
    admin: str
    tokens: tuple[str, ...]
    version: int

    @property
    def path(self) -> str:
        return f"{DOUBLE}/{self.table_id}"

    @property
    def common(self) -> str:
        return f"/v1/tables/{self.table_id}"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """The front door of a running house."""
    api_keys = ",".join(f"creator{number}:{key}" for number, key in enumerate(CREATORS))
    limits = {"commands_per_second": 1, "commands_burst": BURST, "streams_per_token": STREAMS}
    settings = {"heartbeat_seconds": 1, "stream_seconds": 60, "wait_seconds": 2, "api_keys": api_keys}
    with ExitStack() as stack:
        house = stack.enter_context(opened(tmp_path_factory.mktemp("rest"), **limits | settings))
        yield stack.enter_context(httpx.Client(base_url=f"http://{house.host}:{house.door}", timeout=10))


def creator(number: int = 0) -> dict[str, str]:
    """A creator's header; each has its own limits."""
    return bearer(CREATORS[number])


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def command_id() -> str:
    return str(uuid.uuid4())


def wish(**more: Any) -> dict[str, Any]:
    """What a new table should be."""
    return {"commandId": command_id(), "seats": [{"name": "Ann"}, {}], "options": {"sets": 1, "firstDealer": 2}} | more


def table(web: httpx.Client, number: int = 0, **more: Any) -> Table:
    answer = web.post(DOUBLE, json=wish(**more), headers=creator(number))
    assert answer.status_code == 200, answer.text
    made = answer.json()
    return Table(
        made["tableId"], made["adminToken"], tuple(each["token"] for each in made["seatTokens"]), made["version"]
    )


def bid(web: httpx.Client, at: Table, seat: int, tricks: int = 0, **query: Any) -> httpx.Response:
    asked = {"command_id": command_id()} | query
    return web.post(f"{at.path}:bid", params=asked, json={"tricks": tricks}, headers=bearer(at.tokens[seat - 1]))


def frames(web: httpx.Client, path: str, token: str, many: int) -> list[str]:
    """The first lines of a stream, without the empty ones."""
    with web.stream("GET", path, headers=bearer(token)) as answer:
        assert answer.status_code == 200
        lines = (line for line in answer.iter_lines() if line)
        return [next(lines) for _ in range(many)]


def creates(web: httpx.Client) -> Any:
    made = web.post(DOUBLE, json=wish(), headers=creator(1)).json()
    assert [each["seat"] for each in made["seatTokens"]] == [1, 2]
    return made


def shows(web: httpx.Client) -> Any:
    at = table(web, 1)
    view = web.get(at.path, params={"min_version": at.version, "wait": "1s"}, headers=bearer(at.tokens[0])).json()
    assert view["legal"] == [{"bid": {"tricks": 0}}, {"bid": {"tricks": 1}}]
    return view


def watches(web: httpx.Client) -> Any:
    at = table(web, 2)
    (line,) = frames(web, f"{at.path}:watch?from_version={at.version - 1}", at.tokens[0], 1)
    frame = json.loads(line)
    assert (frame["version"], "step" in frame) == (at.version, True)
    return frame


def listens(web: httpx.Client) -> Any:
    at = table(web, 2)
    number, kind, data = frames(web, f"{at.path}:events", at.tokens[0], 3)
    frame = json.loads(data.removeprefix("data: "))
    assert number == f"id: {at.version}-{base64.b64decode(frame['headHash']).hex()}"
    assert kind == "event: snapshot"
    return None  # its description is that of a text


def bids(web: httpx.Client) -> Any:
    at = table(web, 3)
    answer = bid(web, at, 1, tricks=1, expected_version=at.version).json()
    assert answer["happened"] == [{"bidMade": {"seat": 1, "tricks": 1}}]
    return answer


def plays(web: httpx.Client) -> Any:
    at = table(web, 3)
    assert [bid(web, at, seat).status_code for seat in (1, 2)] == [200, 200]
    as_it_stands = web.get(at.path, headers=bearer(at.tokens[0])).json()["legal"][0]["playCard"]
    answer = web.post(
        f"{at.path}:playCard", params={"command_id": command_id()}, json=as_it_stands, headers=bearer(at.tokens[0])
    )
    assert answer.json()["happened"] == [{"cardPlayed": {"seat": 1, **as_it_stands}}]
    return answer.json()


def lists_games(web: httpx.Client) -> Any:
    games = web.get("/v1/games").json()
    assert [game["path"] for game in games["games"] if game["game"] == "double_tricks"] == [DOUBLE]
    return games


def lists_tables(web: httpx.Client) -> Any:
    seats = [{"name": "Ann"}, {"kind": "SEAT_KIND_OPEN"}]
    listed = wish(seats=seats, terms={"listed": True})
    made = [web.post(DOUBLE, json=listed | {"commandId": command_id()}, headers=creator(6)).json() for _ in range(2)]
    asked: dict[str, str | int] = {"game": "double_tricks", "page_size": 1}
    pages = [web.get("/v1/tables", params=asked).json()]
    pages.append(web.get("/v1/tables", params={**asked, "page_token": pages[0]["nextPageToken"]}).json())
    found = [each["table"]["tableId"] for page in pages for each in page["tables"]]
    assert sorted(found) == sorted(each["tableId"] for each in made)  # within a millisecond either may be first
    joined = web.post(f"/v1/tables/{found[0]}:join", json={"commandId": command_id(), "name": "Bo"})
    assert joined.json()["table"]["status"] == "STATUS_RUNNING"
    return pages[1]


def looks(web: httpx.Client) -> Any:
    at = table(web, 4)
    common = web.get(at.common, headers=bearer(at.tokens[1])).json()
    assert common["table"]["seats"][0]["name"] == "Ann"
    return common


def joins(web: httpx.Client) -> Any:
    seats = [{"name": "Ann"}, {"kind": "SEAT_KIND_OPEN"}]
    made = web.post(DOUBLE, json=wish(seats=seats), headers=creator(6)).json()
    sitting_down = {"commandId": command_id(), "inviteCode": made["inviteCode"], "name": "Bo"}
    joined = web.post(f"/v1/tables/{made['tableId']}:join", json=sitting_down).json()
    view = web.get(f"{DOUBLE}/{made['tableId']}", headers=bearer(joined["token"])).json()
    assert (view["seat"], [seat["name"] for seat in view["table"]["seats"]]) == (2, ["Ann", "Bo"])
    return joined


def starts(web: httpx.Client) -> Any:
    made = web.post(DOUBLE, json=wish(seats=[{"name": "Ann"}, {"kind": "SEAT_KIND_OPEN"}]), headers=creator(6)).json()
    asked = {"commandId": command_id(), "bot": "BOT_STRENGTH_RANDOM"}
    started = web.post(f"/v1/tables/{made['tableId']}:start", json=asked, headers=bearer(made["adminToken"])).json()
    assert [seat["kind"] for seat in started["table"]["seats"]] == ["SEAT_KIND_PERSON", "SEAT_KIND_BOT"]
    return started


def leaves(web: httpx.Client) -> Any:
    at = table(web, 7)
    answer = web.post(f"{at.common}:leave", json={"commandId": command_id()}, headers=bearer(at.tokens[0])).json()
    assert [seat["away"] for seat in answer["table"]["seats"]] == [True, False]
    return answer


def returns(web: httpx.Client) -> Any:
    at = table(web, 7)
    asked = {"commandId": command_id()}
    web.post(f"{at.common}:leave", json={"commandId": command_id()}, headers=bearer(at.tokens[0])).raise_for_status()
    answer = web.post(f"{at.common}:return", json=asked, headers=bearer(at.tokens[0])).json()
    assert [seat["away"] for seat in answer["table"]["seats"]] == [False, False]
    return answer


def reveals(web: httpx.Client) -> Any:
    contribution = b"chance of my own".ljust(32)
    commitment = hashlib.sha256(b"stammtisch/contribution/1" + contribution).digest()
    seats = [{"commitment": base64.b64encode(commitment).decode()}, {"kind": "SEAT_KIND_BOT"}]
    terms = {"contributions": "CONTRIBUTIONS_REVEALED", "revealWithin": "3600s", "thinking": "60s"}
    made = web.post(DOUBLE, json=wish(seats=seats, terms=terms), headers=creator(6)).json()
    asked = {"commandId": command_id(), "contribution": base64.b64encode(contribution).decode()}
    token = made["seatTokens"][0]["token"]
    revealed = web.post(f"/v1/tables/{made['tableId']}:reveal", json=asked, headers=bearer(token)).json()
    assert revealed["table"]["fairness"] == "FAIRNESS_JOINT"
    return revealed


def closes(web: httpx.Client) -> Any:
    at = table(web, 4)
    answer = web.post(f"{at.common}:close", json={"commandId": command_id()}, headers=bearer(at.admin)).json()
    assert answer["table"]["status"] == "STATUS_CLOSED"
    return answer


def plays_again(web: httpx.Client) -> Any:
    at, asked = table(web, 7), {"commandId": command_id()}
    web.post(f"{at.common}:close", json=asked, headers=bearer(at.admin)).raise_for_status()
    new = web.post(f"{at.common}:rematch", json=asked, headers=bearer(at.tokens[0])).json()
    before = web.get(at.common, headers=bearer(at.tokens[0])).json()
    assert (new["seat"], before["table"]["rematch"]) == (1, new["tableId"])
    return new


def forks(web: httpx.Client) -> Any:
    at = table(web, 7, spectators=True)
    web.post(f"{at.common}:close", json={"commandId": command_id()}, headers=bearer(at.admin)).raise_for_status()
    asked = {"commandId": command_id(), "version": at.version, "seats": [{}, {}], "cards": "CARDS_REDEALT"}
    new = web.post(f"{at.common}:fork", json=asked, headers=creator(7)).json()
    assert new["table"]["forkedFrom"]["tableId"] == at.common.rpartition("/")[2]
    return new


def reads_the_log(web: httpx.Client) -> Any:
    at = table(web, 5)
    log = web.get(f"{at.common}/log", params={"after": 1, "limit": 1}, headers=bearer(at.tokens[0])).json()
    (entry,) = log["entries"]
    assert entry_pb2.Entry.FromString(base64.b64decode(entry["entry"])).version == entry["version"] == 2
    return log


def watches_the_log(web: httpx.Client) -> Any:
    at = table(web, 5)
    lines = [json.loads(line) for line in frames(web, f"{at.common}/log:watch?after=0", at.tokens[0], at.version)]
    assert [line["entry"]["version"] for line in lines] == [*range(1, at.version + 1)]
    return lines[-1]


CALLS: dict[str, Callable[[httpx.Client], Any]] = {
    "DoubleTricksService.CreateTable": creates,
    "DoubleTricksService.GetView": shows,
    "DoubleTricksService.WatchView": watches,
    "DoubleTricksService.WatchEvents": listens,
    "DoubleTricksService.Bid": bids,
    "DoubleTricksService.PlayCard": plays,
    "TableService.ListGames": lists_games,
    "TableService.ListTables": lists_tables,
    "TableService.GetTable": looks,
    "TableService.JoinTable": joins,
    "TableService.StartTable": starts,
    "TableService.LeaveTable": leaves,
    "TableService.ReturnToTable": returns,
    "TableService.RevealContribution": reveals,
    "TableService.CloseTable": closes,
    "TableService.Rematch": plays_again,
    "TableService.ForkTable": forks,
    "TableService.GetLog": reads_the_log,
    "TableService.WatchLog": watches_the_log,
}


def described(web: httpx.Client) -> dict[str, Any]:
    api = web.get("/openapi.json").json()
    return {operation["operationId"]: operation for path in api["paths"].values() for operation in path.values()}


def test_every_operation_of_these_services_is_called_here(web: httpx.Client) -> None:
    """The services of other games are built from their descriptors as this one is; the fuzz calls them."""
    services = {operation.partition(".")[0] for operation in CALLS}
    assert {each for each in described(web) if each.partition(".")[0] in services} == CALLS.keys()


@pytest.mark.parametrize("operation", CALLS)
def test_a_valid_call_is_answered_as_described(web: httpx.Client, operation: str) -> None:
    answer = CALLS[operation](web)
    content = described(web)[operation]["responses"]["200"]["content"]
    if "application/json" in content:
        components = web.get("/openapi.json").json()["components"]
        Draft202012Validator({**content["application/json"]["schema"], "components": components}).validate(answer)


def malformed(web: httpx.Client) -> httpx.Response:
    return bid(web, table(web, 6), 1, command_id="7")


def no_json(web: httpx.Client) -> httpx.Response:
    return web.post(DOUBLE, content="{", headers=creator(6))


def unknown_card(web: httpx.Client) -> httpx.Response:
    at = table(web, 6)
    where, who = {"command_id": command_id()}, bearer(at.tokens[0])
    return web.post(f"{at.path}:playCard", params=where, json={"card": "ZZ/99", "motif": "ZZ"}, headers=who)


def unplayable_option(web: httpx.Client) -> httpx.Response:
    return web.post(DOUBLE, json=wish(options={"sets": 3}), headers=creator(6))


def out_of_turn(web: httpx.Client) -> httpx.Response:
    return bid(web, table(web, 7), 2)


def ended(web: httpx.Client) -> httpx.Response:
    at = table(web, 7)
    web.post(f"{at.common}:close", json={"commandId": command_id()}, headers=bearer(at.admin))
    return bid(web, at, 1)


def stale(web: httpx.Client) -> httpx.Response:
    at = table(web, 8)
    return bid(web, at, 1, expected_version=at.version + 1)


def reused(web: httpx.Client) -> httpx.Response:
    at, same = table(web, 8), command_id()
    bid(web, at, 1, tricks=0, command_id=same)
    return bid(web, at, 1, tricks=1, command_id=same)


def without_token(web: httpx.Client) -> httpx.Response:
    return web.post(f"{table(web, 9).path}:bid", params={"command_id": command_id()}, json={})


def with_a_bad_token(web: httpx.Client) -> httpx.Response:
    return web.get(table(web, 9).path, headers=bearer("no-token-of-ours"))


def of_another_table(web: httpx.Client) -> httpx.Response:
    return web.get(table(web, 10).path, headers=bearer(table(web, 10).tokens[0]))


def as_a_seat(web: httpx.Client) -> httpx.Response:
    at = table(web, 10)
    return web.post(f"{at.common}:close", json={"commandId": command_id()}, headers=bearer(at.tokens[0]))


def unknown_table(web: httpx.Client) -> httpx.Response:
    return web.get(f"{DOUBLE}/{NOBODY}")


def invisible_table(web: httpx.Client) -> httpx.Response:
    return web.get(table(web, 11, spectators=False).path)


def too_fast(web: httpx.Client) -> httpx.Response:
    at = table(web, 11)
    answers = [bid(web, at, 2) for _ in range(BURST + 5)]
    return answers[-1]


def too_many_streams(web: httpx.Client) -> httpx.Response:
    at = table(web, 12)
    with ExitStack() as streams:
        watches = [web.stream("GET", f"{at.path}:watch", headers=bearer(at.tokens[0])) for _ in range(STREAMS)]
        lines = [streams.enter_context(watch).iter_lines() for watch in watches]
        assert all(next(line) for line in lines)
        return web.get(f"{at.path}:watch", headers=bearer(at.tokens[0]))


def too_large(web: httpx.Client) -> httpx.Response:
    return web.post(DOUBLE, json=wish(seats=[{"name": "x" * 70_000}]), headers=creator(12))


@pytest.mark.parametrize(
    ("provoke", "http", "code", "domain", "reason"),
    [
        (malformed, 400, 3, "stammtisch", "INVALID_FIELD"),
        (no_json, 400, 3, "stammtisch", "INVALID_FIELD"),
        (unknown_card, 400, 3, "stammtisch", "INVALID_FIELD"),
        (unplayable_option, 400, 3, "stammtisch", "INVALID_FIELD"),
        (out_of_turn, 400, 9, "double_tricks.stammtisch", "NOT_YOUR_TURN"),
        (ended, 400, 9, "stammtisch", "TABLE_ENDED"),
        (stale, 409, 10, "stammtisch", "VERSION_STALE"),
        (reused, 409, 6, "stammtisch", "COMMAND_ID_REUSED"),
        (without_token, 401, 16, "stammtisch", "TOKEN_MISSING"),
        (with_a_bad_token, 401, 16, "stammtisch", "TOKEN_INVALID"),
        (of_another_table, 403, 7, "stammtisch", "NOT_YOUR_ROLE"),
        (as_a_seat, 403, 7, "stammtisch", "NOT_YOUR_ROLE"),
        (unknown_table, 404, 5, "stammtisch", "TABLE_NOT_FOUND"),
        (invisible_table, 404, 5, "stammtisch", "TABLE_NOT_FOUND"),
        (too_fast, 429, 8, "stammtisch", "TOO_FAST"),
        (too_many_streams, 429, 8, "stammtisch", "TOO_MANY_STREAMS"),
        (too_large, 413, 8, "stammtisch", "TOO_LARGE"),
    ],
)
def test_an_error_is_a_status_in_json_with_one_reason(
    web: httpx.Client, provoke: Callable[[httpx.Client], httpx.Response], http: int, code: int, domain: str, reason: str
) -> None:
    answer = provoke(web)
    assert (answer.status_code, answer.headers["content-type"]) == (http, "application/json"), answer.text
    status = answer.json()
    assert status.keys() == {"code", "message", "details"}
    assert status["code"] == code
    assert status["message"]
    (info,) = [detail for detail in status["details"] if detail["@type"] == ERROR_INFO]
    assert (info["domain"], info["reason"]) == (domain, reason)
    assert reason in REASONS[domain]


def detail(answer: httpx.Response, kind: str) -> Any:
    """The one detail of a kind."""
    (found,) = [each for each in answer.json()["details"] if each["@type"].endswith(f".{kind}")]
    return found


def test_an_error_says_which_field_what_is_legal_which_version_and_when_to_come_again(web: httpx.Client) -> None:
    assert detail(malformed(web), "BadRequest")["fieldViolations"][0]["field"] == "command_id"
    assert detail(unknown_card(web), "BadRequest")["fieldViolations"][0]["field"] == "command.card"
    refusal = detail(out_of_turn(web), "Refusal")
    assert (refusal["reason"], refusal["legal"]) == ("REASON_NOT_YOUR_TURN", [])
    assert int(detail(stale(web), "ErrorInfo")["metadata"]["version"]) > 0
    assert detail(too_many_streams(web), "RetryInfo")["retryDelay"] == "5s"


def test_a_table_whose_log_is_away_is_unavailable_and_its_caller_is_told_to_try_again(
    tmp_path: Path, own_store: Store
) -> None:
    settings = KEYS | {"redis_url": own_store.url, "api_keys": f"creator:{CREATORS[0]}"}
    with opened(tmp_path, **settings) as house, httpx.Client(base_url=f"http://{house.host}:{house.door}") as web:
        at = table(web)
        own_store.kill()
        answer = bid(web, at, 1)
        assert answer.status_code == 503
        assert detail(answer, "ErrorInfo")["reason"] in ("LOG_UNAVAILABLE", "NO_SERVER_READY")
