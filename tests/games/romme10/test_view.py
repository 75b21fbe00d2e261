from service.games.romme10 import GAME
from service.games.romme10.cards import JOKER, PACK
from service.games.romme10.commands import AnnounceBuy, Deal, Reason, Reshuffle
from service.games.romme10.events import Dealt, Reshuffled
from service.games.romme10.options import DiscardVisibility, FirstDealer
from service.games.romme10.piles import Pile
from service.games.romme10.state import Phase
from service.kit.game import CHANCE
from service.wire import WIRES
from tests.games.romme10.given import (
    D1,
    D2,
    X1,
    after,
    cards,
    dealt,
    discard,
    drawn,
    lay_off,
    melding,
    on_table,
    options,
    start,
    texts,
    when,
)


def test_a_seat_sees_its_own_hand_in_a_deal_and_nobody_the_draw_piles() -> None:
    (event,) = when(start(first_dealer=FirstDealer.SEAT_1), CHANCE, Deal(1, PACK))
    assert isinstance(event, Dealt)
    for seat in (1, 2, 3, 4, None):
        seen = GAME.see(event, seat)
        assert isinstance(seen, Dealt)
        assert [len(hand.cards) for hand in seen.hands] == [11 if owner == seat else 0 for owner in (1, 2, 3, 4)]
        assert [stock.cards for stock in seen.stocks] == [(), ()]
        assert seen.discards == event.discards


def test_nobody_sees_how_the_discards_were_shuffled() -> None:
    for seat in (1, None):
        assert GAME.see(Reshuffled(cards("C2 C3 C4")), seat) == Reshuffled(())


def test_how_long_a_reshuffle_is_tells_nothing_of_where_the_jokers_lie() -> None:
    discards = [JOKER] * 4 + list(PACK[:59])
    state = dealt("H2", "H3", piles=("", "", " ".join(map(str, discards)) + " SK", "HK"))
    lengths = set()
    for shuffled in (discards, discards[::-1]):
        (event,) = when(state._replace(phase=Phase.RESHUFFLE), CHANCE, Reshuffle(tuple(shuffled)))
        lengths.add(WIRES["romme10"].encode_event(event).ByteSize())
    assert len(lengths) == 1


def test_a_seat_sees_its_own_hand_only() -> None:
    state = dealt("H2 D9", "H3 C4 C5")
    assert texts(GAME.project(state, 2).hand) == "C4 C5 H3"
    assert GAME.project(state, None).hand == ()
    assert [player.cards for player in GAME.project(state, None).players] == [2, 3]


def test_each_card_says_why_it_may_not_be_discarded() -> None:
    state = dealt("H2", "H3", forbid_return_discard=True)
    assert [card.reason for card in GAME.project(state, 1).hand] == [Reason.DRAW_FIRST]
    assert [card.reason for card in GAME.project(state, 2).hand] == [Reason.NOT_YOUR_TURN]
    assert [card.reason for card in GAME.project(drawn(state, X1), 1).hand] == [Reason.JUST_TAKEN, None]


def test_of_the_piles_all_see_the_sizes_and_the_top_discards() -> None:
    piles = GAME.project(dealt("H2", "H3", piles=("C2 C3", "D2", "S9 SK", "")), None).piles
    assert [(shown.pile, shown.size, texts(shown.shown)) for shown in piles] == [
        (Pile.STOCK_1, 2, ""),
        (Pile.STOCK_2, 1, ""),
        (Pile.DISCARD_1, 2, "SK"),
        (Pile.DISCARD_2, 0, ""),
    ]


def test_by_choice_all_see_all_discards() -> None:
    state = dealt("H2", "H3", piles=("C2 C3", "D2", "S9 SK", "HK"), discard_visibility=DiscardVisibility.ALL)
    assert [texts(shown.shown) for shown in GAME.project(state, None).piles] == ["", "", "S9 SK", "HK"]


def test_all_see_what_was_announced_bought_and_taken() -> None:
    state = after(dealt("H2", "H3", number=4), 1, AnnounceBuy(2))
    view = GAME.project(state, 2)
    assert (view.can_buy, view.announced, view.to_draw, view.contract_number, str(view.contract)) == (
        2,
        2,
        3,
        4,
        "S3 S3",
    )
    view = GAME.project(drawn(state, X1, D1), 2)
    assert (view.to_draw, view.players[0].bought, texts(view.players[0].taken)) == (1, 1, "SK")


def test_what_was_bought_and_is_not_there_is_not_left_to_be_drawn() -> None:
    state = after(dealt("H2", "H3", number=4, piles=("", "C2", "", "")), 1, AnnounceBuy(2))
    view = GAME.project(drawn(state, D2), 1)
    assert (view.phase, view.announced, view.to_draw) == (Phase.MELD, 2, 0)


def test_when_the_game_is_over_nobody_buys_anything() -> None:
    state = on_table(dealt("", "H3", number=4, piles=("D9", "C2", "SK", "HK")), 1, "S9 H9 C9")
    state = after(drawn(after(state, 1, AnnounceBuy(0)), D1), 1, lay_off(1, "D9"))
    view = GAME.project(state, 2)
    assert (view.phase, view.turn, view.announced) == (Phase.OVER, 0, None)


def test_all_see_the_groups_their_owners_and_who_has_the_contract() -> None:
    state = on_table(melding("H2", "H3"), 2, "S9 H9 C9")
    view = GAME.project(state, None)
    assert view.groups == state.table
    assert [player.laid for player in view.players] == [False, True]


def test_the_groups_of_a_round_stay_visible_in_the_next_one_until_a_contract_is_laid() -> None:
    state = after(on_table(melding("H2", "H3", rounds=2), 1, "S9 H9 C9"), 1, discard("H2"))
    state = after(state, CHANCE, Deal(1, PACK))
    view = GAME.project(state, 2)
    assert (view.round, view.groups) == (2, ())
    assert [texts(group.cards) for group in view.last_groups] == ["S9 H9 C9"]
    assert GAME.project(on_table(state, 2, "SK HK CK"), 2).last_groups == ()


def test_before_the_first_deal_there_is_nothing_to_see() -> None:
    view = GAME.project(GAME.start(options(), 4), 1)
    assert (view.phase, view.round, view.contract_number, view.contract, view.hand, view.to_draw) == (
        Phase.LOTS,
        0,
        0,
        None,
        (),
        0,
    )
    assert [str(contract) for contract in view.contracts][:2] == ["S3 S3", "R4 S3"]
    assert len(view.contracts) == 10
