"""Tricks: which cards may be played, and which one wins."""

from collections.abc import Sequence

from service.games.double_tricks.cards import ALL_CARDS, Card, Motif, Suit
from service.games.double_tricks.commands import PlayCard

PLAYS = {card: tuple(PlayCard(card, motif) for motif in card.motifs) for card in ALL_CARDS}
"""The two plays of every card, built once."""


def _of_suit(suit: Suit | None) -> dict[Card, tuple[PlayCard, ...]]:
    return {card: tuple(play for play in plays if play.motif.suit is suit) for card, plays in PLAYS.items()}


_SPECIALS = _of_suit(None)
_FOLLOWING = {suit: _of_suit(suit) for suit in Suit}


def playable(hand: tuple[Card, ...], led: Motif | None, *, specials_anytime: bool) -> tuple[PlayCard, ...]:
    """Return every play that the hand allows. Equal cards are one play."""
    cards = dict.fromkeys(hand)
    if led is not None and led.suit is not None:
        following = _FOLLOWING[led.suit]
        plays = [play for card in cards for play in following[card]]
        if plays:
            if specials_anytime:
                plays += [play for card in cards for play in _SPECIALS[card]]
            return tuple(plays)
    return tuple([play for card in cards for play in PLAYS[card]])


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
