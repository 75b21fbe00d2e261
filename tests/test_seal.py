"""What is sealed opens only where it was sealed, with the table's root."""

import itertools

import pytest

from service.seal import MasterKeys, Seal, SealBroken, UnknownKey, commitment

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
