"""Tricks: which cards may be played, and which one wins."""

from collections.abc import Sequence

from service.games.double_tricks.cards import ALL_CARDS, MOTIFS, Card, Motif, Suit
from service.games.double_tricks.commands import PlayCard

Plays = dict[Card, tuple[PlayCard, ...]]

_PLAYS: Plays = {card: tuple(PlayCard(card, motif) for motif in card.motifs) for card in ALL_CARDS}


def _of_suit(suit: Suit | None) -> Plays:
    return {card: tuple(play for play in plays if play.motif.suit is suit) for card, plays in _PLAYS.items()}


_OF_SUIT = {suit: _of_suit(suit) for suit in Suit}
_SPECIAL_PLAYS = _of_suit(None)
_SPECIAL = frozenset(card for card, plays in _SPECIAL_PLAYS.items() if plays)
_FOLLOWING: dict[Motif, Plays] = {motif: _OF_SUIT[motif.suit] if motif.suit else {} for motif in MOTIFS.values()}
"""The plays of each card that follow a motif: nothing follows POPE and FOOL."""


def playable(hand: tuple[Card, ...], led: Motif | None, *, specials_anytime: bool) -> tuple[PlayCard, ...]:
    """Return every play that the hand allows. Equal cards are one play."""
    cards = dict.fromkeys(hand)
    if led is not None and (following := _FOLLOWING[led]):
        plays = [play for card in cards for play in following[card]]
        if plays:
            if specials_anytime and not _SPECIAL.isdisjoint(cards):
                plays += [play for card in cards for play in _SPECIAL_PLAYS[card]]
            return tuple(plays)
    return tuple([play for card in cards for play in _PLAYS[card]])


def must_follow(hand: tuple[Card, ...], led: Motif, motif: Motif, *, specials_anytime: bool) -> bool:
    """Whether the motif may not be played because the suit led can be followed."""
    suit = led.suit
    if suit is None or motif.suit is suit or (specials_anytime and motif.suit is None):
        return False
    return any(suit in card.suits for card in hand)


def winner(motifs: Sequence[Motif], trump: Suit | None) -> int:
    """Return the place of the winning motif: among equal ones the first."""
    led = motifs[0].suit
    powers = [_power(motif, trump, led) for motif in motifs]
    return powers.index(max(powers))


def _power(motif: Motif, trump: Suit | None, led: Suit | None) -> int:
    if motif.suit is None:
        return 60 + motif.rank
    if motif.suit is trump:
        return 40 + motif.rank
    if motif.suit is led:
        return 20 + motif.rank
    return 0
