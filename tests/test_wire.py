from dataclasses import field, fields, make_dataclass, replace
from enum import Enum
from typing import Any, cast, get_type_hints

import pytest
from stammtisch.double_tricks.v1 import double_tricks_pb2 as pb

from service.games.double_tricks import GAME
from service.games.double_tricks.cards import Card, Motif, Suit
from service.games.double_tricks.commands import Bid, Deal, PlayCard, Reason
from service.games.double_tricks.events import BidMade, Dealt, Hand
from service.games.double_tricks.options import Bank, Options
from service.games.double_tricks.state import Trick
from service.games.double_tricks.view import HandCard, View
from service.wire import WIRES, Malformed, Unpaired, Wire
from tests.games.double_tricks.given import bid, dealt, played

WIRE = WIRES["double_tricks"]


def test_a_command_becomes_the_message_of_its_name() -> None:
    command = PlayCard(Card.parse("CA/H2"), Motif.parse("CA"))
    assert WIRE.encode(command) == pb.PlayCard(card="CA/H2", motif="CA")
    assert WIRE.encode_command(command) == pb.Command(play_card=pb.PlayCard(card="CA/H2", motif="CA"))
    assert WIRE.decode_command(WIRE.encode_command(command)) == command


def test_an_event_becomes_the_message_of_its_name() -> None:
    assert WIRE.encode_event(BidMade(1, 0)) == pb.Event(bid_made=pb.BidMade(seat=1, tricks=0))
    assert WIRE.decode_event(pb.Event(bid_made=pb.BidMade(seat=1))) == BidMade(1, 0)


def test_a_bid_of_zero_is_a_bid() -> None:
    assert WIRE.decode_command(pb.Command(bid=pb.Bid(tricks=0))) == Bid(0)
    assert WIRE.decode_command(WIRE.encode_command(Bid(0))) == Bid(0)


def test_a_bid_that_says_no_number_is_none() -> None:
    with pytest.raises(Malformed, match=r"bid\.tricks: is missing"):
        WIRE.decode_command(pb.Command(bid=pb.Bid()))


def test_what_is_none_is_left_out_and_what_is_left_out_is_none() -> None:
    state = GAME.start(Options(), 2)
    message: Any = WIRE.encode(GAME.project(state, 1))
    assert not message.HasField("last_trick")
    assert not message.HasField("bank")
    assert (message.turn_up, message.trump) == ("", pb.SUIT_UNSPECIFIED)
    assert not message.players[0].HasField("bid")
    view = WIRE.decode(message)
    assert (view.last_trick, view.bank, view.turn_up, view.trump, view.players[0].bid) == (None,) * 5


def test_a_zero_that_means_something_is_sent() -> None:
    state = bid(dealt("CA/H2", "CK/S3"), 0)
    message: Any = WIRE.encode(GAME.project(state, 1))
    assert message.players[0].HasField("bid")
    assert message.players[0].bid == 0


def test_a_view_comes_back_as_it_was() -> None:
    state = played(bid(dealt("CA/H2 CK/S3", "CT/S6 DK/C3", turn_up="S8/D7"), 1, 0), "CA/H2:CA", "CT/S6:CT", "CK/S3:S3")
    view = GAME.project(state, 2)
    assert WIRE.decode(WIRE.encode(view)) == view
    assert view.last_trick is not None
    assert [each.reason for each in view.hand] == [None]


def test_the_smallest_and_greatest_numbers_pass_and_none_beyond() -> None:
    for number in (-(2**31), 2**31 - 1):
        assert WIRE.decode_command(WIRE.encode_command(Bid(number))) == Bid(number)
    for number in (-(2**31) - 1, 2**31):
        with pytest.raises(ValueError, match="out of range"):
            WIRE.encode_command(Bid(number))


def test_options_left_out_have_their_defaults() -> None:
    assert WIRE.decode(pb.Options()) == Options()


def test_options_given_are_kept_even_where_they_are_zero_or_false() -> None:
    given = pb.Options(start_points=0, specials_anytime=False, hand_sizes=[2], bank=pb.BANK_MATERIAL, first_dealer=2)
    chosen = Options(start_points=0, specials_anytime=False, hand_sizes=(2,), bank=Bank.MATERIAL, first_dealer=2)
    assert WIRE.decode(given) == chosen


def test_options_are_sent_complete() -> None:
    message: Any = WIRE.encode(Options())
    assert len(message.deck_pairs) == 27
    assert list(message.hand_sizes) == [1, 2, 3, 4, 5, 5, 4, 3, 2, 1]
    assert all(message.HasField(name) for name in ("sets", "start_points", "specials_anytime", "dealer_restriction"))
    assert (message.bank, message.tie_break) == (pb.BANK_UNLIMITED, pb.TIE_BREAK_SHARED)


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        (pb.Command(), "say which command"),
        (pb.Event(), "say which event"),
        (pb.Command(play_card=pb.PlayCard(motif="CA")), "play_card.card: is missing"),
        (
            pb.Command(play_card=pb.PlayCard(card="CA/H2", motif="C1")),
            "play_card.motif: 'C1' is no motif: give C, S, H",
        ),
        (pb.Event(dealt=pb.Dealt(turn_up="CA/H2", trump=cast("Any", 7))), "dealt.trump: 7 is no Suit"),
        (
            pb.Event(dealt=pb.Dealt(turn_up="CA/H2", hands=[pb.Hand(), pb.Hand(cards=["CA/H2", "?"])])),
            "dealt.hands[1].cards[1]: '?' is no card",
        ),
    ],
)
def test_what_is_malformed_is_named_by_its_path(message: Any, complaint: str) -> None:
    with pytest.raises(Malformed) as malformed:
        (WIRE.decode_command if isinstance(message, pb.Command) else WIRE.decode_event)(message)
    assert str(malformed.value).startswith(complaint)


def test_malformed_options_are_named_by_their_path() -> None:
    with pytest.raises(Malformed) as malformed:
        WIRE.decode(pb.Options(deck_pairs=["CA/H2", "CA/C2"]))
    assert malformed.value.path == "deck_pairs[1]"
    assert malformed.value.sentence.startswith("'CA/C2' is no card")


def test_a_value_that_must_be_there_is_missed() -> None:
    with pytest.raises(Malformed, match="phase: is missing"):
        WIRE.decode(pb.View())


def test_a_dealt_hand_survives_with_its_stock() -> None:
    event = Dealt(1, 2, 1, Card.parse("S8/D7"), Suit.SPADES, (Hand((Card.parse("CA/H2"),)), Hand(())), ())
    assert WIRE.decode_event(WIRE.encode_event(event)) == event


def like(kind: type[Any], *dropped: str, **changed: Any) -> Any:
    """Return a dataclass of the same name with other fields."""
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name not in dropped} | changed
    return make_dataclass(kind.__name__, hints.items(), frozen=True, slots=True)


def options_like(**defaults: Any) -> Any:
    """Return an Options of the same fields with other defaults."""
    known = [
        (each.name, get_type_hints(Options)[each.name], field(default=defaults.get(each.name, each.default)))
        for each in fields(Options)
    ]
    return make_dataclass("Options", known, frozen=True, slots=True)


def enum_like(kind: type[Enum], *dropped: str, also: tuple[str, ...] = ()) -> Any:
    names = [member.name for member in kind if member.name not in dropped]
    return Enum(kind.__name__, [*names, *also])


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"commands": (Bid, PlayCard)}, "double_tricks.v1.Command: the game lacks deal"),
        ({"commands": (Bid, PlayCard, Deal, Hand)}, "double_tricks.v1.Command: the proto lacks hand"),
        ({"events": GAME.events[1:]}, "double_tricks.v1.Event: the game lacks dealt"),
        ({"view": like(View, "stock")}, "double_tricks.v1.View: the game lacks stock"),
        ({"view": like(View, wind=int)}, "double_tricks.v1.View: the proto lacks wind"),
        ({"view": make_dataclass("Panorama", [])}, "has no message Panorama"),
        ({"view": like(View, last_trick=HandCard | None)}, "HandCard is sent as stammtisch.double_tricks.v1.Trick"),
        ({"view": like(View, hand=HandCard)}, "View.hand: a tuple of any length is repeated"),
        ({"view": like(View, stock=tuple[int, ...])}, "View.stock: a tuple of any length is repeated"),
        ({"view": like(View, hand=tuple[HandCard, HandCard])}, "View.hand: a tuple of any length is repeated"),
        ({"view": like(View, turn=int | None)}, "View.turn must be optional: 0 is not the same as nothing"),
        ({"view": like(View, bank=int)}, "View.bank is optional in the proto only"),
        ({"view": like(View, turn=float)}, "View.turn cannot hold <class 'float'>"),
        ({"view": like(View, turn=int | str)}, "View.turn cannot hold int | str"),
        ({"view": like(View, turn_up=int)}, "View.turn_up cannot hold <class 'int'>"),
        ({"view": like(View, trump=Bank | None)}, "has no enum Bank where it is needed"),
        ({"view": like(View, trump=enum_like(Suit, "CLUBS"))}, "double_tricks.v1.Suit: the game lacks CLUBS"),
        ({"view": like(View, last_trick=like(Trick, "winner"))}, "v1.Trick: the game lacks winner"),
        ({"view": like(View, last_trick=like(Trick, also=int))}, "v1.Trick: the proto lacks also"),
        ({"options": like(Options, "sets")}, "double_tricks.v1.Options: the game lacks sets"),
        ({"options": options_like(first_dealer=3)}, "Options.first_dealer must be optional"),
        ({"reason": enum_like(Reason, also=("BAD_MOOD",))}, "double_tricks.v1.Reason: the proto lacks BAD_MOOD"),
        ({"reason": enum_like(Reason, "WRONG_PACK")}, "double_tricks.v1.Reason: the game lacks WRONG_PACK"),
        ({"reason": Enum("Grumble", ["NO"])}, "has no enum Grumble where it is needed"),
    ],
)
def test_whatever_has_no_partner_stops_the_import_and_is_named(changed: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Unpaired) as unpaired:
        Wire(replace(GAME, **changed))
    assert complaint in str(unpaired.value)


def test_a_game_without_messages_stops_the_import() -> None:
    with pytest.raises(ImportError, match=r"stammtisch\.canasta"):
        Wire(replace(GAME, name="canasta"))
