"""The command line: `python -m service`."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from service import play
from service.config import BadSetting, page, read
from service.house.envoy import rendered
from service.house.house import Serve, keep_house, keep_service
from service.logs import start_logs
from service.trouble import Trouble

INTERRUPTED = 130


def main(arguments: Sequence[str], serve: Serve) -> int:
    """Do what the command line says; return the exit code."""
    if arguments[:1] == ["play"]:
        return play.main(arguments[1:])
    command = _parser().parse_args(arguments)
    try:
        _do(command, serve)
    except (BadSetting, Trouble) as why:
        print(why, file=sys.stderr)
        return 1
    except (KeyboardInterrupt, asyncio.CancelledError):  # the second Ctrl-C
        return INTERRUPTED
    return 0


def _do(command: argparse.Namespace, serve: Serve) -> None:
    if command.name == "settings":
        return print(page(), end="")
    config = read(os.environ)
    if command.name == "envoy":
        return print(rendered(config, command.files), end="")
    start_logs(config)
    if command.name == "serve":
        return keep_service(config, serve)
    return keep_house(config, serve)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m service", description="Stammtisch, a game-state service for card games."
    )
    commands = parser.add_subparsers(dest="name", metavar="command")
    commands.add_parser("run", help="store, service and front door, until Ctrl-C (the default)")
    commands.add_parser("serve", help="the gRPC service alone, on an external store")
    commands.add_parser("play", help="play whole games at random, against a service that runs")
    commands.add_parser("settings", help="print every setting, as Markdown")
    envoy = commands.add_parser("envoy", help="print the front door's configuration")
    envoy.add_argument("--files", default=".", help="where Envoy will find api.binpb, openapi.json and index.html")
    return parser


if __name__ == "__main__":
    from service.serve import serve

    sys.exit(main(sys.argv[1:], serve))
