"""Command line: what `python -m service.audit` is asked to do."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from service.audit import exported, source
from service.audit.exported import Exported
from service.audit.show import show
from service.audit.trouble import Differs, Unusable
from service.audit.verify import told, verify
from service.entry import TABLE_ID

HOLDS, DIFFERS, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
TOKEN, REDIS_URL = "STAMMTISCH_TOKEN", "STAMMTISCH_REDIS_URL"  # variables of the environment
TOKEN_CHARACTERS_MAX = 4096

ABOUT = """\
Export the log of a table, verify it, show it as a game record.

  python -m service.audit export 5c.abc… game.jsonl --server 127.0.0.1:8080
  python -m service.audit verify game.jsonl
  python -m service.audit show game.jsonl --seat 2 --at 17
"""
EXITS = """\
exit codes: 0 all that was checked holds; 1 something differs, and the message names the first entry;
2 the input cannot be used"""


def main(arguments: Sequence[str]) -> int:
    """Do what the command line says; return the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        asked.do(asked)
        sys.stdout.flush()
    except Differs as difference:
        print(f"DIFFERS {difference}", file=sys.stderr)
        return DIFFERS
    except Unusable as why:
        print(why, file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNUSABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    return HOLDS


def _export(asked: argparse.Namespace) -> None:
    log = _fetched(asked, asked.table)
    try:
        with asked.file.open("xb") as file:
            file.write(exported.write(log))
    except FileExistsError:
        raise Unusable(f"{asked.file} is there already: give another name") from None
    except OSError as error:
        raise Unusable(f"{asked.file}: {error.strerror}") from None
    *_, head = log.heads()
    status = exported.status(exported.parsed(log))
    print(f"Wrote {len(log.entries)} entries of a {status} table to {asked.file}.")
    print(f"Head: version {head.version}, hash {head.hash.hex()}")


def _verify(asked: argparse.Namespace) -> None:
    before = source.file(asked.origin) if asked.origin else None
    for sentence in told(verify(source.file(asked.file), before)):
        print(sentence)


def _show(asked: argparse.Namespace) -> None:
    log = _fetched(asked, asked.log) if asked.server or asked.redis else exported.read(source.file(Path(asked.log)))
    for line in show(log, asked.seat, asked.at):
        print(line)


def _fetched(asked: argparse.Namespace, table_id: str) -> Exported:
    if TABLE_ID.fullmatch(table_id) is None:
        raise Unusable(f"{table_id!a} is not the id of a table: give the one that CreateTable answered with")
    if asked.redis:
        return asyncio.run(source.store(_redis_url(asked.redis), table_id))
    return asyncio.run(source.server(asked.server, table_id, _token(asked.token_file)))


def _redis_url(url: str) -> str:
    if url == "-":
        return os.environ.get(REDIS_URL, "")
    if "@" in url:
        raise Unusable(f"--redis: a password there can be read by everybody: set {REDIS_URL} and give `--redis -`")
    return url


def _token(file: Path | None) -> str | None:
    """Return the token; never from the command line, which everybody on the machine can read."""
    token = source.file(file).decode("ascii", "replace") if file else os.environ.get(TOKEN, "")
    token = token.strip()
    if len(token) > TOKEN_CHARACTERS_MAX or not token.isascii() or not token.isprintable() or " " in token:
        raise Unusable(f"what {file or TOKEN} holds is no token")
    return token or None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m service.audit", description=ABOUT, epilog=EXITS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="command")

    export = commands.add_parser("export", help="write a table's log to one file", epilog=EXITS)
    export.add_argument("table", help="the table's id")
    export.add_argument("file", type=Path, help="a file that is not there yet")
    _add_source(export, required=True)
    export.set_defaults(do=_export)

    verify = commands.add_parser("verify", help="check a file from that file alone", epilog=EXITS)
    verify.add_argument("file", type=Path, help="what `export` wrote")
    verify.add_argument(
        "--origin", type=Path, metavar="FILE", help="of a fork: what `export` wrote of the table that it goes on from"
    )
    verify.set_defaults(do=_verify)

    show = commands.add_parser("show", help="print a readable game record, verifying it on the way", epilog=EXITS)
    show.add_argument("log", help="what `export` wrote; or a table's id, with --server or --redis")
    _add_source(show, required=False)
    show.add_argument("--seat", type=int, help="only what this seat saw")
    show.add_argument("--at", type=int, metavar="VERSION", help="this version, with the view and what could be done")
    show.set_defaults(do=_show)
    return parser


def _add_source(parser: argparse.ArgumentParser, *, required: bool) -> None:
    sources = parser.add_mutually_exclusive_group(required=required)
    sources.add_argument("--server", metavar="ADDRESS", help="a running service: host:port, http:// or https://")
    sources.add_argument("--redis", metavar="URL", help=f"the service's store; `-` takes the URL from ${REDIS_URL}")
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help=f"the token of a seat or an auditor; otherwise from ${TOKEN}"
    )
