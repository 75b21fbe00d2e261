"""Calls: bytes become a request, whatever goes wrong becomes a status, and nothing else gets out."""

import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

import grpc
import structlog
from google.protobuf.message import DecodeError, Message
from grpc_status import rpc_status
from stammtisch.table.v1 import table_pb2

from service.api.errors import Code, Failure, failure, no_such_table, retry_after
from service.api.guests import Guests
from service.api.tokens import Caller, Nobody
from service.fold import RulesUnknown
from service.history import LogDamaged, NoSuchTable
from service.log import LogUnavailable
from service.objections import (
    CommandIdReused,
    ContributionDiffers,
    NotEnded,
    NothingToDo,
    NotStarted,
    OutOfTime,
    SeatAway,
    SeatNotOpen,
    Stale,
    TableEnded,
    TableFull,
    TokenOutdated,
    TooManyConflicts,
    VersionUnknown,
    WrongGame,
)
from service.seal import SealBroken, UnknownKey

logger = structlog.get_logger()

REQUEST_ID_LENGTH_MAX = 100
UNAVAILABLE_PAUSE_SECONDS = 1.0
CONFLICT_PAUSE_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Call:
    """Who calls, and from where."""

    caller: Caller
    holder: Hashable  # whose limits the call counts against: the caller, or the address of nobody in particular
    metadata: dict[str, str]
    arrived_ms: int


Unary = Callable[[Any, Call], Awaitable[Message]]
Stream = Callable[[Any, Call], AsyncIterator[Any]]
# grpc's own classes take no parameters at run time.
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


def unary(behaviour: Unary, request: type[Message], guests: Guests) -> Handler:
    """Return the handler of a method with one answer."""

    async def answer(_sent: AsyncIterator[bytes], context: Context) -> Message:
        try:
            call = _call(context, guests)
            return await behaviour(_parse(request, await _read(context), guests), call)
        except Exception as error:
            return await _abort(context, error)

    return grpc.stream_unary_rpc_method_handler(answer, None, _serialize)


def stream(behaviour: Stream, request: type[Message], guests: Guests) -> Handler:
    """Return the handler of a method that answers with a stream."""

    async def answer(_sent: AsyncIterator[bytes], context: Context) -> AsyncIterator[Message | bytes]:
        try:
            call = _call(context, guests)
            async for message in behaviour(_parse(request, await _read(context), guests), call):
                yield message
        except Exception as error:
            await _abort(context, error)

    return grpc.stream_stream_rpc_method_handler(answer, None, _serialize)


async def _read(context: Context) -> bytes:
    """Return the request. A handler of one request is never called if none comes whole, and never answers."""
    data: Any = await context.read()
    if data is grpc.aio.EOF:
        sentence = "No whole message came. Send exactly one, framed as gRPC frames it."
        raise failure(Code.INVALID_ARGUMENT, table_pb2.ERROR_REASON_INVALID_FIELD, sentence)
    return bytes(data)


def _serialize(message: Message | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.SerializeToString()


def _parse(request: type[Message], data: bytes, guests: Guests) -> Message:
    most = guests.limits.message_bytes
    if len(data) > most:
        sentence = f"The request has {len(data)} bytes; send at most {most}."
        raise failure(Code.RESOURCE_EXHAUSTED, table_pb2.ERROR_REASON_TOO_LARGE, sentence)
    try:
        return request.FromString(data)
    except DecodeError as error:
        sentence = (
            f"The request is not a {request.DESCRIPTOR.full_name}. Generate your client from this service's protos."
        )
        raise failure(Code.INVALID_ARGUMENT, table_pb2.ERROR_REASON_INVALID_FIELD, sentence) from error


def _call(context: Context, guests: Guests) -> Call:
    metadata: dict[str, Any] = dict(context.invocation_metadata() or ())
    request_id = metadata.get("x-request-id") or str(uuid.uuid4())
    structlog.contextvars.bind_contextvars(request=request_id[:REQUEST_ID_LENGTH_MAX])
    caller = guests.tokens.caller(metadata.get("authorization"))
    holder = _address(context, metadata) if isinstance(caller, Nobody) else caller
    return Call(caller, holder, metadata, time.time_ns() // 1_000_000)


def _address(context: Context, metadata: Mapping[str, str]) -> str:
    return metadata.get("x-forwarded-for", "").rpartition(",")[2].strip() or context.peer().rpartition(":")[0]


async def _abort(context: Context, error: Exception) -> NoReturn:
    failed = error if isinstance(error, Failure) else _failure(error)
    await context.abort_with_status(rpc_status.to_status(failed.status()))
    raise AssertionError  # abort has raised


def _failure(error: Exception) -> Failure:  # noqa: C901, PLR0911, PLR0912 - one case for each thing that can go wrong
    """Return what a caller is told about an exception."""
    match error:
        case NoSuchTable():
            return no_such_table()
        case TableEnded():
            sentence = "The table has ended; nothing can be done at it any more. GetView still shows it."
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_TABLE_ENDED, sentence)
        case NotEnded():
            sentence = "The table has not ended. Wait for its end, or close it; then send the same request again."
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_NOT_ENDED, sentence)
        case NotStarted():
            sentence = "The game has not begun: seats are open, or contributions still to be revealed. Watch the table."
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_NOT_STARTED, sentence)
        case ContributionDiffers():
            sentence = (
                "The seat has committed itself to another contribution. Reveal the 32 bytes that it committed to."
            )
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_CONTRIBUTION_DIFFERS, sentence)
        case SeatNotOpen():
            sentence = "Somebody sits there, or the table has no such seat. JoinTable takes another, or any with 0."
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_SEAT_NOT_OPEN, sentence)
        case OutOfTime():
            sentence = "The seat's time has run out, and the table acts for it. Look at the table again in a moment."
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_OUT_OF_TIME, sentence)
        case SeatAway():
            sentence = "A bot plays this seat. Take it back with ReturnToTable, then send the command again."
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_SEAT_AWAY, sentence)
        case NothingToDo():
            sentence = "That has been done already, or there is no need for it. Look at the table."
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_NOTHING_TO_DO, sentence)
        case TokenOutdated():
            sentence = "This token's player has left, and the seat with it. JoinTable takes an open one."
            return failure(Code.UNAUTHENTICATED, table_pb2.ERROR_REASON_TOKEN_OUTDATED, sentence)
        case TableFull():
            sentence = "The table's log is as long as a log may be. Close the table and create a new one."
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_TABLE_FULL, sentence)
        case WrongGame():
            sentence = f"The table plays {error.game}. Use that game's service."
            return failure(Code.FAILED_PRECONDITION, table_pb2.ERROR_REASON_WRONG_GAME, sentence, game=error.game)
        case Stale():
            sentence = f"The table is at version {error.version}. Look at it, and decide again."
            return failure(Code.ABORTED, table_pb2.ERROR_REASON_VERSION_STALE, sentence, version=error.version)
        case VersionUnknown():
            sentence = f"The table has the versions 1 to {error.newest}. Ask for one of these."
            reason = table_pb2.ERROR_REASON_VERSION_UNKNOWN
            return failure(Code.FAILED_PRECONDITION, reason, sentence, version=error.newest)
        case TooManyConflicts():
            sentence = "Others kept writing first. Send the same command again, with the same command_id."
            reason = table_pb2.ERROR_REASON_TOO_MANY_CONFLICTS
            return failure(Code.ABORTED, reason, sentence, retry_after(CONFLICT_PAUSE_SECONDS))
        case CommandIdReused():
            sentence = "This command_id was used for something else. Send a new UUID with a new command."
            return failure(Code.ALREADY_EXISTS, table_pb2.ERROR_REASON_COMMAND_ID_REUSED, sentence)
        case LogUnavailable():
            sentence = "The event log cannot be reached. Send the same request again, with the same command_id."
            return _unavailable(error, table_pb2.ERROR_REASON_LOG_UNAVAILABLE, sentence)
        case RulesUnknown():
            sentence = (
                "This server does not know the rules of the table. Send the same request again: another server may."
            )
            return _unavailable(error, table_pb2.ERROR_REASON_RULES_UNKNOWN, sentence)
        case LogDamaged() | SealBroken():
            sentence = (
                "The table's log does not fit together. Nothing is done at this table until the operator has looked."
            )
            return _unavailable(error, table_pb2.ERROR_REASON_LOG_DAMAGED, sentence)
        case UnknownKey():
            sentence = "The key of this table is not configured on this server. The operator has to add it."
            return _unavailable(error, table_pb2.ERROR_REASON_KEY_UNKNOWN, sentence)
        case _:
            return _bug(error)


def _unavailable(error: Exception, reason: table_pb2.ErrorReason.ValueType, sentence: str) -> Failure:
    logger.warning("unavailable", error=type(error).__name__, reason=str(error))
    return failure(Code.UNAVAILABLE, reason, sentence, retry_after(UNAVAILABLE_PAUSE_SECONDS))


def _bug(error: Exception) -> Failure:
    reference = str(uuid.uuid4())
    logger.error("bug", reference=reference, exc_info=error)
    sentence = "This is a bug on our side. Please tell us the reference."
    return failure(Code.INTERNAL, table_pb2.ERROR_REASON_BUG, sentence, reference=reference)
