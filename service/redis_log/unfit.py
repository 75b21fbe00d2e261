"""UnfitStore: what is wrong with a store that answers."""

from redis.exceptions import NoPermissionError

from service.log import LogUnavailable

# How Valkey and Redis 7 say it of a command that a function calls.
INSIDE_A_FUNCTION = ("ACL failure in script", "The user executing the script can't")


class UnfitStore(LogUnavailable):
    """The store can be reached but must not be used; the message says why and what to do."""


class UnfitJanitor(UnfitStore):
    """The way in for whoever forgets ended tables must not be used."""


def refused(error: Exception) -> LogUnavailable:
    """Return what to raise where the store has refused a call."""
    if isinstance(error, NoPermissionError) or any(sentence in str(error) for sentence in INSIDE_A_FUNCTION):
        return UnfitStore(f"the store's user lacks a right, see deploy/redis/stammtisch.acl: {error}")
    return LogUnavailable(f"the store refuses, nothing was done; try again later: {error}")
