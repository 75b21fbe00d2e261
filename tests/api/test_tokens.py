"""A token is one of ours, unchanged, or nothing."""

import base64
import json
from typing import Any

import jwt
import pytest

from service.api.errors import Failure
from service.api.tokens import Admin, Auditor, Caller, Creator, Nobody, Seated, Tokens

TABLE = "00.aaaaaaaaaaaaaaaaaa"
OLD, NEW = b"o" * 32, b"n" * 32
CLAIMS: dict[str, Any] = {"table": TABLE, "seat": 1}


@pytest.fixture
def tokens() -> Tokens:
    return Tokens({"new": NEW, "old": OLD}, "new", {"shop": "creator-key"}, {"auditor": "auditor-key"})


def ask(tokens: Tokens, token: str) -> Caller:
    return tokens.caller(f"Bearer {token}")


def encoded(part: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


def resigned(token: str, claims: object) -> str:
    """Put other claims under the old signature."""
    header, _, signature = token.split(".")
    return f"{header}.{encoded(claims)}.{signature}"


def test_a_token_says_who_its_bearer_is(tokens: Tokens) -> None:
    assert ask(tokens, tokens.for_seat(TABLE, 2)) == Seated(TABLE, 2)
    assert ask(tokens, tokens.for_admin(TABLE)) == Admin(TABLE)
    assert ask(tokens, "creator-key") == Creator("shop")
    assert ask(tokens, "auditor-key") == Auditor("auditor")
    assert tokens.caller(None) == Nobody()


def test_a_token_lasts_until_its_key_is_retired(tokens: Tokens) -> None:
    before = Tokens({"old": OLD}, "old").for_seat(TABLE, 1)
    assert ask(tokens, before) == Seated(TABLE, 1)
    with pytest.raises(Failure) as failure:
        ask(Tokens({"new": NEW}, "new"), before)
    assert failure.value.reason == "TOKEN_INVALID"


@pytest.mark.parametrize(
    "token",
    [
        "garbage",
        "a.b.c",
        "..",
        "\u00e9",
        "[" * 900,
        encoded([[[]]]) + "..",
        jwt.encode(CLAIMS, NEW, "HS256"),
        jwt.encode(CLAIMS, b"x" * 32, "HS256", headers={"kid": "new"}),
        jwt.encode(CLAIMS, NEW, "HS256", headers={"kid": "gone"}),
        jwt.encode(CLAIMS, NEW + NEW, "HS512", headers={"kid": "new"}),
        jwt.encode(CLAIMS, OLD, "HS256", headers={"kid": "new"}),
        jwt.encode({"table": TABLE}, NEW, "HS256", headers={"kid": "new"}),
        jwt.encode({"table": TABLE, "seat": "1"}, NEW, "HS256", headers={"kid": "new"}),
        jwt.encode({"table": 1, "seat": 1}, NEW, "HS256", headers={"kid": "new"}),
        jwt.encode({"table": TABLE, "admin": "yes"}, NEW, "HS256", headers={"kid": "new"}),
        jwt.encode({**CLAIMS, "exp": 1}, NEW, "HS256", headers={"kid": "new"}),
        f"{encoded({'alg': 'none', 'typ': 'JWT', 'kid': 'new'})}.{encoded(CLAIMS)}.",
        f"{encoded({'alg': 'RS256', 'typ': 'JWT', 'kid': 'new'})}.{encoded(CLAIMS)}.{'A' * 43}",
        f"{encoded({'alg': 'HS256', 'typ': 'JWT', 'kid': ['new']})}.{encoded(CLAIMS)}.{'A' * 43}",
        f"{encoded({'alg': 'HS256', 'typ': 'JWT', 'kid': {'new': 1}})}.{encoded(CLAIMS)}.{'A' * 43}",
        f"{encoded({'alg': 'HS256', 'crit': ['b64'], 'b64': False, 'kid': 'new'})}.{encoded(CLAIMS)}.{'A' * 43}",
    ],
)
def test_what_this_service_did_not_sign_is_no_token(tokens: Tokens, token: str) -> None:
    with pytest.raises(Failure) as failure:
        ask(tokens, token)
    assert failure.value.reason == "TOKEN_INVALID"


def test_claims_cannot_be_changed(tokens: Tokens) -> None:
    token = tokens.for_seat(TABLE, 1)
    for claims in ({"table": TABLE, "seat": 2}, {"table": TABLE, "admin": True}, {"table": "00.b", "seat": 1}):
        with pytest.raises(Failure):
            ask(tokens, resigned(token, claims))


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic YTpi", "token", "Bearer a b", f"Bearer {'x' * 1001}"]
)
def test_a_header_that_is_not_a_bearers_is_explained(tokens: Tokens, header: str) -> None:
    with pytest.raises(Failure) as failure:
        tokens.caller(header)
    assert failure.value.reason == "TOKEN_MISSING"
    assert "Bearer <token>" in failure.value.sentence


def test_only_so_many_tokens_are_remembered(tokens: Tokens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.tokens.REMEMBERED_MAX", 3)
    for _ in range(2):
        for seat in range(1, 9):
            assert ask(tokens, tokens.for_seat(TABLE, seat)) == Seated(TABLE, seat)
    assert len(tokens._verified) == 3
