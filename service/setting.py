"""What a setting may hold: kinds that read text and say in words what they accept."""

import base64
import binascii
import ipaddress
import math
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field
from pathlib import Path
from typing import Any

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import parse_url
from redis.exceptions import RedisError

KEY_BYTES = 32
API_KEY_CHARACTERS = 16
REDIS_SCHEMES = ("redis://", "rediss://", "unix://")
URL_PARTS = ("connection_class", "host", "port", "path", "db", "username", "password")
SOCKET_PATH_BYTES = 103  # what macOS and Linux both give a socket's path, its final zero not counted


class Unfit(ValueError):
    """A text that is refused for a reason which its kind does not say already."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How a setting is read. `parse` raises ValueError, or KeyError where it looks a word up."""

    says: str
    parse: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Address:
    """Where a listener listens or is found: host and port, or the path of a socket."""

    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def setting(default: str, kind: Kind, sentence: str, *, secret: bool = False) -> Any:
    """Declare a field of the configuration by the text it has where the environment is silent."""
    described: Field[Any] = field(repr=not secret, metadata={"default": default, "kind": kind, "sentence": sentence})
    return described


def whole(low: int, high: int) -> Kind:
    """Accept a whole number."""
    return Kind(f"whole number, {low:,} to {high:,}", lambda text: _within(int(text), low, high))


def seconds(low: float, high: float) -> Kind:
    """Accept a number of seconds."""
    return Kind(f"seconds, {low:,g} to {high:,g}", lambda text: _within(float(text), low, high))


def choice(*words: str) -> Kind:
    """Accept one of some words."""
    return Kind(" or ".join(f"`{word}`" for word in words), lambda text: words[words.index(text)])


def _within(number: Any, low: float, high: float) -> Any:
    if not math.isfinite(number) or not low <= number <= high:
        raise ValueError(number)
    return number


def _address(text: str) -> Address:
    if text.startswith("unix:"):
        path = Path(text.removeprefix("unix:")).absolute()
        if len(bytes(path)) > SOCKET_PATH_BYTES:
            raise Unfit(f"the path of a socket has at most {SOCKET_PATH_BYTES} bytes, and {path} is longer")
        return Address(path=str(path))
    host, colon, port = text.rpartition(":")
    if not host or not colon:
        raise ValueError(text)
    bare = host.removeprefix("[").removesuffix("]")
    if ":" in bare:
        ipaddress.IPv6Address(bare)
    return Address(host=bare, port=_within(int(port), 1, 65535))


def _listening(text: str) -> Address:
    address = _address(text)
    if address.host:
        ipaddress.ip_address(address.host)
    return address


def _tcp(text: str) -> Address:
    address = _listening(text)
    if address.path:
        raise ValueError(text)
    return address


def _url(text: str) -> str:
    if not text:
        return text
    if not text.startswith(REDIS_SCHEMES):
        raise Unfit(f"it must begin with one of {', '.join(REDIS_SCHEMES)}")
    try:
        ConnectionPool.from_url(text).make_connection()  # which connects nowhere yet
        known = all(name in URL_PARTS or name.startswith("ssl_") for name in parse_url(text))
    except (ValueError, TypeError, RedisError):  # whose words may hold a part of the password
        known = False
    if not known:
        raise Unfit(
            "no such URL. In user and password, %-encode what is neither letter nor digit, as in p%40ss; "
            "after a question mark, only ssl_ca_certs=path and its like are known"
        )
    return text


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",")) if text else ()


def _named(text: str) -> Mapping[str, str]:
    named: dict[str, str] = {}
    for word in _words(text):
        name, colon, key = word.partition(":")
        if not name or not colon or any(c.isspace() for c in name):
            raise Unfit("a key has no name; write name:key, such as shop:<key>")
        if name in named:
            raise Unfit(f"the name {name} stands there twice")
        named[name] = key
    return named


def _api_keys(text: str) -> Mapping[str, str]:
    keys = _named(text)
    for name, key in keys.items():
        if len(key) < API_KEY_CHARACTERS or not key.isascii() or any(c.isspace() for c in key):
            raise Unfit(f"the key of {name} must have at least {API_KEY_CHARACTERS} ASCII characters and no space")
    if len(set(keys.values())) < len(keys):
        raise Unfit("two names have the same key")
    return keys


def _origins(text: str) -> tuple[str, ...]:
    origins = _words(text)
    if any(not origin.startswith(("http://", "https://")) or origin.count("/") != 2 for origin in origins):
        raise Unfit("an origin is a scheme, a host and perhaps a port, with no path: https://cards.example")
    return origins


def _keys(text: str) -> Mapping[str, bytes]:
    return {kid: _key(kid, encoded) for kid, encoded in _named(text).items()}


def _key(kid: str, encoded: str) -> bytes:
    try:
        key = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        raise Unfit(f"the key {kid} is not base64; `openssl rand -base64 {KEY_BYTES}` makes one") from None
    if len(key) < KEY_BYTES:
        raise Unfit(f"the key {kid} is shorter than {KEY_BYTES} bytes; `openssl rand -base64 {KEY_BYTES}` makes one")
    return key


SWITCH = Kind("`on` or `off`", lambda text: {"on": True, "off": False}[text])
PATH = Kind("path", lambda text: Path(text).expanduser().absolute())
URL = Kind("URL", _url)
TCP = Kind("IP address:port", _tcp)
LISTENER = Kind("`unix:path` or IP address:port", _listening)
ADDRESSES = Kind("list of `unix:path` or host:port", lambda text: tuple(_address(word) for word in _words(text)))
KEYS = Kind(f"list of name:key, the key {KEY_BYTES} bytes or more in base64", _keys)
API_KEYS = Kind(f"list of name:key, the key {API_KEY_CHARACTERS} characters or more", _api_keys)
ORIGINS = Kind("list of origins", _origins)
