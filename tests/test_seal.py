"""What is sealed opens only where it was sealed, with the table's root."""

import itertools
from random import Random

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from service.games.double_tricks import GAME
from service.games.double_tricks.commands import Deal
from service.games.double_tricks.options import Options
from service.kit.game import CHANCE
from service.seal import MasterKeys, Seal, SealBroken, UnknownKey, commitment
from service.wire import WIRES

ROOT = bytes(range(32))
TABLE, OTHER = "00.aaaaaaaaaaaaaaaaaa", "00.bbbbbbbbbbbbbbbbbb"


def test_a_sealed_fact_opens_at_its_place_only() -> None:
    nonce, box = Seal(ROOT, TABLE).close(2, 1, b"secret")
    assert b"secret" not in box
    assert Seal(ROOT, TABLE).open(2, 1, nonce, box) == b"secret"
    for root, table, version, place in itertools.product((ROOT, bytes(32)), (TABLE, OTHER), (2, 3), (1, 0)):
        if (root, table, version, place) != (ROOT, TABLE, 2, 1):
            with pytest.raises(SealBroken):
                Seal(root, table).open(version, place, nonce, box)


@pytest.mark.parametrize("change", [lambda n, b: (n, b[:-1]), lambda n, b: (b"", b), lambda n, b: (n, b"\0" + b)])
def test_a_changed_box_does_not_open(change: object) -> None:
    nonce, box = Seal(ROOT, TABLE).close(2, 1, b"secret")
    with pytest.raises(SealBroken):
        Seal(ROOT, TABLE).open(2, 1, *change(nonce, box))  # type: ignore[operator]


def test_the_same_fact_never_looks_the_same_twice() -> None:
    seal = Seal(ROOT, TABLE)
    assert len({seal.close(2, 1, b"secret") for _ in range(100)}) == 100


@pytest.mark.parametrize("fact", [b"", b"\x80", b"\x80\0\0", bytes(64), bytes(63), b"x" * 500])
def test_a_fact_that_looks_like_what_fills_it_up_opens_as_it_was(fact: bytes) -> None:
    nonce, box = Seal(ROOT, TABLE).close(2, 1, fact)
    assert Seal(ROOT, TABLE).open(2, 1, nonce, box) == fact


def test_a_box_does_not_tell_the_exact_length_of_its_fact() -> None:
    assert len({len(Seal(ROOT, TABLE).close(2, 1, bytes(length))[1]) for length in range(64)}) == 1


def test_a_box_that_was_never_filled_up_does_not_open() -> None:
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"stammtisch/seal/1").derive(ROOT)
    where = b"stammtisch/seal/1" + TABLE.encode() + bytes([0] * 7 + [2] + [0] * 3 + [1])
    box = AESGCM(key).encrypt(bytes(12), b"secret", where)
    with pytest.raises(SealBroken):
        Seal(ROOT, TABLE).open(2, 1, bytes(12), box)


def test_the_length_of_a_sealed_deal_does_not_tell_who_holds_a_special_card() -> None:
    """Of eighteen cards a hand takes 126 bytes without POPE and FOOL, and its length a byte more with one of them."""
    wire, seal, chance = WIRES["double_tricks"], Seal(ROOT, TABLE), Random(1)
    start = GAME.start(Options(hand_sizes=(18,)), 2)
    lengths = set()
    for _ in range(200):
        pack = chance.sample(start.setup.pack, len(start.setup.pack))
        (event,) = GAME.decide(start, CHANCE, Deal(1, tuple(pack)))
        lengths.add(len(seal.close(2, 1, wire.encode_event(event).SerializeToString())[1]))
    assert len(lengths) == 1


def test_every_table_and_key_has_a_root_of_its_own() -> None:
    keys = MasterKeys("new", {"new": b"n" * 32, "old": b"o" * 32})
    roots = {keys.root(table, key) for table in (TABLE, OTHER) for key in ("new", "old")}
    assert len(roots) == 4
    assert len({commitment(root) for root in roots}) == 4


def test_a_key_that_is_not_configured_is_named() -> None:
    with pytest.raises(UnknownKey, match="gone"):
        MasterKeys("new", {"new": b"n" * 32}).root(TABLE, "gone")


def test_a_tables_id_depends_on_the_oldest_key_the_creator_and_the_command() -> None:
    old = MasterKeys("old", {"old": b"o" * 32})
    rotated = MasterKeys("new", {"new": b"n" * 32, "old": b"o" * 32})
    bits = old.table_id_bits("ada", b"1" * 16)
    assert rotated.table_id_bits("ada", b"1" * 16) == bits
    assert len({bits, old.table_id_bits("bob", b"1" * 16), old.table_id_bits("ada", b"2" * 16)}) == 3
