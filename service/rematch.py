"""Rematch: what is founded so that those of an ended table play once more."""

from dataclasses import replace

from service.draft import Founding
from service.fold import Table
from service.seating import BOT


def once_more(before: Table) -> Founding:
    """Return what follows from an ended table and nothing else: bots sit as before, people sit down themselves."""
    charter, seating = before.charter, before.seating
    bots = {seat: seating.chair(seat).bot for seat in charter.seats if seating.chair(seat).kind == BOT}
    nothing = (b"",) * len(charter.seats)
    return Founding(
        charter.game,
        charter.options,
        nothing,
        charter.spectators,
        {seat: name for seat, name in seating.names.items() if seat in bots},
        tuple(seat for seat in charter.seats if seat not in bots),
        bots,
        replace(charter.terms, listed=False),  # those who sat here come first, and whom they invite
        commitments=nothing if charter.terms.revealing else (),
        rematch_of=charter.table_id,
    )
