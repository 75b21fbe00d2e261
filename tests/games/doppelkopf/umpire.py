"""An umpire: works a deal out anew from what was dealt, said and played.

It shares nothing with the room but the notation of cards and the names of choices, and does everything the long way.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Play = tuple[int, str]  # a seat and its card
Call = tuple[int, str, int]  # a seat, its word, and how many cards it held

EYES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
LIMITS = {"NO_90": 90, "NO_60": 60, "NO_30": 30, "SCHWARZ": 0}
QUEENS, JACKS = ["CQ", "SQ", "HQ", "DQ"], ["CJ", "SJ", "HJ", "DJ"]
TRUMP_SUIT = {"NORMAL": "D", "CLUBS": "C", "SPADES": "S", "HEARTS": "H", "DIAMONDS": "D"}


@dataclass
class Deal:
    """What an umpire writes down. Seats that sit out have no hand."""

    rules: Any
    hands: dict[int, list[str]]
    contract: str = ""
    declarer: int = 0
    solo: str = "NORMAL"
    mode: str = ""
    calls: list[Call] = field(default_factory=list)
    tricks: list[list[Play]] = field(default_factory=list)

    def played(self, seat: int, card: str) -> None:
        if not self.tricks or len(self.tricks[-1]) == 4:
            self.tricks.append([])
        self.tricks[-1].append((seat, card))

    def held(self, seat: int) -> list[str]:
        """Return the cards that the seat has left."""
        played = Counter(card for trick in self.tricks for who, card in trick if who == seat)
        return list((Counter(self.hands[seat]) - played).elements())

    def said(self, party: str) -> list[str]:
        return [word for seat, word, _ in self.calls if (seat in re_of(self)) == (party == "RE")]

    @property
    def alone(self) -> bool:
        return len(re_of(self)) == 1


def trumps(deal: Deal) -> list[str]:
    if deal.solo in ("QUEENS", "JACKS", "MEATLESS"):
        return {"QUEENS": QUEENS, "JACKS": JACKS, "MEATLESS": []}[deal.solo]
    suit = [TRUMP_SUIT[deal.solo] + rank for rank in "ATK9"]
    tolle = ["HT"] if deal.rules.tollen else []
    return tolle + QUEENS + JACKS + [card for card in suit if card not in tolle]


def won(deal: Deal, trick: Sequence[Play]) -> Play:
    """Return the play that wins the trick."""
    led, high = trick[0][1], trumps(deal)
    suit = [] if led in high else [led[0] + rank for rank in "ATKQJ9" if led[0] + rank not in high]
    for card in high + suit:
        same = [play for play in trick if play[1] == card]
        if same and card == "HT" and high[:1] == ["HT"] and _second_tolle(deal, trick):
            return same[-1]
        if same:
            return same[0]
    raise AssertionError("the card led wins at least")


def _second_tolle(deal: Deal, trick: Sequence[Play]) -> bool:
    rule = deal.rules.second_tolle_beats_first.name
    number = 1 + next(place for place, each in enumerate(deal.tricks) if each is trick)
    return bool(rule == "ALWAYS" or (rule == "EXCEPT_LAST_TRICK" and number < 48 // 4 - 2 * (not deal.rules.nines)))


def re_of(deal: Deal) -> set[int]:
    """Return the seats of Re, as far as the tricks so far decide it."""
    if deal.contract == "NORMAL":
        return {seat for seat, hand in deal.hands.items() if "CQ" in hand}
    return {deal.declarer, *(_partner(deal) if deal.contract == "MARRIAGE" else [])}


def _partner(deal: Deal) -> list[int]:
    for number, trick in enumerate(deal.tricks, start=1):
        leader, winner = trick[0][0], won(deal, trick)[0]
        aces = [seat for seat, card in trick if card == "CA" and seat != deal.declarer]
        if deal.mode == "FIRST_CLUB_ACE" and aces:
            return aces[:1]
        if deal.mode == "FIRST_FOREIGN_TRICK" and winner == deal.declarer != leader:
            return [leader]
        if deal.mode == "DDV" and winner != deal.declarer and number <= 3:
            return [winner]
    return []


def tricks_of(deal: Deal, party: str) -> list[list[Play]]:
    return [trick for trick in deal.tricks if (won(deal, trick)[0] in re_of(deal)) == (party == "RE")]


def eyes(trick: Sequence[Play]) -> int:
    return sum(EYES[card[1]] for _, card in trick)


def eyes_of(deal: Deal, party: str) -> int:
    return sum(map(eyes, tricks_of(deal, party)))


def limits(deal: Deal, party: str) -> list[int]:
    """Return the limits announced, with those that were skipped."""
    lowest = min((LIMITS[word] for word in deal.said(party) if word in LIMITS), default=120)
    return [limit for limit in LIMITS.values() if limit >= lowest]


def winner_of(deal: Deal) -> str | None:
    kept = [party for party in ("RE", "KONTRA") if _has_won(deal, party)]
    assert len(kept) <= 1
    return kept[0] if kept else None


def _has_won(deal: Deal, party: str) -> bool:
    other = "KONTRA" if party == "RE" else "RE"
    own = eyes_of(deal, party)
    if mine := limits(deal, party):
        return not tricks_of(deal, other) if 0 in mine else own >= 241 - min(mine)
    if theirs := limits(deal, other):
        return bool(tricks_of(deal, party)) if 0 in theirs else own >= min(theirs)
    return own >= (120 if party == _has_120(deal) else 121)


def _has_120(deal: Deal) -> str | None:
    """Return the party that 120 eyes are enough for."""
    match deal.rules.tie_120.name:
        case "NOBODY":
            return None
        case "KONTRA_UNLESS_ALONE_ANNOUNCED" if deal.said("KONTRA") and not deal.said("RE"):
            return "RE"
        case _:
            return "KONTRA"


def value(deal: Deal) -> int:
    """Return the points of Re less those of Kontra."""
    winner = winner_of(deal)
    points = {"RE": 0, "KONTRA": 0}
    for party, other in (("RE", "KONTRA"), ("KONTRA", "RE")):
        if winner in (None, party):
            points[party] += (eyes_of(deal, other) < 90) + (eyes_of(deal, other) < 60) + (eyes_of(deal, other) < 30)
            points[party] += not tricks_of(deal, other)
        points[party] += sum(eyes_of(deal, party) >= limit + 30 for limit in limits(deal, other))
        if winner == party:
            said = bool(deal.said(party)) + bool(deal.said(other))
            points[party] += 1 + 2 * said + len(limits(deal, party)) + len(limits(deal, other))
    if not deal.alone:
        points["KONTRA"] += winner == "KONTRA"
        for seat, _ in specials(deal):
            points["RE" if seat in re_of(deal) else "KONTRA"] += 1
    return points["RE"] - points["KONTRA"]


def specials(deal: Deal) -> list[tuple[int, str]]:
    """Return who earned what with a single trick."""
    found, re = [], re_of(deal)
    for trick in deal.tricks:
        seat, card = won(deal, trick)
        if deal.rules.doppelkopf_trick and eyes(trick) >= 40:
            found.append((seat, "DOPPELKOPF"))
        if deal.rules.foxes:
            found += [(seat, "FOX") for other, fox in trick if fox == "DA" and (other in re) != (seat in re)]
        if deal.rules.charlie and trick is deal.tricks[-1] and card == "CJ":
            found.append((seat, "CHARLIE"))
    return found


def amount(deal: Deal, options: Any) -> int:
    """Return what each winner gets for money."""
    winner = winner_of(deal)
    if winner is None:
        return 0
    loser = "KONTRA" if winner == "RE" else "RE"
    by_queens = deal.contract in ("NORMAL", "MARRIAGE")
    cards = [won(deal, trick)[1] for trick in tricks_of(deal, loser)]
    black = not cards or (winner == "KONTRA" and by_queens and set(cards) == {"CQ"})
    grade = 3 if black else 2 if eyes_of(deal, loser) < 30 else 1
    side = 1 if winner == "RE" else 2 if by_queens else options.solo_loss_side
    doublings = sum(bool(deal.said(party)) + len(limits(deal, party)) for party in ("RE", "KONTRA"))
    return int(options.base_amount * grade * side * 2**doublings)


def in_points(deal: Deal) -> dict[int, int]:
    """Return what the deal brings each seat that plays."""
    worth, re = value(deal), re_of(deal)
    return {seat: worth * (3 if deal.alone else 1) if seat in re else -worth for seat in deal.hands}


def in_money(deal: Deal, options: Any) -> tuple[dict[int, int], dict[int, int]]:
    """Return what each seat gets from the pot, and what from the other seats."""
    winner, each, re = winner_of(deal), amount(deal, options), re_of(deal)
    pot, pockets = dict.fromkeys(deal.hands, 0), dict.fromkeys(deal.hands, 0)
    for seat in deal.hands:
        wins = (seat in re) == (winner == "RE")
        if deal.alone:
            pockets[seat] = each * (3 if seat in re else 1) * (1 if wins else -1)
        elif wins:
            pot[seat] = each
    for seat, kind in specials(deal):
        pot[seat] += options.base_amount * (options.fox_premium if kind == "FOX" else options.premium)
    return pot, pockets
