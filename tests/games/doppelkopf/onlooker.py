"""An onlooker: works out anew what may be played and announced, and which parties everybody knows."""

from dataclasses import replace

from tests.games.doppelkopf.umpire import Deal, Play, re_of, trumps, won

LIMITS = ["NO_90", "NO_60", "NO_30", "SCHWARZ"]
LADDERS: dict[str, dict[str, list[str]]] = {
    "NONE": {"RE": [], "KONTRA": []},
    "KONTRA_REKONTRA": {"RE": ["REKONTRA"], "KONTRA": ["KONTRA"]},
    "RE_KONTRA": {"RE": ["RE"], "KONTRA": ["KONTRA"]},
    "LIMITS": {"RE": ["RE", *LIMITS], "KONTRA": ["KONTRA", *LIMITS]},
}


def playable(deal: Deal, seat: int) -> set[str]:
    """Return the cards that the seat, which is on turn, may play."""
    hand, trick, high = deal.held(seat), _trick(deal), trumps(deal)
    if not trick:
        return set(hand)
    kinds = {card: "trump" if card in high else card[0] for card in [*hand, trick[0][1]]}
    led, rule = kinds[trick[0][1]], deal.rules.follow_rule.name
    may = {card for card in hand if kinds[card] == led}
    if not may and rule != "FOLLOW_ONLY":
        may = {card for card in hand if kinds[card] == "trump"}
    may = may or set(hand)
    if rule == "FOLLOW_AND_BEAT":
        may = {card for card in may if _beats(deal, (seat, card))} or may
    return may


def _trick(deal: Deal) -> list[Play]:
    return deal.tricks[-1] if deal.tricks and len(deal.tricks[-1]) < 4 else []


def _beats(deal: Deal, play: Play) -> bool:
    trick = [*_trick(deal), play]
    return won(replace(deal, tricks=[*deal.tricks[:-1], trick]), trick) is play


def resolved(deal: Deal) -> int:
    """Return the trick after which the holder of a marriage has a partner or is alone; 0 before."""
    for number, trick in enumerate(deal.tricks, start=1):
        found = len(re_of(replace(deal, tricks=deal.tricks[:number]))) == 2
        last = number == (3 if deal.mode == "DDV" else len(deal.hands[deal.declarer]))
        if len(trick) == 4 and (found or last):
            return number
    return 0


def announceable(deal: Deal, seat: int) -> set[str]:
    """Return what the seat may announce."""
    if deal.contract == "MARRIAGE" and not resolved(deal):
        return set()
    party, other = ("RE", "KONTRA") if seat in re_of(deal) else ("KONTRA", "RE")
    ladder, cards = LADDERS[deal.rules.announcements.name][party], len(deal.held(seat))
    made, theirs = _made(deal, party), _made(deal, other)
    if "REKONTRA" in ladder and not theirs:
        return set()
    may = set()
    for rung in range(made, len(ladder)):
        if not _late(deal, party) and all(cards >= _least(deal, each) for each in range(made, rung + 1)):
            may.add(ladder[rung])
    if not made and theirs and cards >= _least(deal, theirs - 1) - 1:
        may |= set(ladder[:1])
    return may


def _made(deal: Deal, party: str) -> int:
    """Return how many rungs of its ladder the party has taken."""
    ladder = LADDERS[deal.rules.announcements.name][party]
    return max((ladder.index(word) + 1 for word in deal.said(party)), default=0)


def _least(deal: Deal, rung: int) -> int:
    """Return how many cards one must hold for a rung, counted from 0."""
    moved = deal.contract == "MARRIAGE" and deal.rules.announcements.name != "KONTRA_REKONTRA"
    return len(next(iter(deal.hands.values()))) - 1 - rung - (resolved(deal) - 1 if moved else 0)


def _late(deal: Deal, party: str) -> bool:
    """Whether the party's first word was a reply, too late for anything else."""
    first = [cards for seat, _, cards in deal.calls if (seat in re_of(deal)) == (party == "RE")][:1]
    return any(cards < _least(deal, 0) for cards in first)


def known(deal: Deal) -> dict[int, str]:
    """Return the parties that everybody knows."""
    everybody = {seat: "RE" if seat in re_of(deal) else "KONTRA" for seat in deal.hands}
    if deal.contract == "MARRIAGE" and not resolved(deal):
        return {deal.declarer: "RE"}
    if deal.contract != "NORMAL":
        return everybody
    queens = [seat for trick in deal.tricks for seat, card in trick if card == "CQ"]
    told = {seat: everybody[seat] for seat in [*queens, *(seat for seat, _, _ in deal.calls)]}
    for trick in deal.tricks:
        discarded = [seat for seat, card in trick if trick[0][1] in trumps(deal) and card not in trumps(deal)]
        told |= {seat: "KONTRA" for seat in discarded if seat not in told}
    parties = list(told.values())
    kontras = 3 if deal.rules.silent_solo else 2
    all_told = len(queens) == 2 or parties.count("RE") == 2 or parties.count("KONTRA") >= kontras
    return everybody if all_told else told
