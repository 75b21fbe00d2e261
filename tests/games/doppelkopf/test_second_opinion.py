"""Second opinions: an umpire comes to the same scores, an onlooker to the same cards, words and parties."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from service.games.doppelkopf import GAME
from service.games.doppelkopf.commands import Announce, Name, PlayCard
from service.games.doppelkopf.contract import Contract
from service.games.doppelkopf.events import (
    Announced,
    CardPlayed,
    ContractMade,
    DealScored,
    Dealt,
    MarriageResolved,
    PotShared,
    TrickWon,
)
from service.games.doppelkopf.options import Options, rules_of
from service.games.doppelkopf.rules import Settlement
from service.games.doppelkopf.state import Phase, State
from tests.games.doppelkopf import onlooker, umpire
from tests.games.doppelkopf.known import KNOWN
from tests.games.story import tell

STORIES = 200


class Book:
    """What the umpire writes down of a whole game."""

    def __init__(self, options: Options, seats: int) -> None:
        self.options, self.rules, self.seats = options, rules_of(options), range(1, seats + 1)
        self.money = self.rules.settlement is Settlement.POT
        self.pot = options.ante * seats * self.money
        self.totals = dict.fromkeys(self.seats, -options.ante * self.money)
        self.deal = umpire.Deal(self.rules, {})

    def read(self, event: Any) -> None:
        match event:
            case Dealt():
                hands = {seat: list(map(str, event.hands[seat - 1].cards)) for seat in event.playing}
                self.deal = umpire.Deal(self.rules, hands)
            case ContractMade():
                self.deal.contract, self.deal.declarer = event.contract.name, event.seat
                self.deal.solo = event.solo.name if event.solo else "NORMAL"
                self.deal.mode = event.mode.name if event.mode else ""
            case Announced():
                self.deal.calls.append((event.seat, event.announcement.name, len(self.deal.held(event.seat))))
            case CardPlayed():
                self.deal.played(event.seat, str(event.card))
            case TrickWon():
                assert event.seat == umpire.won(self.deal, self.deal.tricks[-1])[0]
            case MarriageResolved():
                assert {event.seat, event.partner} - {0} == umpire.re_of(self.deal)
                assert onlooker.resolved(self.deal) == len(self.deal.tricks)
            case DealScored():
                self.score(event)
            case PotShared():
                assert (event.share, event.rest) == divmod(self.pot, len(self.seats))
                self.pay(dict.fromkeys(self.seats, event.share))
                assert dict(zip(self.seats, event.totals, strict=True)) == self.totals
            case _:
                pass

    def score(self, event: DealScored) -> None:
        re = umpire.re_of(self.deal)
        parties = [None if seat not in self.deal.hands else "RE" if seat in re else "KONTRA" for seat in self.seats]
        assert [line.party and line.party.name for line in event.scores] == parties
        assert (event.winner and event.winner.name) == umpire.winner_of(self.deal)
        for party, camp in (("RE", event.re), ("KONTRA", event.kontra)):
            won = umpire.tricks_of(self.deal, party)
            assert (camp.eyes, camp.tricks) == (umpire.eyes_of(self.deal, party), len(won))
        if self.money:
            self.settle_in_money(event)
        else:
            assert event.value == umpire.value(self.deal)
            self.pay(umpire.in_points(self.deal))
        assert {seat: line.total for seat, line in enumerate(event.scores, start=1)} == self.totals

    def settle_in_money(self, event: DealScored) -> None:
        paid, pockets = umpire.in_money(self.deal, self.options)
        antes = 0
        while self.pot < sum(paid.values()):
            antes += 1
            self.pot += self.options.ante * len(self.seats)
            self.pay(dict.fromkeys(self.seats, -self.options.ante))
        self.pot -= sum(paid.values())
        self.pay(paid)
        self.pay(pockets)
        assert (event.antes, event.pot) == (antes, self.pot)

    def pay(self, changes: dict[int, int]) -> None:
        for seat, change in changes.items():
            self.totals[seat] += change


def fond_of_marriage(random: Random, commands: Sequence[Any]) -> Any:
    """Choose a marriage wherever there can be one: they are rare among random hands."""
    marriages = [each for each in commands if isinstance(each, Name) and each.contract is Contract.MARRIAGE]
    return random.choice(marriages) if marriages else KNOWN.choose(random, commands)


@pytest.mark.parametrize("number", range(STORIES))
def test_an_umpire_who_only_watches_comes_to_the_same_scores(number: int) -> None:
    story = tell(GAME, replace(KNOWN, choose=fond_of_marriage), f"second opinion {number}")
    book = Book(story.options, story.seats)
    for step in story.steps:
        for event in step.events:
            book.read(event)
    assert book.totals == dict(enumerate(story.end.session.totals, start=1))


@pytest.mark.parametrize("number", range(STORIES // 2))
def test_an_onlooker_allows_the_same_cards_and_words_and_knows_the_same_parties(number: int) -> None:
    story = tell(GAME, replace(KNOWN, choose=fond_of_marriage), f"onlooker {number}")
    book = Book(story.options, story.seats)
    for step in story.steps:
        if step.before.phase is Phase.PLAY:
            look(step.before, book)
        for event in step.events:
            book.read(event)


def look(state: State, book: Book) -> None:
    view = GAME.project(state, None)
    assert {player.seat: player.party.name for player in view.players if player.party} == onlooker.known(book.deal)
    for seat in book.deal.hands:
        legal = GAME.legal(state, seat)
        cards = {str(each.card) for each in legal if isinstance(each, PlayCard)}
        words = {each.announcement.name for each in legal if isinstance(each, Announce)}
        assert cards == (onlooker.playable(book.deal, seat) if seat == state.turn else set())
        assert words == onlooker.announceable(book.deal, seat)
