"""Settings come from the environment, are checked, and are said to be wrong by name."""

import base64
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from service.config import BadSetting, Config, described, page, read, variable
from service.setting import Address

KEY = base64.b64encode(bytes(range(32))).decode()


def test_without_any_variable_everything_has_its_default() -> None:
    config = read({"PATH": "/bin"})
    assert config.listen == Address(host="127.0.0.1", port=8080)
    assert config.data == Path.cwd() / "data"
    assert config.run == Path.cwd() / "data" / "run"
    assert config.grpc_listen == Address(path=str(Path.cwd() / "data" / "run" / "service.sock"))
    assert config.grpc_upstreams == (config.grpc_listen,)
    assert (config.envoy, config.strict, config.redis_url, config.api_keys) == (True, False, "", {})


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert read({variable(name): " " for name, _, _, _ in described()}) == read({})


def test_what_is_set_is_read_by_its_kind() -> None:
    config = read(
        {
            "STAMMTISCH_LISTEN": "[::1]:80",
            "STAMMTISCH_ENVOY": "off",
            "STAMMTISCH_GRPC_LISTEN": "unix:/run/s.sock",
            "STAMMTISCH_GRPC_UPSTREAMS": "unix:/run/s.sock, service.cards.svc:50051",
            "STAMMTISCH_HEARTBEAT_SECONDS": "0.5",
            "STAMMTISCH_MASTER_KEYS": f"new:{KEY},old:{KEY}",
            "STAMMTISCH_API_KEYS": "shop:0123456789abcdef,club:abcdef0123456789",
        }
    )
    assert str(config.listen) == "[::1]:80"
    assert not config.envoy
    assert [str(address) for address in config.grpc_upstreams] == ["unix:/run/s.sock", "service.cards.svc:50051"]
    assert config.heartbeat_seconds == 0.5
    assert list(config.master_keys.items()) == [("new", bytes(range(32))), ("old", bytes(range(32)))]
    assert config.api_keys == {"shop": "0123456789abcdef", "club": "abcdef0123456789"}


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("LISTEN", "8080", "must be: IP address:port"),
        ("LISTEN", "localhost:8080", "must be: IP address:port"),
        ("LISTEN", "127.0.0.1:0", "must be: IP address:port"),
        ("LISTEN", "127.0.0.1:65536", "must be: IP address:port"),
        ("LISTEN", "unix:/tmp/x.sock", "must be: IP address:port"),
        ("GRPC_LISTEN", "unix:/" + "x" * 200, "at most 103 bytes"),
        ("ENVOY", "yes", "must be: `on` or `off`"),
        ("LOG_LEVEL", "loud", "must be: `debug` or"),
        ("MESSAGE_BYTES", "64k", "must be: whole number, 1,024 to 4,194,304"),
        ("MESSAGE_BYTES", "1", "must be: whole number"),
        ("HEARTBEAT_SECONDS", "nan", "must be: seconds, 0.1 to 30"),
        ("HEARTBEAT_SECONDS", "31", "must be: seconds"),
        ("CORS_ORIGINS", "https://a.example/path", "an origin is a scheme"),
        ("API_KEYS", "0123456789abcdef", "no name"),
        ("API_KEYS", "shop:short", "at least 16"),
        ("API_KEYS", "shop:0123456789 abcdef", "no space"),
        ("API_KEYS", "shop:0123456789abcdef,club:0123456789abcdef", "same key"),
        ("API_KEYS", "shop:0123456789abcdef,shop:abcdef0123456789", "twice"),
        ("REDIS_URL", "localhost:6379", "must begin with one of redis://"),
        ("REDIS_URL", "redis://user:pa/ss@store", "no such URL"),
        ("REDIS_URL", "redis://[store", "no such URL"),
        ("REDIS_URL", "redis://store?colour=red", "no such URL"),
        ("REDIS_URL", "redis://store?socket_timeout=1", "no such URL"),
        ("MASTER_KEYS", KEY, "no name"),
        ("MASTER_KEYS", f":{KEY}", "no name"),
        ("MASTER_KEYS", f"a:{KEY},a:{KEY}", "twice"),
        ("MASTER_KEYS", f"a:{KEY},", "no name"),
        ("TOKEN_KEYS", "a:", "shorter than 32 bytes"),
        ("TOKEN_KEYS", "a:not base64!", "not base64"),
        ("TOKEN_KEYS", "a:" + base64.b64encode(bytes(31)).decode(), "shorter than 32 bytes"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(name: str, text: str, why: str) -> None:
    with pytest.raises(BadSetting) as refused:
        read({f"STAMMTISCH_{name}": text})
    assert f"STAMMTISCH_{name}" in str(refused.value)
    assert why in str(refused.value)
    if "KEYS" in name or "REDIS" in name:
        assert text not in str(refused.value)


def test_a_typing_error_in_a_variables_name_is_noticed() -> None:
    with pytest.raises(BadSetting, match="STAMMTISCH_REDIS_ULR is not a setting"):
        read({"STAMMTISCH_REDIS_ULR": "redis://store"})


def test_what_kubernetes_says_of_a_service_called_stammtisch_is_no_setting() -> None:
    assert read({"STAMMTISCH_PORT": "tcp://10.0.0.1:80", "STAMMTISCH_SERVICE_HOST": "10.0.0.1"}) == read({})


def test_no_secret_is_in_what_a_configuration_shows_of_itself() -> None:
    config = read(
        {
            "STAMMTISCH_MASTER_KEYS": f"a:{KEY}",
            "STAMMTISCH_TOKEN_KEYS": f"a:{KEY}",
            "STAMMTISCH_API_KEYS": "shop:creator-creator-creator",
            "STAMMTISCH_AUDITOR_KEYS": "club:auditor-auditor-auditor",
            "STAMMTISCH_REDIS_URL": "redis://user:password@store",
            "STAMMTISCH_JANITOR_REDIS_URL": "redis://janitor:broomstick@store",
        }
    )
    shown = repr(config)
    assert "127.0.0.1" in shown
    for secret in (str(bytes(range(32))), KEY, "creator-c", "auditor-a", "password", "broomstick"):
        assert secret not in shown


def test_it_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        read({}).strict = True  # type: ignore[misc]
    assert replace(read({}), strict=True).strict


def test_the_page_has_every_setting() -> None:
    assert [line for line in page().splitlines() if line.startswith("| `STAMMTISCH_")] == [
        line
        for name in Config.__dataclass_fields__
        for line in page().splitlines()
        if f"| `{variable(name)}` |" in line
    ]
