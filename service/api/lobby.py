"""The lobby's pages: which table comes after which, in words that mean nothing to a client."""

import base64
import binascii

from service.api.errors import invalid
from service.entry import TABLE_ID
from service.games import GAMES
from service.log import Place

PAGE_DEFAULT = 20
PAGE_MAX = 50
TOKEN_LENGTH_MAX = 100


def game(name: str) -> str:
    """Return the name of a game."""
    if name not in GAMES:
        raise invalid("game", f"Send one of the games that ListGames names: {', '.join(GAMES)}.")
    return name


def page_size(value: int) -> int:
    """Return how many tables a page may have."""
    if not 0 <= value <= PAGE_MAX:
        raise invalid("page_size", f"Send 1 to {PAGE_MAX}, or 0 for {PAGE_DEFAULT}.")
    return value or PAGE_DEFAULT


def place(token: str) -> Place | None:
    """Return the place that a token means; None for the beginning."""
    if not token:
        return None
    try:
        since, _, table_id = _decoded(token).partition(" ")
        return int(since), _checked(table_id)
    except ValueError:
        raise invalid("page_token", "Send the next_page_token of the page before, or none to begin anew.") from None


def page_token(after: Place | None) -> str:
    """Return the token that means a place; nothing where there is no other page."""
    return base64.urlsafe_b64encode("{} {}".format(*after).encode()).decode() if after else ""


def _decoded(token: str) -> str:
    if len(token) > TOKEN_LENGTH_MAX:
        raise ValueError(token)
    try:
        return base64.b64decode(token.encode(), b"-_", validate=True).decode()
    except binascii.Error as error:
        raise ValueError(token) from error


def _checked(table_id: str) -> str:
    if TABLE_ID.fullmatch(table_id) is None:
        raise ValueError(table_id)
    return table_id
