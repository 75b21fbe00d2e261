"""Redealing: in a fork, the cards that nobody but their holders have seen are dealt anew."""

from collections.abc import Iterator, Sequence

from service.games.doppelkopf.cards import CLUB_ACE, CLUB_QUEEN, Card
from service.games.doppelkopf.commands import Answer, Redeal
from service.games.doppelkopf.contract import Contract, MarriageMode
from service.games.doppelkopf.dealing import hidden
from service.games.doppelkopf.decide import why_not_card
from service.games.doppelkopf.parties import dealt_to, of_contract
from service.games.doppelkopf.state import Phase, State, Trick
from service.kit.exchange import exchanged, portions
from service.kit.game import CannotRedeal, Draw
from service.kit.tuples import with_item


def redeal(state: State, draw: Draw) -> Redeal | None:
    """Return all hands dealt anew, as far as what was said and played leaves room; None between two deals."""
    if state.phase in (Phase.RESERVE, Phase.NAME):
        raise CannotRedeal("While reservations are made, what was said depends on the hands.")
    if state.phase is not Phase.PLAY:
        return None
    sizes = [*map(len, state.hands)]
    possible = [_possible(state, seat) for seat in range(1, state.setup.seats + 1)]
    places = [cards for cards, size in zip(possible, sizes, strict=True) for _ in range(size)]

    def fits(cards: Sequence[Card]) -> bool:
        if not all(card in possible for card, possible in zip(cards, places, strict=True)):
            return False
        return _as_was_said(state._replace(hands=portions(cards, sizes)))

    return Redeal(exchanged(hidden(state), draw, fits))


def _possible(state: State, seat: int) -> frozenset[Card]:
    """Return the hidden cards that a seat may hold: none that it would have had to play before."""
    moments = list(_moments(state, seat))
    return frozenset(
        card for card in {*hidden(state)} if all(_was_free(before, seat, played, card) for before, played in moments)
    )


def _moments(state: State, seat: int) -> Iterator[tuple[State, Card]]:
    """Yield how the trick stood when a seat played to it, and what it played, in this deal."""
    for number, trick in enumerate((*state.tricks, Trick(state.trick, 0))):
        for place, play in enumerate(trick.plays):
            if place and play.seat == seat:
                yield state._replace(trick=trick.plays[:place], tricks=state.tricks[:number]), play.card


def _was_free(before: State, seat: int, played: Card, held: Card) -> bool:
    """Whether a seat could play a card while it held another."""
    holding = before._replace(hands=with_item(before.hands, seat - 1, (played, held)))
    return why_not_card(holding, seat, played) is None


def _as_was_said(state: State) -> bool:
    """Whether the hands are such that each seat could say what it did, and has the party that it is known to have."""
    return _as_answered(state) and _as_named(state) and _as_known(state)


def _as_answered(state: State) -> bool:
    if state.setup.rules.silent_solo:
        return True
    healthy = (seat for seat, answer in enumerate(state.bidding.answers, 1) if answer is Answer.HEALTHY)
    return all(dealt_to(state, seat).count(CLUB_QUEEN) < 2 for seat in healthy)


def _as_named(state: State) -> bool:
    for named in state.bidding.named:
        if named.contract is Contract.MARRIAGE:
            dealt = dealt_to(state, named.seat)
            if dealt.count(CLUB_QUEEN) < 2 or (
                named.mode is MarriageMode.FIRST_CLUB_ACE and dealt.count(CLUB_ACE) == 2
            ):
                return False
    return True


def _as_known(state: State) -> bool:
    made = state.bidding.made
    if made is None or made.contract is not Contract.NORMAL:
        return True
    parties = of_contract(state, made).parties
    return all(known in (None, party) for known, party in zip(state.sides.known, parties, strict=True))
