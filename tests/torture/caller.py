"""Caller: sends a request to one process or another until what came of it is known."""

import asyncio
from dataclasses import dataclass
from random import Random
from typing import Any, cast

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from stammtisch.table.v1.service_pb2_grpc import TableServiceStub

from tests.torture.fleet import Fleet
from tests.torture.played import Played
from tests.torture.tally import Tally

ANSWER_SECONDS = 90.0  # whoever knows nothing by then has found a bug
PAUSE_SECONDS = 0.05  # the longest before the next try
HANG_UP_SECONDS = 0.01  # a hasty caller waits no longer than this

OF_TABLES = ("JoinTable", "CloseTable")  # the calls that are the same for every game
AGAIN = frozenset({"LOG_UNAVAILABLE", "NO_SERVER_READY", "TOO_MANY_CONFLICTS"})  # which say: send it again


class Unanswered(Exception):
    """Nobody knows what came of the request."""


class Denied(Exception):
    """The service has decided that it does not do what was asked."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(f"{reason}: {sentence}")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Manners:
    """How often a client does what clients do, from 0 to 1."""

    loyal: float = 0.0  # ask one process only, so that watchers at the others live by what is pushed to them
    hang_up: float = 0.0  # in the middle of a call, to ask somewhere else
    twice: float = 0.0  # the same command to two processes at once
    rival: float = 0.0  # another command for the same version at the same time
    echo: float = 0.0  # an old command once more
    close: float = 0.0  # the table, before its game is over
    invite: float = 0.0  # somebody to the last seat, who joins by himself
    patience: float = 2.0  # seconds; then a process is taken for dead, though it may only be frozen


RUDE = Manners(loyal=0.3, hang_up=0.1, twice=0.1, rival=0.1, echo=0.05, close=0.1, invite=0.3)


class Caller:
    """One client program, which asks whichever process chance sends it to."""

    def __init__(self, fleet: Fleet, played: Played, random: Random, manners: Manners, tally: Tally) -> None:
        self._stubs = [
            {"table": TableServiceStub(service.channel), "game": played.stub(service.channel)}
            for service in fleet.services
        ]
        if random.random() < manners.loyal:
            self._stubs = [random.choice(self._stubs)]
        self._random = random
        self._manners = manners
        self._tally = tally

    async def ask(self, method: str, request: Message, token: str) -> Any:
        """Return the answer, however often it takes; raise Denied if there is none to be had."""
        now = asyncio.get_running_loop().time
        patient_until = now() + ANSWER_SECONDS
        while now() < patient_until:
            try:
                return await self._once(method, request, token)
            except Unanswered:
                self._tally.add("unanswered")
                await asyncio.sleep(self._random.uniform(0, PAUSE_SECONDS))
        raise Denied("UNANSWERED", f"{method} had no answer within {ANSWER_SECONDS:g} s")

    async def _once(self, method: str, request: Message, token: str) -> Any:
        stubs = self._random.choice(self._stubs)
        call = getattr(stubs["table" if method in OF_TABLES else "game"], method)
        hasty = self._random.random() < self._manners.hang_up
        try:
            async with asyncio.timeout(self._random.uniform(0, HANG_UP_SECONDS) if hasty else self._manners.patience):
                return await call(request, metadata=authorization(token))
        except TimeoutError:  # leaving the block has cancelled the call
            raise Unanswered from None
        except grpc.aio.AioRpcError as error:
            if (reason := reason_of(error)) is None or reason in AGAIN:
                raise Unanswered from None
            raise Denied(reason, error.details() or "") from None


def authorization(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata that sends a token, if there is one."""
    return (("authorization", f"Bearer {token}"),) if token else ()


def reason_of(error: grpc.aio.AioRpcError) -> str | None:
    """Return the reason that the service gave; None where the connection broke and it gave none."""
    status = rpc_status.from_call(cast("grpc.Call", error))
    info = error_details_pb2.ErrorInfo()
    if status is None or not any(detail.Unpack(info) for detail in status.details):
        return None
    return str(info.reason)
