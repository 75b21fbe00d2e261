"""Logs: lines of JSON, or for people, on standard error, with what the context has bound."""

import logging
import sys

import structlog

from service.config import Config

# What a line may carry. All else is left out, so that no token, card, seed or name gets in by accident.
KEYS = frozenset(
    {
        *("event", "level", "timestamp", "exception", "exc_info", "error", "why", "reference"),
        *("request", "table", "game", "seat", "role", "rpc", "code", "reason", "version", "known", "found"),
        *("address", "setting", "limit", "count", "entries", "seconds"),
    }
)


def start_logs(config: Config) -> None:
    """Make structlog write as configured."""
    console = config.log_format == "console" or (config.log_format == "auto" and sys.stderr.isatty())
    ending: list[structlog.typing.Processor] = (
        [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]  # others show variables
        if console
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            keep_known,
            *ending,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, config.log_level.upper())),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


def keep_known(_logger: object, _method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Leave out every key that is not on the list, and say which."""
    unknown = sorted(line.keys() - KEYS)
    kept = {key: value for key, value in line.items() if key in KEYS}
    return {**kept, "left_out": unknown} if unknown else kept
