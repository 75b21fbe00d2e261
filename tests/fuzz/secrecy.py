"""Secrecy: whether an answer says more than the one who asked may know."""

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import status_pb2
from stammtisch.table.v1 import entry_pb2

from tests.fuzz.exchange import Answer, Request
from tests.fuzz.truth import Truth

EXAMPLE = re.compile(r"such as \S+")  # in the sentence that says what a notation looks like
LONG = 4  # shorter notations turn up in other words by chance, and in random bytes
VIEW = "GetViewResponse"
ELSEWHERE = (
    "RematchResponse",
    "ForkTableResponse",
)  # about another table than the one that was asked: nothing of this one's cards
JUDGED = ("view", "legal", "happened", "options")  # compared with the truth as they are, word for word


def versions(answer: Answer) -> Iterator[int]:
    """Return every version that an answer speaks of."""
    for message in (*answer.messages, *details(answer.status)):
        yield from _versions(message)


def leaks(request: Request, answer: Answer) -> Iterator[str]:
    """Return what an answer about a table in play says, and must not say to the one who asked."""
    if request.table is None or not request.table.truth.steps or (request.rpc and not request.rpc.takes("table_id")):
        return
    truth: Truth = request.table.truth
    for message in answer.messages:
        if message.DESCRIPTOR.name in ELSEWHERE:
            continue
        yield from _in_message(message, truth, truth.version, _looking_as(message, truth, request.seat))
    for detail in details(answer.status):
        yield from _in_message(detail, truth, truth.version, request.seat, echo=_said(request))
    hidden = truth.hidden(truth.version, request.seat)
    told = answer.text + (answer.status.message if answer.status else "")
    yield from (f"hidden {notation} in {told!r}" for notation in _mentioned(hidden, told, _said(request)))


def shows_another(request: Request, answer: Answer) -> bool:
    """Whether an answer shows what another seat sees, as only that about an ended table may."""
    views: list[Any] = [message for message in answer.messages if message.DESCRIPTOR.name == VIEW]
    return any(view.seat != (request.seat or 0) for view in views)


def details(status: status_pb2.Status | None) -> Iterator[Message]:
    """Return the details of an error, each as the message it is."""
    for packed in status.details if status else ():
        detail = GetMessageClass(Default().FindMessageTypeByName(packed.TypeName()))()
        packed.Unpack(detail)
        yield detail


def _looking_as(message: Any, truth: Truth, seat: int | None) -> int | None:
    """Return the seat that a message may be for: at an ended table, whichever a view names."""
    return (message.seat or None) if truth.now.has_ended and message.DESCRIPTOR.name == VIEW else seat


def _said(request: Request) -> str:
    """Return what the caller said, as errors may repeat it."""
    return request.path + request.content.decode("latin-1")


def _in_message(message: Any, truth: Truth, version: int, seat: int | None, echo: str = "") -> Iterator[str]:
    fields = message.DESCRIPTOR.fields_by_name
    version = message.version if "version" in fields and message.version in range(1, truth.version + 1) else version
    yield from _compared(message, truth, version, seat)
    hidden = truth.hidden(version, None if "entry" in fields else seat)  # an entry is the same for all
    for field, value in message.ListFields():
        if field.name in JUDGED:
            continue
        for each in value if field.is_repeated and not _is_map(field) else (value,):
            if isinstance(each, Message):
                yield from _in_message(each, truth, version, seat, echo)
            else:
                found = _written(hidden, each) if isinstance(each, bytes) else _mentioned(hidden, str(each), echo)
                yield from (f"hidden {notation} in {field.full_name}" for notation in found)


def _mentioned(hidden: Iterable[str], text: str, echo: str) -> Iterator[str]:
    """Return what is hidden and in a text, unless the caller has said it."""
    text = EXAMPLE.sub("", unquote(text))  # gRPC-Web's texts come quoted, and %C3 is no card
    for notation in hidden:
        part = re.escape(notation)
        if re.search(part if len(notation) >= LONG else rf"(?<!\w){part}(?!\w)", text) and notation not in echo:
            yield notation


def _written(hidden: Iterable[str], data: bytes) -> Iterator[str]:
    """Return what is hidden and in bytes; short notations only as a field of the game's facts."""
    clear = _in_clear(data)
    for notation in hidden:
        written = notation.encode()
        if (len(notation) >= LONG and written in data) or bytes([len(written)]) + written in clear:
            yield notation


def _in_clear(data: bytes) -> bytes:
    """Return what an entry says of the game outside its seals; nothing of other bytes."""
    try:
        entry = entry_pb2.Entry.FromString(data)
    except DecodeError:
        return b""
    return b"".join(fact.game + fact.sealed.face for fact in (entry.command, *entry.events))


def _is_map(field: Any) -> bool:
    return bool(field.message_type and field.message_type.GetOptions().map_entry)


def _compared(message: Any, truth: Truth, version: int, seat: int | None) -> Iterator[str]:
    fields = message.DESCRIPTOR.fields_by_name
    if "view" in fields and message.HasField("view") and message.view != truth.view(version, seat):
        yield f"not the view of seat {seat} at version {version}"
    if "options" in fields and message.HasField("options") and message.options != truth.options:
        yield "not the options of the table"
    if "legal" in fields and list(message.legal) != truth.legal(version, seat):
        yield f"not what seat {seat} may do at version {version}"
    name = message.DESCRIPTOR.name
    if "happened" in fields and (message.happened or name != VIEW):  # the view of now says nothing of it
        entries = range(version, version + 1) if name in ("Step", VIEW) else truth.after_command(version)
        if list(message.happened) != truth.happened(entries, seat):
            yield f"not what seat {seat} saw happen at version {version}"


def _versions(message: Any) -> Iterator[int]:
    for field, value in message.ListFields():
        if field.name == "version":
            yield value
        elif field.message_type and not _is_map(field):
            for each in value if field.is_repeated else (value,):
                yield from _versions(each)
