"""Contributions that are committed to and then revealed, as clients meet them."""

import hashlib
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from stammtisch.double_tricks.v1 import service_pb2 as game_pb2
from stammtisch.double_tricks.v1.double_tricks_pb2 import Bid
from stammtisch.table.v1 import service_pb2, table_pb2

from tests.api.house import SHORT, House, bearer, failed, new_id

ADAS, BOS = b"a" * 32, b"b" * 32
REVEALED = table_pb2.CONTRIBUTIONS_REVEALED
TERMS = table_pb2.Terms(contributions=REVEALED)
OPEN = table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN)
INVALID = ("INVALID_ARGUMENT", "INVALID_FIELD")


def commitment(contribution: bytes) -> bytes:
    return hashlib.sha256(b"stammtisch/contribution/1" + contribution).digest()


ADA = table_pb2.NewSeat(name="Ada", commitment=commitment(ADAS))
BO = table_pb2.NewSeat(name="Bo", commitment=commitment(BOS))


async def created(home: House, *seats: table_pb2.NewSeat, terms: table_pb2.Terms = TERMS) -> Any:
    request = game_pb2.CreateTableRequest(command_id=new_id(), seats=seats or (ADA, BO), options=SHORT, terms=terms)
    return await home.game.CreateTable(request)


async def join(home: House, table: Any, **fields: Any) -> Any:
    request = service_pb2.JoinTableRequest(
        table_id=table.table_id, command_id=new_id(), invite_code=table.invite_code, **fields
    )
    return await home.table.JoinTable(request)


async def reveal(home: House, table: Any, token: str, contribution: bytes, **fields: Any) -> Any:
    request = service_pb2.RevealContributionRequest(
        **{"table_id": table.table_id, "command_id": new_id(), "contribution": contribution, **fields}
    )
    return await home.table.RevealContribution(request, metadata=bearer(token))


async def looked(home: House, table: Any) -> table_pb2.Table:
    request = service_pb2.GetTableRequest(table_id=table.table_id)
    answer = await home.table.GetTable(request, metadata=bearer(table.admin_token))
    seen: table_pb2.Table = answer.table
    return seen


async def test_everybody_sees_who_has_committed_himself_and_until_when_he_must_reveal(home: House) -> None:
    table = await looked(home, await created(home))
    assert (table.status, list(table.seats_to_act)) == (table_pb2.STATUS_REVEALING, [1, 2])
    assert table.fairness == table_pb2.FAIRNESS_UNSPECIFIED
    assert [(seat.commitment, seat.contribution) for seat in table.seats] == [
        (commitment(ADAS), b""),
        (commitment(BOS), b""),
    ]
    within = table.terms.reveal_within
    assert (within, table.terms.unrevealed) == (Duration(seconds=60), table_pb2.UNREVEALED_DEAL_WITHOUT)
    assert table.deadline.ToMilliseconds() == table.created.ToMilliseconds() + within.ToMilliseconds()
    assert [seat.deadline for seat in table.seats] == [table.deadline] * 2


async def test_once_all_have_revealed_the_game_begins_and_its_deals_are_joint(home: House) -> None:
    new = await created(home)
    ada, bo = (each.token for each in new.seat_tokens)
    one = (await reveal(home, new, bo, BOS)).table
    assert (one.status, list(one.seats_to_act)) == (table_pb2.STATUS_REVEALING, [1])
    both = (await reveal(home, new, ada, ADAS)).table
    assert (both.status, both.fairness) == (table_pb2.STATUS_RUNNING, table_pb2.FAIRNESS_JOINT)
    assert [seat.contribution for seat in both.seats] == [ADAS, BOS]


async def test_who_joins_sends_a_commitment_and_reveals_with_the_token_he_got(home: House) -> None:
    new = await created(home, ADA, OPEN)
    bo = await join(home, new, commitment=commitment(BOS))
    assert bo.table.status == table_pb2.STATUS_REVEALING
    await reveal(home, new, bo.token, BOS)
    answer = await reveal(home, new, new.seat_tokens[0].token, ADAS)
    assert answer.table.status == table_pb2.STATUS_RUNNING


async def test_a_contribution_is_revealed_once_for_each_command_id(home: House) -> None:
    new, command_id = await created(home), new_id()
    token = new.seat_tokens[0].token
    answers = [await reveal(home, new, token, ADAS, command_id=command_id) for _ in range(2)]
    assert [answer.duplicate for answer in answers] == [False, True]
    assert answers[0].head_hash == answers[1].head_hash
    assert (await failed(reveal(home, new, token, ADAS))).kind == ("FAILED_PRECONDITION", "NOTHING_TO_DO")
    assert (await failed(reveal(home, new, token, BOS, command_id=command_id))).info.reason == "COMMAND_ID_REUSED"


async def test_another_contribution_than_the_one_committed_to_is_refused_and_not_repeated(home: House) -> None:
    new = await created(home)
    refused = await failed(reveal(home, new, new.seat_tokens[0].token, BOS))
    assert refused.kind == ("FAILED_PRECONDITION", "CONTRIBUTION_DIFFERS")
    assert "commit" in refused.sentence


async def test_revealing_and_playing_wait_until_all_have_committed_themselves(home: House) -> None:
    new = await created(home, ADA, OPEN)
    ada = new.seat_tokens[0].token
    early = await failed(reveal(home, new, ada, ADAS))
    assert early.kind == ("FAILED_PRECONDITION", "NOT_STARTED")
    await join(home, new, commitment=commitment(BOS))
    bid = game_pb2.BidRequest(table_id=new.table_id, command_id=new_id(), command=Bid(tricks=0))
    assert (await failed(home.game.Bid(bid, metadata=bearer(ada)))).info.reason == "NOT_STARTED"


async def test_only_the_seat_itself_reveals(home: House) -> None:
    new = await created(home)
    denied = await failed(reveal(home, new, new.admin_token, ADAS))
    assert denied.kind == ("PERMISSION_DENIED", "NOT_YOUR_ROLE")


@pytest.mark.parametrize("length", [0, 31, 33])
async def test_a_contribution_of_another_length_is_refused_by_name(home: House, length: int) -> None:
    new = await created(home)
    refused = await failed(reveal(home, new, new.seat_tokens[0].token, bytes(length)))
    assert refused.kind == INVALID
    assert refused.sentence.startswith("contribution: ")


async def test_who_reveals_at_another_version_than_expected_is_told_so(home: House) -> None:
    new = await created(home)
    stale = await failed(reveal(home, new, new.seat_tokens[0].token, ADAS, expected_version=7))
    assert stale.kind == ("ABORTED", "VERSION_STALE")


@pytest.mark.parametrize(
    ("seat", "terms", "field"),
    [
        (table_pb2.NewSeat(), TERMS, "seats[1].commitment"),
        (table_pb2.NewSeat(commitment=b"short"), TERMS, "seats[1].commitment"),
        (table_pb2.NewSeat(commitment=commitment(BOS), contribution=BOS), TERMS, "seats[1].contribution"),
        (table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_OPEN, commitment=commitment(BOS)), TERMS, "seats[1]"),
        (table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_BOT, commitment=b"1" * 32), TERMS, "seats[1].contribution"),
        (BO, table_pb2.Terms(), "seats[0].commitment"),
    ],
)
async def test_people_contribute_in_the_way_of_the_terms_or_are_told_how(
    home: House, seat: table_pb2.NewSeat, terms: table_pb2.Terms, field: str
) -> None:
    refused = await failed(created(home, ADA, seat, terms=terms))
    assert refused.kind == INVALID
    assert refused.sentence.startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("terms", "given", "field"),
    [
        (TERMS, {}, "commitment"),
        (TERMS, {"contribution": BOS}, "contribution"),
        (table_pb2.Terms(), {"commitment": commitment(BOS)}, "commitment"),
        (table_pb2.Terms(), {"contribution": b"short"}, "contribution"),
    ],
)
async def test_so_do_those_who_join(home: House, terms: table_pb2.Terms, given: dict[str, bytes], field: str) -> None:
    ada = ADA if terms.contributions else table_pb2.NewSeat()
    new = await created(home, ada, OPEN, terms=terms)
    refused = await failed(join(home, new, **given))
    assert refused.kind == INVALID
    assert refused.sentence.startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        (table_pb2.Terms(contributions=9), "terms.contributions"),  # type: ignore[arg-type]
        (table_pb2.Terms(contributions=REVEALED, unrevealed=9), "terms.unrevealed"),  # type: ignore[arg-type]
        (table_pb2.Terms(unrevealed=table_pb2.UNREVEALED_CLOSE), "terms.contributions"),
        (table_pb2.Terms(reveal_within=Duration(seconds=9)), "terms.contributions"),
        (table_pb2.Terms(contributions=REVEALED, reveal_within=Duration(seconds=4)), "terms.reveal_within"),
        (table_pb2.Terms(contributions=REVEALED, reveal_within=Duration(seconds=3_601)), "terms.reveal_within"),
    ],
)
async def test_terms_that_cannot_be_are_refused_by_name(home: House, terms: table_pb2.Terms, field: str) -> None:
    refused = await failed(created(home, terms=terms))
    assert refused.kind == INVALID
    assert refused.sentence.startswith(f"{field}: ")


async def test_a_creation_sent_again_is_the_same_table_and_with_another_commitment_refused(home: House) -> None:
    request = game_pb2.CreateTableRequest(command_id=new_id(), seats=[ADA, BO], options=SHORT, terms=TERMS)
    first, again = await home.game.CreateTable(request), await home.game.CreateTable(request)
    assert (again.table_id, again.duplicate) == (first.table_id, True)
    request.seats[1].commitment = commitment(ADAS)
    refused = await failed(home.game.CreateTable(request))
    assert refused.kind == ("ALREADY_EXISTS", "COMMAND_ID_REUSED")
