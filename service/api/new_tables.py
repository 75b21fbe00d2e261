"""New tables: what somebody wants one to be, whatever is played, and the keys to it."""

from typing import Any

from stammtisch.table.v1 import table_pb2

from service.api import fields
from service.api.contributions import commitments, contributions
from service.api.new_terms import terms
from service.api.tokens import Tokens
from service.draft import Founding
from service.kit.game import AnyGame
from service.seal import invite_code
from service.seating import PERSON
from service.table import Done


def founding(request: Any, game: AnyGame, options: Any, least_thinking: float) -> Founding:
    """Return what is asked for, or fail with the field that cannot be."""
    open_seats, names = fields.open_seats(request.seats), fields.names(request.seats)
    agreed = terms(request.terms, game, least_thinking)
    return Founding(
        game,
        options,
        contributions(request.seats, agreed),
        request.spectators,
        names,
        open_seats,
        fields.bots(request.seats),
        agreed,
        commitments=commitments(request.seats, agreed),
    )


def keys(done: Done, tokens: Tokens) -> dict[str, Any]:
    """Return what every answer to the creation of a table says: its version, its tokens and its invite code."""
    charter, head = done.table.charter, done.table.head
    table_id, founded = charter.table_id, charter.founded
    people = (seat for seat in charter.seats if founded.chair(seat).kind == PERSON)
    return {
        "table_id": table_id,
        "admin_token": tokens.for_admin(table_id),
        "seat_tokens": [table_pb2.SeatToken(seat=seat, token=tokens.for_seat(table_id, seat)) for seat in people],
        "invite_code": invite_code(charter.root) if founded.open_seats else "",
        "version": head.version,
        "head_hash": head.hash,
        "duplicate": done.duplicate,
    }
