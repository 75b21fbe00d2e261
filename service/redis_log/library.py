"""The function library: what runs inside the store."""

from importlib.resources import files
from typing import Any

from redis.exceptions import NoPermissionError, ResponseError

from service.redis_log.unfit import UnfitStore

NAME = "stammtisch_3"
APPEND = f"{NAME}_append"
READ = f"{NAME}_read"
SWEEP = f"{NAME}_sweep"
FORGET = f"{NAME}_forget"
LAPSED = f"{NAME}_lapsed"
RELEASE = f"{NAME}_release"
CANARY = f"{NAME}_canary"
FORMAT = "1"  # of keys and values; a program that knows another one must leave the store alone
SOURCE = files("service.redis_log").joinpath("log.lua").read_text()
LOAD = ("FUNCTION", "LOAD", SOURCE)


def is_missing(answer: Any) -> bool:
    """Tell whether a function call failed because the library is not in the store."""
    return isinstance(answer, ResponseError) and "function not found" in str(answer).lower()


def check(answer: Any) -> None:
    """Raise UnfitStore where the library could not be loaded; one that is there already is as good."""
    if isinstance(answer, NoPermissionError):
        raise UnfitStore(
            f"the function library {NAME} is not in the store and this user may not load it: "
            f"run FUNCTION LOAD with service/redis_log/log.lua as a user who may ({answer})"
        )
    if isinstance(answer, ResponseError) and "already exists" not in str(answer):
        raise UnfitStore(f"Redis 7 or Valkey 8 is needed for the log's functions: {answer}")
