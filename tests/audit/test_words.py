from service.audit.words import lines, words
from service.games.double_speed.cards import Card
from service.games.double_speed.commands import Draw, Unblock
from service.games.double_speed.events import CardPlayed, Dealt, Packet
from service.games.double_tricks.events import RoundScored, SeatScore
from service.games.romme10.contracts import Contract
from service.games.romme10.options import Options

ONE, OTHER = Card.parse("Ro-Gq"), Card.parse("Bt-Ys")


def test_a_thing_is_named_with_all_its_parts() -> None:
    assert words(CardPlayed(1, ONE)) == "CardPlayed seat=1 card=Ro-Gq"
    assert words(Draw()) == "Draw count=-"
    assert words(Unblock()) == "Unblock"


def test_items_of_several_words_in_a_list_are_told_from_each_other() -> None:
    contracts = tuple(map(Contract.parse, ("S3 S3", "R4 S3", "R10")))
    assert words(contracts) == "[(S3 S3) (R4 S3) R10]"
    assert "contracts=[(S3 S3) (R4 S3) R10]" in words(Options(contracts=contracts))


def test_of_a_list_that_has_something_of_every_seat_the_seats_are_numbered() -> None:
    scores = (SeatScore(bid=0, tricks=0, change=5, points=20), SeatScore(bid=2, tricks=1, change=-2, points=12))
    assert words(RoundScored(scores)) == (
        "RoundScored scores=[1:(bid=0 tricks=0 change=5 points=20) 2:(bid=2 tricks=1 change=-2 points=12)]"
    )


def test_a_hand_that_is_not_seen_is_an_empty_one() -> None:
    dealt = Dealt(1, 2, ONE, (Packet((OTHER,)), Packet(())), (), ())
    assert words(dealt) == "Dealt round=1 starter=2 top=Ro-Gq hands=[1:(cards=[Bt-Ys]) 2:(cards=[])] stacks=[] box=[]"


def test_what_names_its_seat_needs_no_number() -> None:
    assert words((CardPlayed(2, ONE), CardPlayed(1, OTHER))) == "[(seat=2 card=Ro-Gq) (seat=1 card=Bt-Ys)]"


def test_a_view_has_a_line_for_each_part_and_each_thing_in_a_list() -> None:
    dealt = Dealt(1, 2, ONE, (Packet((OTHER,)), Packet(())), (), (ONE, OTHER))
    assert list(lines(dealt)) == [
        "round: 1",
        "starter: 2",
        "top: Ro-Gq",
        "hands:",
        "  Packet cards=[Bt-Ys]",
        "  Packet cards=[]",
        "stacks: []",
        "box: [Ro-Gq Bt-Ys]",
    ]
