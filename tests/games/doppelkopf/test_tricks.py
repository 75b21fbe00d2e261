import pytest

from service.games.doppelkopf.cards import Card
from service.games.doppelkopf.commands import PlayCard, Reason
from service.games.doppelkopf.contract import Solo
from service.games.doppelkopf.order import order_of
from service.games.doppelkopf.rules import FollowRule, SecondTolle
from service.games.doppelkopf.tricks import playable, why_not_playable, winner
from tests.games.doppelkopf.given import H, cards, dealt, healthy, played, played_out, refusal, reserved, texts


def test_an_unknown_card_is_named_with_what_would_be_one() -> None:
    with pytest.raises(ValueError, match="'C8' is no card: give C, S, H or D with A, T, K, Q, J or 9, such as CQ"):
        Card.parse("C8")


def test_suit_solos_put_their_suit_in_the_place_of_diamonds() -> None:
    clubs = order_of(Solo.CLUBS, tollen=True)
    assert texts(clubs.trumps) == "HT CQ SQ HQ DQ CJ SJ HJ DJ CA CT CK C9"
    assert texts(order_of(Solo.SPADES, tollen=False).trumps) == "CQ SQ HQ DQ CJ SJ HJ DJ SA ST SK S9"


def test_in_a_heart_solo_the_tens_are_the_highest_trumps_or_lie_in_their_suit() -> None:
    assert texts(order_of(Solo.HEARTS, tollen=True).trumps) == "HT CQ SQ HQ DQ CJ SJ HJ DJ HA HK H9"
    assert texts(order_of(Solo.HEARTS, tollen=False).trumps) == "CQ SQ HQ DQ CJ SJ HJ DJ HA HT HK H9"


def test_queen_and_jack_solos_have_no_other_trumps_and_meatless_none() -> None:
    assert texts(order_of(Solo.QUEENS, tollen=True).trumps) == "CQ SQ HQ DQ"
    assert texts(order_of(Solo.JACKS, tollen=True).trumps) == "CJ SJ HJ DJ"
    assert order_of(Solo.MEATLESS, tollen=True).trumps == ()


@pytest.mark.parametrize(
    ("solo", "suit"), [(Solo.QUEENS, "A T K J 9"), (Solo.JACKS, "A T K Q 9"), (Solo.MEATLESS, "A T K Q J 9")]
)
def test_the_plain_suits_of_those_solos_are_complete_and_the_ten_of_hearts_is_one_of_hearts(
    solo: Solo, suit: str
) -> None:
    order = order_of(solo, tollen=True)
    hearts = cards(" ".join(f"H{rank}" for rank in suit.split()))
    assert sorted(hearts, key=lambda card: -order.strength[card]) == list(hearts)
    assert {order.suit[card] for card in hearts} == {hearts[0].suit}
    assert order.tolle is None


@pytest.mark.parametrize(
    ("solo", "trick", "wins"),
    [
        (Solo.NORMAL, "C9 CK CT CA", 4),
        (Solo.NORMAL, "C9 SA HA D9", 4),
        (Solo.NORMAL, "C9 SA HA ST", 1),
        (Solo.NORMAL, "CQ CQ SQ SQ", 1),
        (Solo.NORMAL, "HT HA CQ HT", 3),
        (Solo.HEARTS, "DA HA D9 H9", 2),
        (Solo.QUEENS, "HJ HT CA DQ", 4),
        (Solo.MEATLESS, "H9 CA HJ SA", 3),
    ],
)
def test_the_highest_trump_wins_or_else_the_highest_of_the_suit_led(solo: Solo, trick: str, wins: int) -> None:
    assert winner(cards(trick), order_of(solo, tollen=False), second_tolle=False) == wins - 1


@pytest.mark.parametrize(("trick", "wins"), [("HT HT CQ D9", 2), ("DA HT CQ HT", 4), ("CQ CQ D9 D9", 1)])
def test_by_choice_the_second_tolle_beats_the_first_and_nothing_else_does_so(trick: str, wins: int) -> None:
    assert winner(cards(trick), order_of(Solo.NORMAL, tollen=True), second_tolle=True) == wins - 1


def test_where_the_tens_of_hearts_are_plain_the_second_beats_nothing() -> None:
    assert winner(cards("HT HT"), order_of(Solo.NORMAL, tollen=False), second_tolle=True) == 0
    assert winner(cards("HT HT"), order_of(Solo.MEATLESS, tollen=True), second_tolle=True) == 0


@pytest.mark.parametrize(
    ("hand", "trick", "allowed"),
    [
        ("CA C9 DJ", "CK", ("CA C9", "CA C9", "CA")),
        ("C9 C9 DJ", "CK", ("C9", "C9", "C9")),
        ("SA DJ D9", "CK", ("SA DJ D9", "DJ D9", "DJ D9")),
        ("SA DJ D9", "CK DA", ("SA DJ D9", "DJ D9", "DJ")),
        ("SA HA", "CK", ("SA HA", "SA HA", "SA HA")),
        ("CQ D9 SA", "DJ", ("CQ D9", "CQ D9", "CQ")),
        ("SA HA", "DJ", ("SA HA", "SA HA", "SA HA")),
        ("SA SA", "", ("SA", "SA", "SA")),
    ],
)
def test_what_a_hand_may_play(hand: str, trick: str, allowed: tuple[str, str, str]) -> None:
    order = order_of(Solo.NORMAL, tollen=False)
    got = tuple(texts(playable(cards(hand), cards(trick), order, rule, second_tolle=False)) for rule in FollowRule)
    assert got == allowed


def test_by_choice_the_second_tolle_is_what_beats_the_first() -> None:
    order = order_of(Solo.NORMAL, tollen=True)
    hand, trick = cards("HT D9"), cards("HT")
    assert texts(playable(hand, trick, order, FollowRule.FOLLOW_AND_BEAT, second_tolle=True)) == "HT"
    assert texts(playable(hand, trick, order, FollowRule.FOLLOW_AND_BEAT, second_tolle=False)) == "HT D9"


@pytest.mark.parametrize(
    ("card", "hand", "trick", "reason"),
    [
        ("DJ", "CA DJ", "CK", Reason.MUST_FOLLOW),
        ("SA", "SA DJ", "CK", Reason.MUST_TRUMP),
        ("C9", "CA C9", "CK", Reason.MUST_BEAT),
        ("D9", "DJ D9", "CK DA", Reason.MUST_BEAT),
        ("CA", "CA C9", "CK", None),
    ],
)
def test_why_a_card_may_not_be_played(card: str, hand: str, trick: str, reason: Reason | None) -> None:
    order, rule = order_of(Solo.NORMAL, tollen=False), FollowRule.FOLLOW_AND_BEAT
    why = why_not_playable(Card.parse(card), cards(hand), cards(trick), order, rule, second_tolle=False)
    assert why is reason


def test_a_card_must_be_in_hand_and_on_turn_and_allowed() -> None:
    state = dealt("CA CT DJ", "CK DQ", "SA", follow_rule=FollowRule.FOLLOW_OR_TRUMP)
    assert refusal(state, 1, PlayCard(Card.parse("CA"))) is Reason.CONTRACT_NOT_MADE
    state = reserved(state, H, H, H, H)
    assert refusal(state, 2, PlayCard(Card.parse("CK"))) is Reason.NOT_YOUR_TURN
    assert refusal(state, 1, PlayCard(Card.parse("D9"))) is Reason.CARD_NOT_IN_HAND
    state = played(state, "CA")
    assert refusal(state, 2, PlayCard(Card.parse("DQ"))) is Reason.MUST_FOLLOW
    assert refusal(state, 1, PlayCard(Card.parse("CT"))) is Reason.NOT_YOUR_TURN


def test_the_winner_of_a_trick_leads_the_next() -> None:
    state = reserved(dealt("C9", "CK", "CA", "CT"), H, H, H, H)
    state = played(state, "C9 CK CA CT")
    assert (state.turn, state.trick, state.tricks[0].winner) == (3, (), 3)


@pytest.mark.parametrize(
    ("rule", "first", "last"),
    [(SecondTolle.NEVER, 1, 1), (SecondTolle.ALWAYS, 2, 2), (SecondTolle.EXCEPT_LAST_TRICK, 2, 1)],
)
def test_the_last_trick_may_be_an_exception_for_the_second_tolle(rule: SecondTolle, first: int, last: int) -> None:
    state = healthy("HT", "HT", "D9", "D9", tollen=True, second_tolle_beats_first=rule)
    assert played(state, "HT HT D9 D9").tricks[0].winner == first
    ending = state._replace(
        hands=tuple(cards(card) for card in ("HT", "HT", "D9", "D9")), tricks=played_out(state).tricks[:-1]
    )
    assert played(ending, "HT HT D9 D9").tricks[-1].winner == last
