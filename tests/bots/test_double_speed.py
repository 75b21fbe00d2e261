"""Sound play in double, the race."""

from random import Random

from service.bots.brain import Sight
from service.bots.double_speed import steady
from service.games.double_speed import GAME
from service.games.double_speed.commands import Command, Draw, PlayCard, Unblock
from service.games.double_speed.state import State
from tests.games.double_speed.given import STRANGERS, card, race


def chosen(state: State) -> Command:
    view, legal = GAME.project(state, 1), tuple(GAME.legal(state, 1))
    return steady(Sight(1, state.setup.options, view, legal, ()), Random(1))


def test_it_plays_a_card_that_fits_before_it_draws() -> None:
    assert chosen(race("Ro-Gq", "Rq-Go | Bt-Ys Bs-Yt", "Ro-Bt | Gt-Bs")) == PlayCard(card("Rq-Go"))


def test_it_draws_where_nothing_fits() -> None:
    assert chosen(race("Ro-Gq", "Bt-Ys | Rq-Go Bs-Yt", "Ro-Bt | Gt-Bs")) == Draw()


def test_it_plays_the_card_on_which_its_other_one_fits() -> None:
    table = race("Ro-Gq", "Ro-Bq Rt-Gs Bt-Ys | Bs-Yt", "Ro-Bt | Gt-Bs")
    assert chosen(table) == PlayCard(card("Rt-Gs"))


def test_it_says_so_where_nobody_can_go_on() -> None:
    table = race("Ro-Gq", "Bt-Ys |", "Bt-Vd |", hand_limit=1, deck=STRANGERS)
    assert chosen(table) == Unblock()
