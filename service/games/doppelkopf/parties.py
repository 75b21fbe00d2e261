"""Parties: who plays with whom, and what of it everybody knows."""

from collections.abc import Sequence

from service.games.doppelkopf.cards import CLUB_ACE, CLUB_QUEEN, SEATS_PLAYING, Card
from service.games.doppelkopf.contract import Contract, MarriageMode, Party
from service.games.doppelkopf.events import CardPlayed, ContractMade
from service.games.doppelkopf.state import Sides, State, Trick
from service.kit.tuples import with_item

Parties = tuple[Party | None, ...]

DDV_MARRIAGE_TRICKS = 3


def of_contract(state: State, made: ContractMade) -> Sides:
    """Return the parties when it is settled what is played: all are known in a declared solo."""
    playing, seats, sides = state.dealing.playing, state.setup.seats, state.sides
    if made.contract is Contract.NORMAL:
        holders = [seat for seat in playing if CLUB_QUEEN in dealt_to(state, seat)]
        return sides._replace(parties=divided(holders, playing, seats))
    if made.contract is Contract.MARRIAGE:
        parties = with_item(sides.parties, made.seat - 1, Party.RE)
    else:
        parties = divided([made.seat], playing, seats)
    return sides._replace(parties=parties, known=parties)


def dealt_to(state: State, seat: int) -> tuple[Card, ...]:
    """Return all cards that a seat has had in this deal: those that it holds, and those that it has played."""
    plays = (play for plays in (*(trick.plays for trick in state.tricks), state.trick) for play in plays)
    return (*state.hands[seat - 1], *(play.card for play in plays if play.seat == seat))


def divided(re: Sequence[int], playing: Sequence[int], seats: int) -> Parties:
    """Return the party of each seat; None for those who sit out."""
    return tuple(
        None if seat not in playing else Party.RE if seat in re else Party.KONTRA for seat in range(1, seats + 1)
    )


def party_of(parties: Parties, seat: int) -> Party:
    """Return the party of a seat that plays, once that is decided."""
    party = parties[seat - 1]
    assert party is not None, "who sits out, or looks for a partner, is not asked"
    return party


def partner(mode: MarriageMode | None, holder: int, tricks: Sequence[Trick], *, last: bool) -> int | None:
    """Return the seat that the newest trick makes the holder's partner; 0 if nobody can be any more."""
    newest = tricks[-1]
    leader = newest.plays[0].seat
    match mode:
        case MarriageMode.FIRST_FOREIGN_TRICK if newest.winner == holder != leader:
            return leader
        case MarriageMode.FIRST_CLUB_ACE if aces := _others_club_aces(newest, holder):
            return aces[0]
        case MarriageMode.DDV if newest.winner != holder:
            return newest.winner
        case MarriageMode.DDV if len(tricks) == DDV_MARRIAGE_TRICKS:
            return 0
        case _:
            return 0 if last else None


def known_after(state: State, played: CardPlayed, hands: Sequence[Sequence[Card]]) -> Parties:
    """Return what everybody knows after a card in a game that the queens of clubs decide."""
    known, card, order = state.sides.known, played.card, state.bidding.order
    if card is CLUB_QUEEN:
        left = any(CLUB_QUEEN in hand for hand in hands)
        return revealed(state, known, played.seat, Party.RE, all_queens=not left)
    unknown = known[played.seat - 1] is None  # one who is known to be Re may have no trump left
    if unknown and state.trick and order.suit[state.trick[0].card] is None and order.suit[card] is not None:
        return revealed(state, known, played.seat, Party.KONTRA)
    return known


def revealed(state: State, known: Parties, seat: int, party: Party, *, all_queens: bool = False) -> Parties:
    """Return what everybody knows once they know one seat's party: the rest where it follows by counting."""
    known = with_item(known, seat - 1, party)
    res, kontras = known.count(Party.RE), known.count(Party.KONTRA)
    if all_queens or res == 2:
        rest = Party.KONTRA
    elif kontras == SEATS_PLAYING - 1 or (kontras == 2 and not state.setup.rules.silent_solo):
        rest = Party.RE
    else:
        return known
    playing = state.dealing.playing
    return tuple(each or (rest if place in playing else None) for place, each in enumerate(known, start=1))


def _others_club_aces(trick: Trick, holder: int) -> list[int]:
    return [play.seat for play in trick.plays if play.card is CLUB_ACE and play.seat != holder]
