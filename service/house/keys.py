"""The keys of a house without configured ones: made at the first start, kept in the data directory, never shown."""

import base64
import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from service.config import Config, variable
from service.house.store import store_in
from service.setting import KEY_BYTES, KEYS
from service.trouble import Trouble

OWN = "own"  # the id of a key that a house made for itself


def with_keys(config: Config) -> Config:
    """Return the configuration with master and token keys. Raises Trouble where they must be configured."""
    if not config.redis_url:
        return replace(
            config,
            master_keys=config.master_keys or _kept(config.data, "master.key"),
            token_keys=config.token_keys or _kept(config.data, "token.key"),
        )
    for name in ("master_keys", "token_keys"):
        if not getattr(config, name):
            raise Trouble(
                f"With an external store every replica needs the same {variable(name)}, and it is empty. "
                f'Make one with `echo "2026a:$(openssl rand -base64 {KEY_BYTES})"` and keep it: '
                "without it no table can be read again."
            )
    return config


def _kept(data: Path, name: str) -> Mapping[str, bytes]:
    path = data / name
    try:
        if not path.exists():
            if store_in(data).exists():
                raise Trouble(
                    f"The key {path} is missing, and the store beside it was written with a key. Put the file back, "
                    f"or set {variable(name.replace('.', '_') + 's')}: with another key its tables cannot be used."
                )
            _make(path)
        keys: Mapping[str, bytes] = KEYS.parse(path.read_text().strip())
    except (OSError, ValueError) as why:
        raise Trouble(f"The key {path} cannot be used: {why}. Put the file back as it was.") from None
    if not keys:
        raise Trouble(f"The key {path} is empty. Put the file back as it was: without it no table can be read again.")
    return keys


def _make(path: Path) -> None:
    """Write the whole key or nothing, so that a crash never leaves half of it."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{OWN}:{base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()}\n")
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
