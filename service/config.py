"""Config: what the environment says, read once, checked, and frozen."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from service.setting import (
    ADDRESSES,
    API_KEYS,
    KEYS,
    LISTENER,
    ORIGINS,
    PATH,
    SWITCH,
    TCP,
    URL,
    Address,
    Kind,
    Unfit,
    choice,
    seconds,
    setting,
    whole,
)

PREFIX = "STAMMTISCH_"
HEADING = """# Settings

Every setting is an environment variable. An empty one is as good as none. Lists are separated by commas.
This page is written by `make generate`; `python -m service settings` prints it.
"""


class BadSetting(ValueError):
    """A setting cannot be used. The message names the variable and says what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings. Their order is the one of the documentation."""

    listen: Address = setting("127.0.0.1:8080", TCP, "Where the front door listens.")
    envoy: bool = setting("on", SWITCH, "Whether Envoy is started as the front door. `off`: gRPC only.")
    cors_origins: tuple[str, ...] = setting(
        "", ORIGINS, "Web pages that may call the API from a browser. Empty: those served by this machine."
    )
    requests_per_second: int = setting(
        "1000", whole(1, 1_000_000), "Requests a second that the front door accepts from one address."
    )
    requests_burst: int = setting("2000", whole(1, 1_000_000), "As many may come at once, if none came before.")
    grpc_listen: Address = setting(
        "", LISTENER, "Where the gRPC service itself listens. Empty: `service.sock` in the run directory."
    )
    grpc_upstreams: tuple[Address, ...] = setting(
        "", ADDRESSES, "Where the front door finds the gRPC service, one address a replica. Empty: where it listens."
    )
    data: Path = setting("data", PATH, "The directory of the embedded store, its keys and the logs of the parts.")
    run: Path = setting("", PATH, "The directory of the sockets. Empty: `run` in the data directory.")
    redis_url: str = setting(
        "",
        URL,
        "The external store: `redis://user:password@host:6379/0`, `unix:///…`, or for TLS "
        "`rediss://…`, with `?ssl_ca_certs=path` for a CA of your own. Empty: embedded.",
        secret=True,
    )
    strict: bool = setting(
        "off", SWITCH, "Refuse to serve on a store that could lose an acknowledged entry, and wait for a replica."
    )
    master_keys: Mapping[str, bytes] = setting(
        "",
        KEYS,
        "Keys that tables' keys are derived from; the first is for new tables. Empty, embedded store: made and kept.",
        secret=True,
    )
    token_keys: Mapping[str, bytes] = setting(
        "", KEYS, "Keys that sign tokens; the first signs. Empty, embedded store: made and kept.", secret=True
    )
    api_keys: Mapping[str, str] = setting(
        "", API_KEYS, "Who may create tables. Empty: anybody, and a warning says so.", secret=True
    )
    auditor_keys: Mapping[str, str] = setting("", API_KEYS, "Who may read every log. Empty: nobody.", secret=True)
    reflection: bool = setting("on", SWITCH, "Whether gRPC reflection tells grpcurl and buf curl what the API is.")
    log_level: str = setting(
        "info", choice("debug", "info", "warning", "error"), "The least important lines that are logged."
    )
    log_format: str = setting(
        "auto", choice("auto", "json", "console"), "How. `auto`: for people on a terminal, JSON elsewhere."
    )
    message_bytes: int = setting("65536", whole(1024, 4_194_304), "The largest request.")
    seats_per_table: int = setting("8", whole(2, 100), "Seats that a table may have, if its game has as many.")
    thinking_seconds: float = setting(
        "0.05", seconds(0, 1), "The least that bots may be told to think: a table of bots alone writes no faster."
    )
    streams_per_token: int = setting(
        "8", whole(1, 10_000), "Streams that one token may hold open; without a token, one address."
    )
    commands_per_second: int = setting(
        "50", whole(1, 1_000_000), "Commands and readings of a log a second, of one token; without one, of one address."
    )
    commands_burst: int = setting("100", whole(1, 1_000_000), "As many may come at once, if none came before.")
    cached_tables: int = setting("10000", whole(1, 1_000_000), "Tables kept in memory.")
    cached_seconds: float = setting("600", seconds(1, 86_400), "How long a table that nobody asks for stays in memory.")
    watcher_queue: int = setting(
        "64", whole(1, 10_000), "Frames that wait for a slow watcher before it gets a full view."
    )
    heartbeat_seconds: float = setting("15", seconds(0.1, 30), "How long a stream may be silent before a heartbeat.")
    wait_seconds: float = setting("25", seconds(0.1, 50), "How long GetView may wait for a version.")
    stream_seconds: float = setting("3600", seconds(1, 86_400), "How old a stream gets before it is closed.")
    drain_seconds: float = setting(
        "0", seconds(0, 300), "How long to go on serving once health says NOT_SERVING, for load balancers to notice."
    )
    grace_seconds: float = setting("5", seconds(0.1, 300), "How long calls may take to finish when the service stops.")
    clock_grace_seconds: float = setting(
        "1", seconds(0, 60), "How long after a deadline a command still counts that came in time to a slow server."
    )
    forming_seconds: float = setting(
        "86400", seconds(0, 31_536_000), "How long a table may wait for people, once the last one came. 0: for ever."
    )
    ended_seconds: float = setting(
        "0",
        seconds(0, 315_360_000),
        "How long an ended table stays in the store; tables that ended while this was 0 stay. 0: for ever.",
    )
    janitor_redis_url: str = setting(
        "",
        URL,
        "The same store for a user who may forget ended tables. Empty: the one who may do everything else.",
        secret=True,
    )
    presence_grace_seconds: float = setting(
        "10", seconds(0, 300), "How long somebody whose last stream has ended still counts as connected."
    )
    presence_lease_seconds: float = setting(
        "60", seconds(1, 3_600), "How long those who were connected through a server that died still count."
    )
    append_attempts: int = setting("20", whole(1, 1_000), "Times to decide a command anew when others write first.")
    table_entries: int = setting("10000", whole(100, 1_000_000), "Entries that a table's log may have.")


def read(environment: Mapping[str, str]) -> Config:
    """Return the configuration that the environment asks for. Raises BadSetting."""
    _refuse_typing_errors(environment)
    texts = {name: environment.get(variable(name), "").strip() for name, _, _, _ in described()}
    values: dict[str, Any] = {
        name: _parse(name, kind, texts[name] or default) for name, kind, default, _ in described()
    }
    if not texts["run"]:
        values["run"] = values["data"] / "run"
    if not texts["grpc_listen"]:
        values["grpc_listen"] = _parse("run", LISTENER, f"unix:{values['run'] / 'service.sock'}")
    values["grpc_upstreams"] = values["grpc_upstreams"] or (values["grpc_listen"],)
    return Config(**values)


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + name.upper()


def described() -> Iterator[tuple[str, Kind, str, str]]:
    """Yield name, kind, default and sentence of every setting."""
    for field in fields(Config):
        yield field.name, field.metadata["kind"], field.metadata["default"], field.metadata["sentence"]


def page() -> str:
    """Return the page of all settings, in Markdown."""
    rows = [
        f"| `{variable(name)}` | {f'`{default}`' if default else ''} | {kind.says} | {sentence} |"
        for name, kind, default, sentence in described()
    ]
    return "\n".join((HEADING, "| variable | default | kind | what it sets |", "| --- | --- | --- | --- |", *rows, ""))


def _parse(name: str, kind: Kind, text: str) -> object:
    if not text and kind in (PATH, LISTENER):
        return None  # derived from others in `read`
    try:
        return kind.parse(text)
    except Unfit as why:
        raise BadSetting(f"{variable(name)}: {why}.") from None
    except (ValueError, KeyError):
        raise BadSetting(f"{variable(name)} must be: {kind.says}.") from None


def _refuse_typing_errors(environment: Mapping[str, str]) -> None:
    known = [variable(name) for name, _, _, _ in described()]
    for name in environment.keys() - set(known):
        if name.startswith(PREFIX) and (near := difflib.get_close_matches(name, known, 1, 0.9)):
            raise BadSetting(f"{name} is not a setting. {near[0]} is.")
