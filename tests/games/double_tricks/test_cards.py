import pytest

from service.games.double_tricks.cards import ALL_CARDS, COMPLEMENT16, FOOL, MOTIFS, POPE, Card, Motif, Suit


def test_there_are_54_motifs_of_which_two_have_no_suit() -> None:
    assert len(MOTIFS) == 54
    assert [motif for motif in MOTIFS.values() if motif.suit is None] == [POPE, FOOL]


def test_ranks_rise_from_two_to_ace_then_pope_then_fool() -> None:
    clubs = [Motif.parse("C" + letter) for letter in "23456789TJQKA"]
    ranks = [motif.rank for motif in (*clubs, POPE, FOOL)]
    assert ranks == sorted(set(ranks))


def test_every_card_reads_back_from_its_notation_as_the_same_object() -> None:
    assert all(Card.parse(str(card)) is card for card in ALL_CARDS)
    assert all(Motif.parse(str(motif)) is motif for motif in MOTIFS.values())


def test_a_card_is_read_with_its_motifs_in_either_order_and_written_in_one() -> None:
    assert str(Card.parse("H2/CA")) == "CA/H2"
    assert str(Card.parse("FOOL/H8")) == "H8/FOOL"


def test_the_two_motifs_of_a_card_differ_in_suit_and_in_rank() -> None:
    assert all(len(set(card.suits)) == 2 for card in ALL_CARDS)
    assert all(len({motif.rank for motif in card.motifs}) == 2 for card in ALL_CARDS)
    assert len(ALL_CARDS) == 52 * 36 / 2 + 2 * 52


@pytest.mark.parametrize("text", ["CA/C2", "CA/HA", "POPE/FOOL", "CA", "CA/H2/S3", "", "ca/h2", "C10/H2"])
def test_what_is_no_card_is_refused_with_an_example_of_one(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no card: .* such as CA/H2"):
        Card.parse(text)


@pytest.mark.parametrize("text", ["C1", "XA", "", "pope", "CA/H2"])
def test_what_is_no_motif_is_refused_with_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match="is no motif: give C, S, H or D with"):
        Motif.parse(text)


def test_a_long_text_is_not_repeated_whole_in_the_refusal() -> None:
    with pytest.raises(ValueError, match="is no card") as refused:
        Card.parse("X" * 100_000)
    assert len(str(refused.value)) < 200


def test_the_default_pairing_follows_its_construction() -> None:
    suits, letters = list(Suit), "..23456789TJQKA"
    apart = {"A": 2, "K": 1, "Q": 3, "J": 2, "T": 1, "9": 3}
    built = {
        f"{suit.value}{high}/{suits[(place + steps) % 4].value}{letters[16 - letters.index(high)]}"
        for high, steps in apart.items()
        for place, suit in enumerate(suits)
    }
    built = built - {"C9/D7"} | {"C9/D8", "S8/D7", "C8/POPE", "H8/FOOL"}
    assert {str(card) for card in COMPLEMENT16} == built
