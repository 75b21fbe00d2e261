"""Tokens: who is calling. Any server verifies any token without asking anybody."""

import hashlib
import hmac
import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import jwt
from stammtisch.table.v1 import table_pb2

from service.api.errors import Code, Failure, failure, no_such_table
from service.seal import invite_code

ALGORITHM = "HS256"
TOKEN_LENGTH_MAX = 1_000
REMEMBERED_MAX = 10_000  # verified tokens, so that a signature is checked once and not at every call
BEARER = re.compile(r"[Bb]earer +(\S+) *")


@dataclass(frozen=True, slots=True)
class Nobody:
    """A caller without a token."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A caller who has a seat at a table."""

    table_id: str
    seat: int
    since: int = 0  # the version in which the person sat down; 0 for those who were there from the beginning


@dataclass(frozen=True, slots=True)
class Admin:
    """A caller who may close a table."""

    table_id: str


@dataclass(frozen=True, slots=True)
class Creator:
    """A caller who may create tables."""

    name: str


@dataclass(frozen=True, slots=True)
class Auditor:
    """A caller who may read any log."""

    name: str


Caller = Nobody | Seated | Admin | Creator | Auditor


class Tokens:
    """Signs and verifies tokens, and knows the keys of creators and auditors."""

    def __init__(
        self,
        keys: Mapping[str, bytes],
        newest: str,
        creators: Mapping[str, str] = MappingProxyType({}),  # their keys, by name
        auditors: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._keys = keys
        self._newest = newest
        self._holders: dict[bytes, Caller] = {
            **{_digest(key): Creator(name) for name, key in creators.items()},
            **{_digest(key): Auditor(name) for name, key in auditors.items()},
        }
        self._verified: OrderedDict[str, Caller] = OrderedDict()

    def for_seat(self, table_id: str, seat: int, since: int = 0) -> str:
        """Return the token that opens a seat, for the person who sat down there in a version."""
        return self._signed({"table": table_id, "seat": seat, "since": since})

    def for_admin(self, table_id: str) -> str:
        """Return the token that may close a table."""
        return self._signed({"table": table_id, "admin": True})

    def caller(self, authorization: str | None) -> Caller:
        """Return who sent an authorization header."""
        if authorization is None:
            return Nobody()
        bearer = BEARER.fullmatch(authorization)
        if bearer is None or len(bearer[1]) > TOKEN_LENGTH_MAX:
            raise _missing("Send the header `authorization: Bearer <token>`.")
        return self._verified.get(bearer[1]) or self._remembered(bearer[1])

    def _signed(self, claims: dict[str, Any]) -> str:
        return jwt.encode(claims, self._keys[self._newest], ALGORITHM, headers={"kid": self._newest})

    def _remembered(self, token: str) -> Caller:
        caller = self._holders.get(_digest(token)) or self._verify(token)
        self._verified[token] = caller
        if len(self._verified) > REMEMBERED_MAX:
            self._verified.popitem(last=False)
        return caller

    def _verify(self, token: str) -> Caller:
        try:
            key = self._keys[jwt.get_unverified_header(token)["kid"]]
            claims = jwt.decode(token, key, [ALGORITHM])
        except (jwt.InvalidTokenError, KeyError, TypeError) as error:
            raise _invalid() from error
        match claims:
            case {"table": str(table_id), "seat": int(seat), "since": int(since)}:
                return Seated(table_id, seat, since)
            case {"table": str(table_id), "admin": True}:
                return Admin(table_id)
            case _:
                raise _invalid()


def _digest(key: str) -> bytes:
    """Return what keys are looked up by, so that a look-up's time says nothing about a key."""
    return hashlib.sha256(key.encode()).digest()


def _missing(sentence: str) -> Failure:
    return failure(Code.UNAUTHENTICATED, table_pb2.ERROR_REASON_TOKEN_MISSING, sentence)


def _invalid() -> Failure:
    sentence = "This token is not one of this service's, or its key has been retired. Use the one from CreateTable."
    return failure(Code.UNAUTHENTICATED, table_pb2.ERROR_REASON_TOKEN_INVALID, sentence)


def acting(caller: Caller, table_id: str) -> Seated:
    """Return the seat that a caller acts for at a table."""
    match caller:
        case Seated(mine) if mine == table_id:
            return caller
        case Nobody():
            raise _missing("Only a seat may do this. Send its token: `authorization: Bearer <token>`.")
        case _:
            raise not_your_role("Only a seat of this table may do this. Send the token of the seat.")


def closing(caller: Caller, table_id: str) -> None:
    """Fail unless a caller may close a table."""
    match caller:
        case Admin(mine) if mine == table_id:
            return
        case Nobody():
            raise _missing("Only the table's admin may do this. Send the admin token from CreateTable.")
        case _:
            raise not_your_role("Only the table's admin may do this. Send the admin token from CreateTable.")


def playing_again(caller: Caller, table_id: str) -> Seated | Admin:
    """Return who asks for a table's rematch: one of its seats, or its admin."""
    match caller:
        case Seated(mine) | Admin(mine) if mine == table_id:
            return caller
        case Nobody():
            raise _missing("Only a seat of the table or its admin may do this. Send its token.")
        case _:
            raise not_your_role("Only a seat of this table or its admin may do this. Send its token.")


def invited(root: bytes, code: str) -> None:
    """Fail unless a code lets people take the open seats of the table with this root."""
    if not hmac.compare_digest(code.encode(), invite_code(root).encode()):
        raise no_such_table()


def seeing(caller: Caller, table_id: str) -> Seated | None:
    """Return the seat whose view a caller gets; None for what everybody sees."""
    match caller:
        case Seated(mine) if mine == table_id:
            return caller
        case Seated() | Admin() if caller.table_id != table_id:
            raise not_your_role(
                "This token is for another table. Send one of this table's, or none to see what spectators see."
            )
        case _:
            return None


def looking_as(own: int | None, wanted: int, *, ended: bool) -> int | None:
    """Return the seat whose view is asked for, which before the table's end is the caller's own."""
    if wanted in (0, own):
        return own
    if not ended:
        raise not_your_role("What another seat sees is shown once the table has ended. Leave out as_seat until then.")
    return wanted


def may_see(caller: Caller, *, spectators: bool) -> bool:
    """Whether a caller whose token is not for another table may know of a table."""
    return spectators or isinstance(caller, Seated | Admin | Auditor)


def creating(caller: Caller, *, anybody: bool) -> str:
    """Return the name of a caller who may create tables."""
    match caller:
        case Creator(name):
            return f"creator/{name}"
        case _ if anybody:
            return "anybody"
        case Nobody():
            raise _missing("Creating tables needs an API key: `authorization: Bearer <key>`.")
        case _:
            raise not_your_role("Creating tables needs an API key, and this is another token.")


def forking(caller: Caller, table_id: str, *, anybody: bool) -> str:
    """Return the name of a caller who may create forks of a table: whoever was there, or may create any table."""
    match caller:
        case Seated(mine) | Admin(mine) if mine == table_id:
            return f"table/{mine}"
        case _:
            return creating(caller, anybody=anybody)


def not_your_role(sentence: str) -> Failure:
    """Return the failure of a token that is for something else."""
    return failure(Code.PERMISSION_DENIED, table_pb2.ERROR_REASON_NOT_YOUR_ROLE, sentence)
