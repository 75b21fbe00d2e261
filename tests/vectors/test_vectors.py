"""The published vectors, against a second implementation of a few lines and against the service's own."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import GCM
from stammtisch import Contribution

from service.audit.verify import verify
from service.draw import SeededDraw, committed, deal_seed
from service.log import GENESIS
from service.seal import MasterKeys, Seal, commitment

HERE = Path(__file__).parent


def vectors(name: str) -> Any:
    return [pytest.param(each, id=each["name"]) for each in json.loads((HERE / f"{name}.json").read_text())]


# The second implementation, written from docs/fairness.md alone


def mac(key: bytes, *parts: bytes) -> bytes:
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def reference_chain(table_id: str, entries: list[bytes]) -> list[bytes]:
    hashes = [b"\0" * 32]
    for version, entry in enumerate(entries, 1):
        parts = (b"stammtisch/chain/1", table_id.encode(), hashes[-1], version.to_bytes(8, "big"), entry)
        hashes.append(hashlib.sha256(b"".join(parts)).digest())
    return hashes[1:]


def reference_root(master_key: bytes, table_id: str) -> bytes:
    return mac(master_key, b"stammtisch/table-root/1", table_id.encode())


def reference_seed(root: bytes, table_id: str, deal: int, contributions: list[bytes]) -> bytes:
    given = [contribution or b"\0" * 32 for contribution in contributions]
    return mac(root, b"stammtisch/deal/1", table_id.encode(), deal.to_bytes(4, "big"), *given)


def reference_words(seed: bytes, label: str) -> Iterator[int]:
    for block in range(2**63):
        digest = mac(seed, f"stammtisch/{label}/1".encode(), block.to_bytes(8, "big"))
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def reference_below(limit: int, words: Iterator[int]) -> int:
    while True:
        word = next(words)
        if word < 2**32 - 2**32 % limit:
            return word % limit


def reference_shuffle(seed: bytes, length: int) -> list[int]:
    places, words = list(range(length)), reference_words(seed, "shuffle")
    for top in range(length - 1, 0, -1):
        other = reference_below(top + 1, words)
        places[top], places[other] = places[other], places[top]
    return places


def reference_where(table_id: str, version: int, place: int) -> bytes:
    return b"stammtisch/seal/1" + table_id.encode() + version.to_bytes(8, "big") + place.to_bytes(4, "big")


def reference_box(root: bytes, where: bytes, nonce: bytes, fact: bytes) -> bytes:
    key = mac(mac(b"\0" * 32, root), b"stammtisch/seal/1", b"\x01")  # HKDF-SHA256, no salt, one block
    encryptor = Cipher(AES(key), GCM(nonce)).encryptor()
    encryptor.authenticate_additional_data(where)
    filled = fact + b"\x80"
    while len(filled) % 64:
        filled += b"\0"
    return encryptor.update(filled) + encryptor.finalize() + encryptor.tag


# What holds


@pytest.mark.parametrize("vector", vectors("chain"))
def test_the_chain(vector: Any) -> None:
    entries, hashes = [bytes.fromhex(entry) for entry in vector["entries"]], vector["hashes"]
    assert [each.hex() for each in reference_chain(vector["table_id"], entries)] == hashes
    head = GENESIS
    for version, (entry, after) in enumerate(zip(entries, hashes, strict=True), 1):
        head = head.after(vector["table_id"], entry)
        assert (head.version, head.hash.hex()) == (version, after)


@pytest.mark.parametrize("vector", vectors("root"))
def test_the_root_and_its_commitment(vector: Any) -> None:
    key, table_id = bytes.fromhex(vector["master_key"]), vector["table_id"]
    root = reference_root(key, table_id)
    assert (root.hex(), hashlib.sha256(root).hexdigest()) == (vector["root"], vector["commitment"])
    assert MasterKeys("k", {"k": key}).root(table_id, "k") == root
    assert commitment(root).hex() == vector["commitment"]


@pytest.mark.parametrize("vector", vectors("deal_seed"))
def test_the_seed_of_a_deal(vector: Any) -> None:
    root, contributions = bytes.fromhex(vector["root"]), [bytes.fromhex(each) for each in vector["contributions"]]
    seed = reference_seed(root, vector["table_id"], vector["deal"], contributions)
    assert seed.hex() == vector["seed"]
    assert deal_seed(root, vector["table_id"], vector["deal"], contributions) == seed


@pytest.mark.parametrize("vector", vectors("contribution"))
def test_the_commitment_to_a_contribution(vector: Any) -> None:
    contribution = bytes.fromhex(vector["contribution"])
    assert hashlib.sha256(b"stammtisch/contribution/1" + contribution).hexdigest() == vector["commitment"]
    assert committed(contribution).hex() == vector["commitment"]
    assert Contribution(contribution).commitment.hex() == vector["commitment"]


@pytest.mark.parametrize("vector", vectors("shuffle"))
def test_the_shuffle(vector: Any) -> None:
    seed, shuffled = bytes.fromhex(vector["seed"]), vector["shuffled"]
    assert reference_shuffle(seed, vector["length"]) == shuffled
    assert list(SeededDraw(seed).shuffled(range(vector["length"]))) == shuffled


@pytest.mark.parametrize("vector", vectors("below"))
def test_a_number_below_a_limit(vector: Any) -> None:
    seed, limit, label = bytes.fromhex(vector["seed"]), vector["limit"], vector["label"]
    assert reference_below(limit, reference_words(seed, label)) == vector["number"]
    assert SeededDraw(seed).below(limit, label) == vector["number"]


@pytest.mark.parametrize("vector", vectors("seal"))
def test_the_seal(vector: Any) -> None:
    root, nonce, fact, box = (bytes.fromhex(vector[name]) for name in ("root", "nonce", "fact", "box"))
    table_id, version, place = vector["table_id"], vector["version"], vector["place"]
    assert reference_box(root, reference_where(table_id, version, place), nonce, fact) == box
    assert Seal(root, table_id).open(version, place, nonce, box) == fact
    assert Seal(root, table_id, lambda _version, _place: nonce).close(version, place, fact) == (nonce, box)


def test_words_that_would_favour_small_numbers_are_drawn_again() -> None:
    """Some vector of `below` must need a second word, or nobody would notice a verifier without the rule."""
    needed = [
        each
        for each in json.loads((HERE / "below.json").read_text())
        if next(reference_words(bytes.fromhex(each["seed"]), each["label"])) >= 2**32 - 2**32 % each["limit"]
    ]
    assert len(needed) >= 2


def test_an_exported_game_verifies() -> None:
    verified = verify((HERE / "exported.jsonl").read_bytes())
    assert (verified.entries, verified.shuffles, verified.commands, verified.status) == (23, 3, 18, "finished")
    assert verified.head.hash.hex() == "7bc33467dfd76da8cbc29be3cacdbd57813aa2656dac4cc0bacb3197e3f6f4be"
