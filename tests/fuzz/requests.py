"""Requests: one way to make each kind, legal and not, out of the contract and the tables in play."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message
from stammtisch.table.v1 import table_pb2

from tests.fuzz import values
from tests.fuzz.contract import RPCS, Rpc, command_rpc
from tests.fuzz.exchange import DIRECT, GRPC, REST, WEB, Header, Request
from tests.fuzz.tables import REVEAL, Seating, asks_for_table
from tests.fuzz.truth import strings

PROTOCOLS = (GRPC, DIRECT, REST, WEB)
JSON: Header = ("content-type", "application/json")
WEB_KIND: Header = ("content-type", "application/grpc-web+proto")
MESSAGE_BYTES = 65_536
SIZES = (0, 1, MESSAGE_BYTES - 1, MESSAGE_BYTES, MESSAGE_BYTES + 1, 4 * MESSAGE_BYTES)
COMMAND_IDS_KEPT = 50
AFTERWARDS = [rpc for rpc in RPCS if rpc.name in ("TableService.Rematch", "TableService.ForkTable")]


class Requests:
    """Makes requests, as the seed decides."""

    def __init__(self, random: Random, tables: Sequence[Seating]) -> None:
        self.random = random
        self._tables = tables
        self._sent: list[Request] = []  # commands that may be sent again

    def any(self) -> Request:
        """Return a request of any kind."""
        kind, make = self.random.choice(KINDS)
        return replace(make(self), kind=kind)

    def legal(self) -> Request:
        """Do what a table waits for, as the seat that it waits for."""
        going_on = [table for table in self._tables if not table.truth.ended]
        if not going_on:
            return self.sound()
        table = self.random.choice(going_on)
        request = self._move(table) if table.truth.running else self._reveal(table)
        self._sent = [*self._sent[-COMMAND_IDS_KEPT:], request]
        return request

    def _reveal(self, table: Seating) -> Request:
        seat = self.random.choice(table.truth.now.seats_to_act)
        message = REVEAL.request(
            table_id=table.table_id,
            command_id=values.identifier(self.random),
            contribution=table.contributions[seat],
        )
        return self._request(REVEAL, message, table, seat)

    def _move(self, table: Seating) -> Request:
        now = table.truth.now
        legal = {seat: table.truth.legal(table.truth.version, seat) for seat in now.charter.game.to_act(now.state)}
        seat = self.random.choice([seat for seat in legal if legal[seat]])
        wrapped: Any = self.random.choice(legal[seat])
        command = getattr(wrapped, wrapped.WhichOneof("command"))
        rpc = command_rpc(table.game, command)
        message = rpc.request(table_id=table.table_id, command_id=values.identifier(self.random), command=command)
        return self._request(rpc, message, table, seat)

    def again(self) -> Request:
        """Send a command again, as it was or with the same id for something else."""
        sent = [request for request in self._sent if request.table in self._tables]
        if not sent:
            return self.legal()
        request = self.random.choice(sent)
        changed = self.random.choice((None, None, "headers", "content"))
        if changed == "headers":
            return replace(request, headers=self._headers(request), seat=None)
        if changed == "content":
            return replace(request, content=self.legal().content)
        return request

    def sound(self) -> Request:
        """Ask for anything, in well-formed words."""
        rpc, table, seat = self._rpc(), self._table(), self._seat()
        return self._request(rpc, self._message(rpc, table), table, seat)

    def malformed(self) -> Request:
        """Send bytes that are no message, or not the one they should be."""
        rpc, table, seat = self._rpc(), self._table(), self._seat()
        content = self._message(rpc, table).SerializeToString()
        content = self.random.choice(values.BYTES_DAMAGED)(content, self.random)
        return self._framed(rpc, self.random.choice((GRPC, DIRECT, WEB)), content, table, seat)

    def unframed(self) -> Request:
        """Send gRPC-Web whose frames are wrong."""
        rpc, table, seat = self._rpc(), self._table(), self._seat()
        content = self._message(rpc, table).SerializeToString()
        request = self._framed(rpc, WEB, content, table, seat)
        broken = self.random.choice(values.BYTES_DAMAGED)(values.framed(content), self.random)
        return replace(request, content=broken)

    def json(self) -> Request:
        """Send JSON that is none, or says something else than it should."""
        rpcs = [rpc for rpc in RPCS if rpc.body]
        rpc, table, seat = self.random.choice(rpcs), self._table(), self._seat()
        request = self._rest(rpc, self._message(rpc, table), table, seat)
        if request.protocol != REST:
            return request
        text = request.content.decode() or "{}"
        return replace(request, content=self.random.choice(values.JSON_DAMAGED)(text, self.random))

    def sizes(self) -> Request:
        """Send as much as is allowed, and more."""
        rpc, table, seat = self._rpc(), self._table(), self._seat()
        size = self.random.choice(SIZES)
        if self.random.random() < 0.5 and rpc.body:
            request = self._rest(rpc, self._message(rpc, table), table, seat)
            return replace(
                request, content=(request.content or b"{}")[:-1] + b" " * (size - len(request.content)) + b"}"
            )
        padding = values.varint(1000 << 3 | 2) + values.varint(max(size - 6, 0)) + bytes(max(size - 6, 0))
        return self._framed(rpc, self.random.choice((GRPC, DIRECT, WEB)), padding[:size], table, seat)

    def ids(self) -> Request:
        """Ask for tables that are not there, with ids that are none."""
        rpc, table, seat = self._rpc("table_id"), self._table(), self._seat()
        message: Any = self._message(rpc, table)
        other = self.random.choice(self._tables).table_id
        ids = (*values.TABLE_IDS, other[:-1], other + "a", other.upper(), f"{other}/..", f"{other}%2f..")
        message.table_id = self.random.choice(ids)
        if rpc.takes("command_id"):
            message.command_id = self.random.choice(values.COMMAND_IDS)
        request = replace(self._request(rpc, message, table, seat), table=None)
        if request.protocol == REST and self.random.random() < 0.5:  # as it stands, not percent-encoded
            path = rpc.template.replace(
                "{table_id}", self.random.choice((message.table_id, "%2F", "a%2Fb", "%", "%zz", "%C0%AF"))
            )
            return replace(request, path="".join(c for c in path if c not in " \r\n"))
        return request

    def tokens(self) -> Request:
        """Call with a token that opens nothing, or something else."""
        rpc, table = self._rpc(), self._table()
        request = self._request(rpc, self._message(rpc, table), table, None)
        return replace(request, headers=self._headers(request))

    def queries(self) -> Request:
        """Ask over REST with a query that is wrong."""
        rpc, table, seat = self._rpc(), self._table(), self._seat()
        request = self._rest(rpc, self._message(rpc, table), table, seat)
        odd = ("unknown=1", "command.tricks=1", "command_id=1&command_id=2", "min_version=x",
               "min_version=99999999999", "%", "=", "&&",
               "wait=1e9s", "wait=-1s", "wait=0.0000000001s", "expected_version=-1", "expected_version=NaN",
               "from_hash=!!!", "a.b.c=1",
               "table_id=00.aaaaaaaaaaaaaaaaaa", "x" * 9_000, "fromVersion=1", "$alt=json", "access_token=1",
               "limit=501",
               "at_version=0", "at_version=", "at_version=1&min_version=1", "as_seat=9", "as_seat=-1")  # fmt: skip
        mark = "&" if "?" in request.path else "?"
        return replace(request, path=request.path + mark + self.random.choice(odd))

    def verbs(self) -> Request:
        """Call what does not exist, or in a way that does not exist."""
        rpc, table, seat = self._rpc(), self._table(), self._seat()
        request = self._rest(rpc, self._message(rpc, table), table, seat)
        path = request.path.partition("?")[0]
        paths = (path, path, path, path + "/", path + ":fly", f"/{path}", path + "/x", path.upper(), "/", "/v1",
                 "/v1/", "/v1/%2e%2e/",
                 "/livez", "/readyz", "/openapi.json", "/favicon.ico", "/" + "a" * 9_000, rpc.path, rpc.path + "x",
                 "/../../etc/passwd",
                 "/grpc.health.v1.Health/Check", path + "#x", path + ";x=1", "/?", "*")  # fmt: skip
        verbs = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "BREW")
        odd = replace(request, path=self.random.choice(paths), verb=self.random.choice(verbs), rpc=None, table=None)
        if odd.path in ("/livez", "/readyz", "/openapi.json", "/", "/?") or self.random.random() < 0.8:
            return odd
        method = self.random.choice(
            (rpc.path + "s", rpc.path.lower(), "/a/b", "//", "/stammtisch.x.v1.Service/Do", rpc.path + "/x")
        )
        return Request("", self.random.choice((GRPC, DIRECT)), method, request.content)

    def headers(self) -> Request:
        """Send headers that are many, long, twice there, or nonsense."""
        rpc, table, seat = self._rpc(), self._table(), self._seat()
        request = self._request(rpc, self._message(rpc, table), table, seat)
        odd: tuple[tuple[Header, ...], ...] = (
            tuple((f"x-{number}", "y") for number in range(50)),
            (("x-long", "y" * self.random.choice((1_000, 8_000, 20_000))),),
            (("x-request-id", "y" * 3_000),),
            (("x-request-id", '"}\\n{"level": "error"'),),
            (("x-forwarded-for", self.random.choice(("1.2.3.4", "::1", "x" * 500, ",,,"))),),
            (("x-twice", "1"), ("x-twice", "2")),
            (("accept-encoding", "gzip, br, x"), ("accept", "text/html")),
            (("cookie", "a=b; " * 100),),
            (("x-empty", ""),),
        )
        raw: tuple[tuple[Header, ...], ...] = (
            (("grpc-timeout", self.random.choice(("", "1", "S", "-1S", "99999999999S", "1x", "é", "9S"))),),
            (("content-type", self.random.choice(CONTENT_TYPES)),),
            (("grpc-encoding", self.random.choice(("gzip", "snappy", "identity", ""))),),
            (("x_underscore", "1"),),
            (("te", "chunked"),),
            (("x-http-method-override", "DELETE"), ("x-envoy-original-path", "/v1/games")),
            (("authorization", "Bearer a"), ("authorization", "Bearer b")),
            (("x-nothing", "\x00"),),
            (("host", "other"),),
            (("last-event-id", self.random.choice(LAST_EVENT_IDS)),),
            (("x-longer", "y" * 70_000),),  # over HTTP/2 it ends the connection, which is the protocol's way
            tuple((f"x-{number}", "y") for number in range(150)),
            (("x-bin", "////"), ("y-bin", "!")),
            (("expect", "nonsense"),),
            (("content-encoding", "gzip"),),
        )
        by_hand = request.protocol in (REST, WEB)
        headers = self.random.choice((*odd, *raw) if by_hand else odd)
        kept = request.headers
        if any(name in ("content-type", "authorization") for name, _ in headers):
            names = {name for name, _ in headers}
            kept = tuple(header for header in kept if header[0] not in names)
            request = replace(request, seat=None if "authorization" in names else request.seat)
        if request.protocol == WEB and any(name == "content-type" for name, _ in headers):
            request = replace(request, protocol=REST, rpc=None)
        return replace(request, headers=(*kept, *headers))

    def streams(self) -> Request:
        """Open a stream, and leave it after some frames."""
        rpc = self.random.choice([rpc for rpc in RPCS if rpc.streams])
        table, seat = self._table(), self._seat()
        message: Any = rpc.request(table_id=table.table_id)
        for field in ("from_version", "after"):
            if rpc.takes(field) and self.random.random() < 0.6:
                setattr(message, field, self.random.choice((0, 1, table.truth.version, table.truth.version + 5)))
        request = self._request(rpc, message, table, seat)
        if rpc.events and request.protocol in (REST, WEB) and self.random.random() < 0.7:
            request = replace(
                request, headers=(*request.headers, ("last-event-id", self.random.choice(LAST_EVENT_IDS)))
            )
        return replace(request, frames=self.random.choice((1, 1, 2, 2, 3, 1_000)))

    def creations(self) -> Request:
        """Create a table, which nobody will play at."""
        return asks_for_table(self.random)

    def afterlife(self) -> Request:
        """Ask an ended table for what only such a table has."""
        ended = [table for table in self._tables if not table.truth.running]
        if not ended:
            return self.sound()
        table, rpc = self.random.choice(ended), self.random.choice(AFTERWARDS)
        return self._request(rpc, self._message(rpc, table), table, self._seat())

    def _rpc(self, field: str = "") -> Rpc:
        return self.random.choice([rpc for rpc in RPCS if not field or rpc.takes(field)])

    def _table(self) -> Seating:
        return self.random.choice(self._tables)

    def _seat(self) -> int | None:
        return self.random.choice((None, 1, 2, 1, 2, 3, 0))  # 0 is the admin

    def _message(self, rpc: Rpc, table: Seating) -> Message:
        """Return a request about a table, of which a part is as it should be."""
        words: tuple[str, ...] = values.TEXTS
        if table.truth.steps and self.random.random() < 0.7:
            words = (
                *words,
                *sorted(strings(table.truth.view(table.truth.version, self.random.choice(table.truth.seats)))),
            )
        message: Any = values.message(rpc.request, self.random, words)
        if rpc.takes("table_id"):
            message.table_id = table.table_id
        if rpc.takes("command_id"):
            message.command_id = values.identifier(self.random)
        if rpc.takes("expected_version") and self.random.random() < 0.8:
            message.ClearField("expected_version")
        if rpc.takes("at_version"):
            self._look_back(message, table)
        if rpc.takes("contribution") and self.random.random() < 0.8:
            message.contribution = self.random.choice((b"", self.random.randbytes(32)))
        if rpc.takes("seats") and self.random.random() < 0.7:
            del message.seats[:]
            message.seats.extend(table_pb2.NewSeat() for _ in range(self.random.randrange(2, 6)))
        if rpc.takes("cards") and self.random.random() < 0.8:
            self._fork(message, table)
        return message  # type: ignore[no-any-return]

    def _fork(self, message: Any, table: Seating) -> None:
        """Ask for a fork that could be."""
        message.version = self.random.randrange(table.truth.version + 2)
        message.cards = self.random.choice(table_pb2.Cards.values())
        del message.seats[:]
        message.seats.extend(table_pb2.NewSeat() for _ in table.truth.seats)
        message.ClearField("terms")

    def _look_back(self, message: Any, table: Seating) -> None:
        """Ask as often for what has been as for what is."""
        if self.random.random() < 0.5:
            message.ClearField("at_version")
            return
        message.ClearField("min_version")
        message.ClearField("wait")
        message.at_version = self.random.randrange(table.truth.version + 2)
        message.as_seat = self.random.choice((0, 0, 1, 2, 3))

    def _request(self, rpc: Rpc, message: Message, table: Seating, seat: int | None) -> Request:
        protocol = self.random.choice(PROTOCOLS)
        if protocol == REST:
            return self._rest(rpc, message, table, seat)
        return self._framed(rpc, protocol, message.SerializeToString(), table, seat)

    def _rest(self, rpc: Rpc, message: Message, table: Seating, seat: int | None) -> Request:
        try:
            path, body = rpc.rest(message)
        except json_format.SerializeToJsonError:  # such as a duration that is none, which JSON cannot say
            return self._framed(rpc, DIRECT, message.SerializeToString(), table, seat)
        headers, seat = _signed(table, seat)
        return Request("", REST, path, body.encode(), rpc.verb, (JSON, *headers), rpc, table, seat)

    def _framed(self, rpc: Rpc, protocol: str, content: bytes, table: Seating, seat: int | None) -> Request:
        headers, seat = _signed(table, seat)
        if protocol == WEB:
            content, headers = values.framed(content), (WEB_KIND, *headers)
        return Request("", protocol, rpc.path, content, "POST", headers, rpc, table, seat)

    def _headers(self, request: Request) -> tuple[Header, ...]:
        """Return the headers of a request with a token that is damaged, or for another table."""
        others = [table for table in self._tables if table is not request.table]
        another = self.random.choice(others or list(self._tables))
        foreign = f"Bearer {self.random.choice((another.admin, *another.tokens.values()))}"
        own: str = request.table.tokens[1]
        token = foreign if others and self.random.random() < 0.3 else values.token_damaged(own, self.random)
        if request.protocol in (GRPC, DIRECT) and not (token.isascii() and token.isprintable()):
            token = "Bearer"
        kept = tuple(header for header in request.headers if header[0] != "authorization")
        return (*kept, ("authorization", token))


LAST_EVENT_IDS = ("", "0", "1", "2-", "1-00", "-1", "-", "x", "99999999999", "2147483647", "1-zz", "9" * 5_000, "1_0",
                  "\u0661", "1-" + "00" * 32,
                  " 1", "1.5", "0x1", "1-" + "a" * 9)  # fmt: skip
CONTENT_TYPES = ("", "text/plain", "application/xml", "application/x-protobuf", "application/grpc+json",
                 "multipart/form-data; boundary=x",
                 "application/json; charset=utf-16", "application/grpc-web+json", "a" * 500)  # fmt: skip

KINDS: tuple[tuple[str, Callable[[Requests], Request]], ...] = (
    *(("legal", Requests.legal),) * 6,
    ("again", Requests.again),
    *(("sound", Requests.sound),) * 2,
    *(("malformed", Requests.malformed),) * 3,
    ("unframed", Requests.unframed),
    *(("json", Requests.json),) * 2,
    ("sizes", Requests.sizes),
    *(("ids", Requests.ids),) * 2,
    *(("tokens", Requests.tokens),) * 2,
    ("queries", Requests.queries),
    ("verbs", Requests.verbs),
    *(("headers", Requests.headers),) * 2,
    ("streams", Requests.streams),
    ("creations", Requests.creations),
    ("afterlife", Requests.afterlife),
)


def _signed(table: Seating, seat: int | None) -> tuple[tuple[Header, ...], int | None]:
    """Return the header of a seat, and the seat that it is."""
    if seat is None:
        return (), None
    if seat == 0:
        return (("authorization", f"Bearer {table.admin}"),), None
    if seat not in table.tokens:
        return (), None
    return (table.bearer(seat),), seat
