"""How the steady bot plays ROMMÉ 10."""

from typing import Any

from service.games.romme10 import GAME
from service.games.romme10.commands import AnnounceBuy, Discard
from service.games.romme10.piles import STOCKS
from service.games.romme10.state import State
from tests.bots.sights import chosen
from tests.games.romme10.given import X2, dealt, lay, lay_off, melding, on_table

OTHER = "S2 S3 S4"


def does(state: State) -> Any:
    return chosen(GAME, state, 1)


def test_it_takes_a_discard_that_its_contract_needs() -> None:
    state = dealt("C5 D5 H9 S9 C2 D3", OTHER, piles=("C3", "D2", "SK", "H5"))
    assert does(state).pile is X2


def test_it_draws_from_a_draw_pile_where_no_discard_helps() -> None:
    state = dealt("C5 D5 H9 S9 C2 D3", OTHER, piles=("C3", "D2", "SK", "HK"))
    assert does(state).pile in STOCKS


def test_it_takes_a_discard_that_fits_the_table_once_its_contract_lies_there() -> None:
    state = dealt("C2 D3", OTHER, piles=("C3", "D2", "SK", "H5"))
    assert does(on_table(state, 1, "C5 D5 H5/C9 D9 H9")).pile is X2


def test_it_buys_what_the_contract_needs_beyond_its_hand() -> None:
    state = dealt("C5 D5 H9 S9", OTHER, contract="S3 S3", number=4)
    assert does(state) == AnnounceBuy(1)


def test_it_lays_down_its_contract_as_soon_as_it_has_it() -> None:
    assert does(melding("C5 D5 H5 C9 D9 H9 S2", OTHER)) == lay("C5 H5 D5/C9 H9 D9")


def test_it_lays_off_on_its_own_groups_first() -> None:
    state = on_table(on_table(melding("S5 D2", OTHER), 2, "C5 D5 H5/CQ DQ HQ"), 1, "C5 H5 D5/C9 D9 H9")
    assert does(state) == lay_off(3, "S5")


def test_it_discards_what_its_contract_does_not_need_and_keeps_jokers() -> None:
    discard = does(melding("C5 D5 H9 S9 CK *", OTHER, contract="S3 S4"))
    assert isinstance(discard, Discard)
    assert str(discard.card) == "CK"


def test_it_discards_nothing_that_fits_the_table_where_it_has_something_else() -> None:
    state = on_table(melding("C5 D5 H9 S9 CK D2", OTHER, contract="S3 S4"), 2, "CQ DQ HQ/D2 H2 S2")
    assert str(does(state).card) == "CK"
