"""The judge: what no answer may ever be, whatever was asked."""

import re
from collections.abc import Iterator

import grpc
from google.rpc import error_details_pb2, status_pb2

from tests.fuzz.contract import REASONS
from tests.fuzz.exchange import Answer, Request
from tests.fuzz.secrecy import leaks

SERVER_ERRORS = range(500, 600)
NEVER = {
    code.value[0]
    for code in (
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DATA_LOSS,
    )
}
INSIDES = re.compile(
    r"Traceback|File \"|\.py\b|line \d+, in |<class|<[a-z_.]+ object at|\b[A-Z]\w+(Error|Exception)\b"
    r"|\b(asyncio|grpc\._|service\.\w+\.|redis|valkey|NoneType)"
)
UNCOMPRESSED = r"web INTERNAL Compression bit set but no encoding configured"  # gRPC's protocol wants this very code
UNASKED = (  # what grpc and Envoy answer without asking the service, so that no ErrorInfo can say more
    r"(grpc|direct|web) UNIMPLEMENTED (Method not found!)?",
    r"web RESOURCE_EXHAUSTED SERVER: Received message larger than max \(\d{7,} vs\. \d+\)",  # as its frame claims
    UNCOMPRESSED,
    r"(grpc|direct|web) RESOURCE_EXHAUSTED received metadata size exceeds (soft|hard) limit .*",
    r"(grpc|direct) NOT_FOUND ",  # the health service, of a service it does not know
    r"rest 404 Could not resolve /\S+ to a method\.",  # to what says that it speaks gRPC
    r"web (400|404|413|431) ",  # Envoy, where gRPC-Web was spoken: it has no body
    r"rest 429 .*received metadata size exceeds (soft|hard) limit .*",
)
ERRORS = 400


def faults(request: Request, answer: Answer) -> list[str]:
    """Return everything that is wrong with an answer."""
    return [*answer.faults, *_codes(answer), *_errors(request, answer), *_insides(answer), *leaks(request, answer)]


def _codes(answer: Answer) -> Iterator[str]:
    if answer.http in SERVER_ERRORS:
        yield f"HTTP {answer.http}"
    if answer.grpc in NEVER and not _known(answer, UNCOMPRESSED):
        yield f"gRPC {answer.grpc}"


def _errors(request: Request, answer: Answer) -> Iterator[str]:
    if request.verb == "HEAD" or (not answer.grpc and (answer.http or 0) < ERRORS):
        return
    if answer.status is None or not answer.status.details:
        if not _unasked(answer):
            yield f"an error without an ErrorInfo: {answer.code} {answer.text[:70]!r}"
        return
    infos = list(_infos(answer.status))
    if len(infos) != 1:
        yield f"{len(infos)} ErrorInfos"
    for info in infos:
        if info.reason not in REASONS.get(info.domain, ()):
            yield f"an undocumented reason: {info.domain} {info.reason}"


def _unasked(answer: Answer) -> bool:
    return any(_known(answer, known) for known in UNASKED)


def _known(answer: Answer, known: str) -> bool:
    return bool(re.fullmatch(known, f"{answer.code} {answer.text}", re.DOTALL))


def _infos(status: status_pb2.Status) -> Iterator[error_details_pb2.ErrorInfo]:
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            yield info


def _insides(answer: Answer) -> Iterator[str]:
    if answer.grpc or (answer.http or 0) >= ERRORS:
        for text in (answer.text, str(answer.status or "")):
            if found := INSIDES.search(text):
                yield f"the service's insides: {found[0]!r}"
