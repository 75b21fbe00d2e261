import pytest

from service.games.doppelkopf import GAME
from service.games.doppelkopf.commands import Name, PlayCard, Reason, Reserve
from service.games.doppelkopf.contract import Contract, MarriageMode, Solo
from service.games.doppelkopf.events import ContractMade, Named
from service.games.doppelkopf.state import Phase
from tests.games.doppelkopf.given import (
    DDV,
    H,
    R,
    after,
    dealt,
    first_declares,
    healthy,
    mandatory,
    marriage,
    named,
    refusal,
    reserved,
    solo,
    when,
)

BOTH = "CQ CQ"
FOREIGN, ACE = MarriageMode.FIRST_FOREIGN_TRICK, MarriageMode.FIRST_CLUB_ACE


def test_every_seat_is_asked_once_from_forehand_on() -> None:
    state = dealt()
    for seat in (1, 2, 3, 4):
        assert (state.phase, GAME.to_act(state)) == (Phase.RESERVE, (seat,))
        assert list(GAME.legal(state, seat)) == [Reserve(H), Reserve(R)]
        state = after(state, seat, Reserve(H))
    assert (state.phase, state.turn) == (Phase.PLAY, 1)
    assert state.bidding.made == ContractMade(Contract.NORMAL, 0, None, None)


def test_reservations_are_asked_for_in_turn_and_once() -> None:
    state = dealt()
    assert refusal(state, 2, Reserve(H)) is Reason.NOT_YOUR_TURN
    assert refusal(healthy(), 1, Reserve(H)) is Reason.NO_RESERVATIONS_NOW


def test_only_those_who_have_a_reservation_name_one_in_turn() -> None:
    state = dealt()
    assert refusal(state, 1, solo(Solo.NORMAL)) is Reason.NOTHING_TO_NAME
    state = reserved(state, H, R, H, R)
    assert (state.phase, state.turn) == (Phase.NAME, 2)
    assert refusal(state, 4, solo(Solo.NORMAL)) is Reason.NOT_YOUR_TURN
    assert refusal(state, 2, Reserve(H)) is Reason.NO_RESERVATIONS_NOW
    state = after(state, 2, solo(Solo.NORMAL))
    assert (state.phase, state.turn) == (Phase.NAME, 4)
    assert refusal(healthy(), 1, solo(Solo.NORMAL)) is Reason.NOTHING_TO_NAME


def test_what_is_named_only_its_seat_sees_and_of_all_only_the_highest_is_published() -> None:
    state = reserved(dealt(BOTH), R, R, H, H)
    (first,) = when(state, 1, marriage(FOREIGN))
    assert first == Named(1, Contract.MARRIAGE, None, FOREIGN)
    assert [GAME.see(first, seat) for seat in (1, 2, None)] == [first, None, None]
    state = after(state, 1, marriage(FOREIGN))
    second, made = when(state, 2, solo(Solo.NORMAL))
    assert GAME.see(second, 1) is None
    assert made == ContractMade(Contract.SOLO, 2, Solo.NORMAL, None)
    assert GAME.see(made, None) == made
    assert {Name, Named} <= {*GAME.private}


def test_a_seats_view_tells_it_what_it_named_and_nobody_else() -> None:
    state = named(reserved(dealt(), R, R, H, H), solo(Solo.NORMAL))
    mine = GAME.project(state, 1).named
    assert mine is not None
    assert mine.solo is Solo.NORMAL
    assert [GAME.project(state, seat).named for seat in (2, 3, 4, None)] == [None] * 4


def test_a_solo_beats_a_marriage_and_among_solos_the_one_nearest_to_forehand_is_played() -> None:
    state = named(reserved(dealt("", "", BOTH), R, R, R, H), solo(Solo.NORMAL), solo(Solo.NORMAL), marriage(ACE))
    made = state.bidding.made
    assert made is not None
    assert (made.contract, made.seat) == (Contract.SOLO, 1)
    chosen = {"mandatory_solo": 1, "deals": 9}
    state = dealt(**chosen)
    state = state._replace(session=state.session.__class__((), (0,) * 4, 0, (0, 0, 1, 1)))
    state = named(reserved(state, R, H, R, R), solo(Solo.NORMAL), mandatory(Solo.NORMAL), mandatory(Solo.NORMAL))
    assert state.bidding.made == ContractMade(Contract.MANDATORY_SOLO, 3, Solo.NORMAL, None)


@pytest.mark.parametrize(
    "name",
    [
        Name(Contract.SOLO, None, None),
        Name(Contract.SOLO, None, FOREIGN),
        Name(Contract.SOLO, Solo.NORMAL, FOREIGN),
        Name(Contract.MANDATORY_SOLO, None, None),
        Name(Contract.MARRIAGE, None, None),
        Name(Contract.MARRIAGE, Solo.NORMAL, None),
        Name(Contract.MARRIAGE, Solo.NORMAL, FOREIGN),
        Name(Contract.NORMAL, None, None),
    ],
)
def test_one_thing_is_named(name: Name) -> None:
    assert refusal(reserved(dealt(BOTH), R, H, H, H), 1, name) is Reason.NAME_ONE_THING


def test_a_marriage_needs_both_queens_and_a_way_that_is_played() -> None:
    state = reserved(dealt(BOTH), R, R, H, H)
    assert refusal(state, 1, marriage(MarriageMode.DDV)) is Reason.MODE_NOT_PLAYED
    state = after(state, 1, marriage(ACE))
    assert refusal(state, 2, marriage(ACE)) is Reason.MARRIAGE_NEEDS_BOTH_QUEENS


def test_who_holds_both_aces_of_clubs_cannot_have_the_first_one_of_another_seat() -> None:
    state = reserved(dealt("CQ CQ CA CA"), R, H, H, H)
    assert refusal(state, 1, marriage(ACE)) is Reason.BOTH_CLUB_ACES
    assert marriage(FOREIGN) in GAME.legal(state, 1)


def test_only_the_tables_solos_can_be_named() -> None:
    assert refusal(reserved(dealt(), R, H, H, H), 1, solo(Solo.JACKS)) is Reason.SOLO_NOT_PLAYED
    state = reserved(dealt(**DDV), R, H, H, H)
    assert refusal(state, 1, solo(Solo.NORMAL)) is Reason.SOLO_NOT_PLAYED
    assert [name.solo for name in GAME.legal(state, 1) if isinstance(name, Name)] == [
        solo for solo in Solo if solo is not Solo.NORMAL
    ]


def test_mandatory_solos_come_first_and_only_as_long_as_one_owes_them() -> None:
    state = reserved(dealt(BOTH, mandatory_solo=1, deals=9), R, H, H, H)
    assert refusal(state, 1, solo(Solo.NORMAL)) is Reason.MANDATORY_SOLO_FIRST
    assert list(GAME.legal(state, 1)) == [mandatory(Solo.NORMAL), marriage(FOREIGN), marriage(ACE)]
    state = reserved(dealt(), R, H, H, H)
    assert refusal(state, 1, mandatory(Solo.NORMAL)) is Reason.NO_MANDATORY_SOLO_LEFT


def test_when_a_mandatory_solo_is_due_nothing_else_can_be_named() -> None:
    state = dealt(BOTH, mandatory_solo=1, deals=4)
    assert refusal(state, 1, marriage(FOREIGN)) is Reason.MANDATORY_SOLO_DUE
    assert refusal(state, 1, solo(Solo.NORMAL)) is Reason.MANDATORY_SOLO_DUE
    assert refusal(state, 2, mandatory(Solo.NORMAL)) is Reason.NOT_YOUR_TURN


def test_where_silent_solos_are_not_played_both_queens_must_be_declared() -> None:
    state = dealt(BOTH, silent_solo=False)
    assert refusal(state, 1, Reserve(H)) is Reason.MUST_RESERVE
    assert list(GAME.legal(state, 1)) == [Reserve(R)]
    assert list(GAME.legal(after(state, 1, Reserve(R)), 2)) == [Reserve(H), Reserve(R)]


def test_a_declared_solo_is_played_in_its_own_order() -> None:
    state = first_declares(solo(Solo.MEATLESS), "CQ DA", "CA", **DDV)
    assert not any(card.trump for card in GAME.project(state, 1).hand)
    state = first_declares(solo(Solo.QUEENS), "CQ DA", **DDV)
    hand = GAME.project(state, 1).hand
    assert [card.trump for card in hand] == [card.card.rank == "Q" for card in hand]


def test_cards_wait_for_the_contract() -> None:
    state = reserved(dealt("CQ"), R, H, H, H)
    assert refusal(state, 1, PlayCard(state.hands[0][0])) is Reason.CONTRACT_NOT_MADE
    assert GAME.project(state, 1).hand[0].reason is Reason.CONTRACT_NOT_MADE
