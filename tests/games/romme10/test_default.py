from service.games.romme10 import GAME
from service.games.romme10.commands import AnnounceBuy, Draw
from service.games.romme10.piles import DISCARDS
from tests.games.romme10.given import D1, D2, X1, X2, after, dealt, discard, drawn, legal, melding, on_table

OTHER = "S2 S3 S4"


def test_the_table_draws_from_a_draw_pile_and_buys_nothing() -> None:
    state = dealt("C5 D5", OTHER, number=4)
    assert legal(state, AnnounceBuy)
    assert GAME.default(state, 1) == Draw(D1)


def test_the_table_draws_from_wherever_there_is_a_card() -> None:
    assert GAME.default(dealt("C5 D5", OTHER, piles=("", "D2", "SK", "HK")), 1) == Draw(D2)
    assert GAME.default(dealt("C5 D5", OTHER, piles=("", "", "", "HK")), 1) == Draw(X2)


def test_the_table_draws_what_the_seat_has_bought() -> None:
    state = drawn(after(dealt("C5 D5", OTHER, number=4), 1, AnnounceBuy(1)), X1)
    assert GAME.default(state, 1) == Draw(D1)


def test_the_table_lays_nothing_and_discards_the_card_that_counts_most() -> None:
    assert GAME.default(melding("C5 D5 H5 C9 D9 H9 CK", OTHER), 1) == discard("CK")
    assert GAME.default(on_table(melding("C2 D9 HA", OTHER), 1, "C9 H9 S9"), 1) == discard("HA")


def test_the_table_discards_a_joker_only_where_there_is_nothing_else() -> None:
    assert GAME.default(melding("* C2", OTHER), 1) == discard("C2")
    assert GAME.default(melding("* *", OTHER), 1) == discard("*")


def test_the_table_discards_no_card_that_may_not_be_put_back_at_once() -> None:
    state = drawn(dealt("C2 D3", OTHER, piles=("C3", "D2", "SA", "H5"), forbid_return_discard=True), DISCARDS[0])
    assert GAME.default(state, 1) == discard("C2")


def test_the_table_does_nothing_for_a_seat_that_nobody_waits_for() -> None:
    assert GAME.default(melding("C2 C3", OTHER), 2) is None
