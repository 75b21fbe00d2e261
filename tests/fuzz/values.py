"""Values: messages made at random from their descriptors, and things that are wrong in a known way."""

import base64
import json
import struct
import uuid
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

Field = FieldDescriptor

DEPTH_MAX = 4
ITEMS_MAX = 9
INTEGERS = (0, 1, 2, 3, 5, 27, 255, 500, 501, -1, -2, 2**31 - 1, -(2**31))
LONGS = (*INTEGERS, 2**53 + 1, 2**63 - 1, -(2**63), 315_576_000_000)
TEXTS = ("", " ", "*", "0", "null", "CA/H2", "ca/h2", "XX/YY", "CA/H2/S3", "CA", "/", "'", '"', "\\", "\0", "\x7f",
         "\u202e",
         "é", "🂡", "a" * 64, "a" * 65, "%00", "%s%n", "${jndi:x}", "<script>", "../../etc/passwd", "None",
         "nan")  # fmt: skip
BYTES = (b"", b"\0", bytes(31), bytes(32), bytes(33), b"\xff" * 32, bytes(300))
ENUMS = (0, 1, 2, 3, 99, -1, 2**31 - 1)
OTHERS: dict[int, Sequence[Any]] = {
    Field.TYPE_BYTES: BYTES,
    Field.TYPE_BOOL: (False, True),
    Field.TYPE_ENUM: ENUMS,
    Field.TYPE_INT64: LONGS,
}
TABLE_IDS = ("", ".", "..", "../v1/games", "0", "7f.abc", "7F.AAAAAAAAAAAAAAAAAA", "00.aaaaaaaaaaaaaaaaaa",
             "zz." + "a" * 18,
             "00." + "a" * 17, "00." + "a" * 19, "00." + "a" * 5_000, "00.aaaaaaaaaaaaaaaaa\n",
             "00.\u0430" + "a" * 17, "t:00:x:e",
             "00.aaaaaaaaaaaaaaaaaa:close", "00.aaaaaaaaaaaaaaaaaa/log", "{table_id}", "*", "%2e%2e", "\0")  # fmt: skip
COMMAND_IDS = ("", "0", "1-2-3-4-5", "z" * 36, "0" * 32, "{" + "0" * 32 + "}", "urn:uuid:" + "0" * 27, "-" * 36,
               "0" * 36,
               "00000000-0000-0000-0000-00000000000g", "00000000-0000-0000-0000-000000000000", "é" * 36,
               "0" * 4_000)  # fmt: skip


def message(kind: type[Message], random: Random, words: Sequence[str] = TEXTS, depth: int = 0) -> Any:
    """Return a well-formed message whose fields hold anything."""
    made = kind()
    for field in made.DESCRIPTOR.fields:
        if random.random() < 0.25 or depth > DEPTH_MAX:
            continue
        if field.is_repeated:
            many = random.randrange(ITEMS_MAX) if random.random() < 0.95 else 200
            getattr(made, field.name).extend(_value(field, random, words, depth) for _ in range(many))
        elif field.type == Field.TYPE_MESSAGE:
            getattr(made, field.name).CopyFrom(_value(field, random, words, depth))
        else:
            setattr(made, field.name, _value(field, random, words, depth))
    return made


def _value(field: Any, random: Random, words: Sequence[str], depth: int) -> Any:
    match field.type:
        case Field.TYPE_MESSAGE:
            return message(GetMessageClass(field.message_type), random, words, depth + 1)
        case Field.TYPE_STRING:
            return random.choice(words)
        case _:
            return random.choice(OTHERS.get(field.type, INTEGERS))


def identifier(random: Random) -> str:
    """Return a new UUID, which the seed decides."""
    return str(uuid.UUID(int=random.getrandbits(128), version=4))


def varint(number: int) -> bytes:
    """Return a number as protobuf writes it."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes((*out, number))


def tag(random: Random, kind: int) -> bytes:
    """Return the tag of some field with a wire type, which may not be the field's own."""
    return varint(random.choice((1, 2, 3, 4, 5, 11, 1000, 2**29 - 1)) << 3 | kind)


Damage = Callable[[bytes, Random], bytes]

BYTES_DAMAGED: tuple[Damage, ...] = (
    lambda data, random: random.randbytes(random.randrange(200)),
    lambda data, random: data[: random.randrange(len(data) + 1)],
    lambda data, random: _flipped(data, random.choice((1, 1, 1, 2, 8)), random),
    lambda data, random: data + random.randbytes(random.randrange(1, 9)),
    lambda data, random: data + data,
    lambda data, random: data + tag(random, 0) + b"\xff" * random.choice((9, 10, 11, 60)) + b"\x01",
    lambda data, random: data + tag(random, 2) + varint(2 ** random.choice((7, 31, 32, 63))) + b"x",
    lambda data, random: data + tag(random, 2) + b"\x02\xff\xfe",  # no UTF-8
    lambda data, random: data + tag(random, random.randrange(8)) + random.randbytes(8),
    lambda data, random: data + b"\x0b" * random.choice((1, 99, 101, 5_000)),  # groups that never end
    lambda data, random: data + _nested(random.choice((1, 30, 99, 101, 400)), random),
    lambda data, random: data + b"\x00" + data,  # field number 0
)


def _flipped(data: bytes, bits: int, random: Random) -> bytes:
    changed = bytearray(data or b"\0")
    for _ in range(bits):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _nested(levels: int, random: Random) -> bytes:
    data, mark = b"", tag(random, 2)
    for _ in range(levels):
        data = mark + varint(len(data)) + data
    return data


TextDamage = Callable[[str, Random], bytes]

JSON_DAMAGED: tuple[TextDamage, ...] = (
    lambda text, random: text[: random.randrange(len(text) + 1)].encode(),
    lambda text, random: _flipped(text.encode(), 3, random),
    lambda text, random: b"",
    lambda text, random: random.choice(
        (b"null", b"[]", b"0", b"true", b'"x"', b"{}", b"{", b"}", b"[{}]", b"\xef\xbb\xbf{}", b"NaN")
    ),
    lambda text, random: b"[" * random.choice((10, 99, 101, 30_000)),
    lambda text, random: b'{"a":' * random.choice((10, 99, 101, 9_000)),
    lambda text, random: b'{"a":' * (many := random.choice((10, 99, 101, 5_000))) + b"1" + b"}" * many,
    lambda text, random: (text + text).encode(),
    lambda text, random: b'{"\xff\xfe": 1}',
    lambda text, random: b'{"\\ud800": "\\udfff\\u0000"}',
    lambda text, random: json.dumps(_retyped(json.loads(text), random)).encode(),
    lambda text, random: json.dumps({**_dictionary(text), random.choice(("unknown", "__proto__", "")): [{}]}).encode(),
    lambda text, random: (text[:-1] + ',"seats":[],"seats":[],"commandId":"1"}').encode(),
    lambda text, random: text.encode("utf-16"),
)


def _dictionary(text: str) -> dict[str, Any]:
    data = json.loads(text)
    return data if isinstance(data, dict) else {}


def _retyped(data: Any, random: Random) -> Any:
    """Return the same with a value of another type in one place."""
    if isinstance(data, dict) and data and random.random() < 0.9:
        key = random.choice(sorted(data))
        return data | {key: _retyped(data[key], random)}
    if isinstance(data, list) and data and random.random() < 0.7:
        place = random.randrange(len(data))
        return [*data[:place], _retyped(data[place], random), *data[place + 1 :]]
    return random.choice(
        (None, True, 0, -1, 1.5, 1e400, 10**40, "1", "x", "", [], {}, [[]], [None], {"a": None}, "🂡" * 50)
    )


def token_damaged(token: str, random: Random) -> str:
    """Return an authorization header that is not quite right."""
    header, _, rest = token.partition(".")
    payload, _, signature = rest.partition(".")
    none = encoded({"alg": "none", "typ": "JWT", "kid": "own"})
    odd = encoded({"alg": "HS256", "kid": random.choice((None, 1, [], {}, "x", "../token.key"))})
    return random.choice(
        (
            "",
            "Bearer",
            "Bearer ",
            token,
            f"Basic {token}",
            f"Bearer {token[: random.randrange(len(token))]}",
            f"Bearer {none}.{payload}.",
            f"Bearer {none}.{payload}.{signature}",
            f"Bearer {header}.{encoded({'table': '00.' + 'a' * 18, 'seat': 1})}.{signature}",
            f"Bearer {odd}.{payload}.{signature}",
            f"Bearer {encoded([[[]]])}.{payload}.{signature}",
            f"Bearer {base64.urlsafe_b64encode(b'[' * 700).decode()}.{payload}.{signature}",
            f"Bearer {header}.{payload}.{signature[::-1]}",
            f"Bearer {token}{token}",
            f"Bearer {token} {token}",
            f"Bearer {'a' * random.choice((999, 1_000, 1_001, 9_000))}",
            "Bearer \u00ff\u00fe",
            f"Bearer {random.randbytes(30).hex()}",
            f"Bearer a.b.{signature}",
        )
    )


def encoded(data: Any) -> str:
    """Return a part of a token."""
    return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()


def framed(data: bytes, flags: int = 0) -> bytes:
    """Return a message as gRPC frames it."""
    return struct.pack(">BI", flags, len(data)) + data
