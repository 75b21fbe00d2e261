from service.games.double_speed import GAME
from service.games.double_speed.commands import Draw, PlayCard, Unblock
from tests.games.double_speed.given import STRANGERS, card, race


def test_the_table_draws_before_it_plays() -> None:
    assert GAME.default(race("Ro-Gq", "Rq-Go | Bt-Ys Bs-Yt", "Ro-Bt | Gt-Bs"), 1) == Draw()


def test_with_a_full_hand_the_table_plays_the_first_card_that_fits() -> None:
    state = race("Ro-Gq", "Bt-Ys Ro-Bq Rq-Go | Bs-Yt", "Ro-Bt | Gt-Bs", hand_limit=3)
    assert GAME.default(state, 1) == PlayCard(card("Ro-Bq"))


def test_in_a_deadlock_the_table_says_so() -> None:
    state = race("Ro-Gq", "Bt-Ys |", "Bt-Vd |", hand_limit=1, deck=STRANGERS)
    assert GAME.default(state, 1) == Unblock()


def test_where_others_can_go_on_and_the_seat_cannot_the_table_does_nothing() -> None:
    state = race("Ro-Gq", "Bt-Ys Bs-Yt |", "Ro-Bt | Gt-Bs")
    assert GAME.default(state, 1) is None
    assert 1 in GAME.to_act(state)
