"""Failures: one for everything that can go wrong with a call, and what to do about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from stammtisch.table.v1 import table_pb2

DOMAIN = "stammtisch"
PREFIX = "ERROR_REASON_"

Code = grpc.StatusCode
Reason = table_pb2.ErrorReason


@dataclass(eq=False)  # not frozen: an exception on its way is given its traceback
class Failure(Exception):
    """What a caller is told: a code, a reason for programs and a sentence that says what to do."""

    code: grpc.StatusCode
    reason: str
    sentence: str
    domain: str = DOMAIN
    metadata: dict[str, str] = field(default_factory=dict)
    details: Sequence[Message] = ()

    def status(self) -> status_pb2.Status:
        """Return the status as it goes over the wire."""
        info = error_details_pb2.ErrorInfo(reason=self.reason, domain=self.domain, metadata=self.metadata)
        return status_pb2.Status(
            code=self.code.value[0],
            message=self.sentence,
            details=[_packed(detail) for detail in (info, *self.details)],
        )


def failure(
    code: grpc.StatusCode, reason: Reason.ValueType, sentence: str, *details: Message, **metadata: Any
) -> Failure:
    """Return one of the service's own failures."""
    named = {key: str(value) for key, value in metadata.items()}
    return Failure(code, Reason.Name(reason).removeprefix(PREFIX), sentence, metadata=named, details=details)


def retry_after(seconds: float) -> error_details_pb2.RetryInfo:
    """Return the detail that says when to try again."""
    return error_details_pb2.RetryInfo(
        retry_delay=duration_pb2.Duration(nanos=int(seconds % 1 * 1e9), seconds=int(seconds))
    )


def invalid(path: str, sentence: str) -> Failure:
    """Return the failure of a field that is missing or malformed."""
    violation = error_details_pb2.BadRequest.FieldViolation(field=path, description=sentence)
    detail = error_details_pb2.BadRequest(field_violations=[violation])
    return failure(Code.INVALID_ARGUMENT, table_pb2.ERROR_REASON_INVALID_FIELD, f"{path}: {sentence}", detail)


def no_such_table() -> Failure:
    """Return the failure of a table that does not exist, or that the caller may not know of."""
    sentence = "There is no such table, or it is not for you to see. Check the id, and send a token of the table."
    return failure(Code.NOT_FOUND, table_pb2.ERROR_REASON_TABLE_NOT_FOUND, sentence)


def _packed(message: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
