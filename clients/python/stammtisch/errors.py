"""What can go wrong with a call, as one small tree."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import grpc
from google.protobuf import any_pb2, descriptor_pool, message_factory
from google.rpc import error_details_pb2, status_pb2

STATUS_TRAILER = "grpc-status-details-bin"
DOMAIN = "stammtisch"  # of the service's own reasons; a game's are of `<game>.stammtisch`
Code = grpc.StatusCode


class StammtischError(Exception):
    """A call failed. The sentence says what to do about it."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        sentence: str,
        metadata: Mapping[str, str] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.reason = reason  # as in `ErrorReason` without its prefix, or as in the game's `Reason`; "" if unknown
        self.sentence = sentence
        self.metadata = metadata or {}
        self.retry_after = retry_after  # seconds
        self.command_id = ""  # of the command that failed

    @property
    def passing(self) -> bool:
        """Whether the same request, sent again, may succeed."""
        too_fast = self.code is Code.RESOURCE_EXHAUSTED and self.retry_after is not None
        return too_fast or isinstance(self, Unavailable) or self.reason == "TOO_MANY_CONFLICTS"


class Refused(StammtischError):
    """The rules of the game said no. `refusal` is the game's own message."""

    refusal: "Refusal"


class TableEnded(StammtischError):
    """The table has ended; nothing can be done at it any more."""


class Stale(StammtischError):
    """The table is not at `expected_version`. Look at it, and decide again."""


class NotFound(StammtischError):
    """There is no such table, or it is not for this token to see."""


class NotAllowed(StammtischError):
    """The token is missing, is not valid, or is for something else."""


class Unavailable(StammtischError):
    """Nobody answered. A command may have been done or not: to find out, give it again with the same `command_id`."""


class Refusal(Protocol):
    """What every game's `Refusal` message has."""

    reason: int  # of the game's `Reason`
    sentence: str
    version: int

    @property
    def legal(self) -> Sequence[Any]:
        """The game's commands that this seat may give instead."""


CODES: Mapping[int, grpc.StatusCode] = {code.value[0]: code for code in Code}
KINDS: Mapping[grpc.StatusCode, type[StammtischError]] = {
    Code.NOT_FOUND: NotFound,
    Code.UNAUTHENTICATED: NotAllowed,
    Code.PERMISSION_DENIED: NotAllowed,
    Code.UNAVAILABLE: Unavailable,
    Code.DEADLINE_EXCEEDED: Unavailable,
}
REASONS: Mapping[str, type[StammtischError]] = {"TABLE_ENDED": TableEnded, "VERSION_STALE": Stale}
BROKEN = {Code.CANCELLED, Code.INTERNAL, Code.UNKNOWN}  # without a reason: how a broken connection may look


def from_grpc(error: grpc.aio.AioRpcError) -> StammtischError:
    """Return what a failed call means."""
    for key, value in error.trailing_metadata() or ():
        if key == STATUS_TRAILER:
            return from_status(status_pb2.Status.FromString(value))
    return from_status(status_pb2.Status(code=error.code().value[0], message=error.details() or ""))


def from_status(status: status_pb2.Status) -> StammtischError:
    """Return what a status means, however it was brought here."""
    code, sentence = CODES[status.code], status.message or CODES[status.code].name
    info = _find(status.details, error_details_pb2.ErrorInfo)
    retry = _find(status.details, error_details_pb2.RetryInfo)
    retry_after = retry.retry_delay.ToTimedelta().total_seconds() if retry else None
    if info is None:
        kind = Unavailable if code in BROKEN else KINDS.get(code, StammtischError)
        return kind(code, "", sentence, None, retry_after)
    if info.domain.endswith(f".{DOMAIN}"):
        refused = Refused(code, info.reason, sentence, dict(info.metadata))
        refused.refusal = _refusal(status.details)
        return refused
    kind = REASONS.get(info.reason) or KINDS.get(code, StammtischError)
    return kind(code, info.reason, sentence, dict(info.metadata), retry_after)


def _find(details: Sequence[any_pb2.Any], kind: Any) -> Any:
    for detail in details:
        if detail.Is(kind.DESCRIPTOR):
            return kind.FromString(detail.value)
    return None


def _refusal(details: Sequence[any_pb2.Any]) -> Any:
    (detail,) = (detail for detail in details if detail.type_url.endswith(".Refusal"))
    described = descriptor_pool.Default().FindMessageTypeByName(detail.TypeName())
    return message_factory.GetMessageClass(described).FromString(detail.value)
