"""Keys of a table: its root, the promise made with it, and the seal on what is private."""

import base64
import hashlib
import hmac
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32
NONCE_BYTES = 12
INVITE_CHARACTERS = 16  # of base32, 80 bits
BLOCK_BYTES = 64  # facts are filled up to a multiple of it: their exact length would tell of what is in them
END = b"\x80"  # of a fact, before what fills it up


class UnknownKey(Exception):
    """The master key that a table was created under is not configured."""


class SealBroken(Exception):
    """A sealed fact does not open with the table's root: it was made for another place, or changed."""


class Roots(Protocol):
    """Where tables' roots come from: the operator's keys, or a log that has revealed its own."""

    def root(self, table_id: str, key_id: str) -> bytes:
        """Return the root of a table that was created under a key."""


@dataclass(frozen=True, slots=True)
class MasterKeys:
    """The operator's keys by id, the newest first, and the one that new tables are created under."""

    newest: str
    by_id: Mapping[str, bytes]

    def root(self, table_id: str, key_id: str) -> bytes:
        """Return the table's root: any server with the key can derive it, and nobody else."""
        return hmac.digest(self._key(key_id), b"stammtisch/table-root/1" + table_id.encode(), "sha256")

    def table_id_bits(self, creator: str, command_id: bytes) -> bytes:
        """Return bytes for a table's id: nobody can guess them, and the same request always finds its table."""
        return self._id_bits(b"stammtisch/table-id/1" + command_id + creator.encode())

    def rematch_id_bits(self, table_id: str) -> bytes:
        """Return bytes for the id of a table's rematch: nobody can guess them, and whoever asks finds the same one."""
        return self._id_bits(b"stammtisch/rematch-id/1" + table_id.encode())

    def _id_bits(self, asked: bytes) -> bytes:
        # The oldest key, so that a request sent again after a rotation finds the table it made before.
        *_, oldest = self.by_id.values()
        return hmac.digest(oldest, asked, "sha256")

    def _key(self, key_id: str) -> bytes:
        try:
            return self.by_id[key_id]
        except KeyError:
            raise UnknownKey(key_id) from None


def commitment(root: bytes) -> bytes:
    """Return what is published of the root before it is revealed."""
    return hashlib.sha256(root).digest()


def invite_code(root: bytes) -> str:
    """Return what lets people take a table's open seats: any server can derive it, and nobody else."""
    return base64.b32encode(hmac.digest(root, b"stammtisch/invite/1", "sha256")).decode().lower()[:INVITE_CHARACTERS]


def _random_nonce(_version: int, _place: int) -> bytes:
    return os.urandom(NONCE_BYTES)


class Seal:
    """Encrypts the facts of one table's log, each for the place where it stands."""

    def __init__(self, root: bytes, table_id: str, nonce: Callable[[int, int], bytes] = _random_nonce) -> None:
        """Take a nonce of one's own only to make boxes again that were made before: no other may ever repeat."""
        key = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=b"stammtisch/seal/1").derive(root)
        self._aead = AESGCM(key)
        self._table = table_id.encode()
        self._nonce = nonce

    def close(self, version: int, place: int, fact: bytes) -> tuple[bytes, bytes]:
        """Return nonce and box. The command's place in its entry is 0, the first event's 1."""
        nonce, ended = self._nonce(version, place), fact + END
        filled = ended + bytes(-len(ended) % BLOCK_BYTES)
        return nonce, self._aead.encrypt(nonce, filled, self._where(version, place))

    def open(self, version: int, place: int, nonce: bytes, box: bytes) -> bytes:
        """Return the fact, or raise SealBroken."""
        try:
            filled = self._aead.decrypt(nonce, box, self._where(version, place))
        except (InvalidTag, ValueError) as error:  # ValueError: a nonce of a length that no seal has
            raise SealBroken(f"version {version}, fact {place}") from error
        fact, end, _ = filled.rpartition(END)
        if not end:
            raise SealBroken(f"version {version}, fact {place}")
        return fact

    def _where(self, version: int, place: int) -> bytes:
        return b"stammtisch/seal/1" + self._table + version.to_bytes(8, "big") + place.to_bytes(4, "big")
