"""The Python client of Stammtisch."""

from stammtisch.client import Client, Created, connect
from stammtisch.contribution import Contribution
from stammtisch.errors import NotAllowed, NotFound, Refused, Stale, StammtischError, TableEnded, Unavailable
from stammtisch.patience import Patience
from stammtisch.seat import Done, Frame, Seat, Seen

__all__ = [
    "Client",
    "Contribution",
    "Created",
    "Done",
    "Frame",
    "NotAllowed",
    "NotFound",
    "Patience",
    "Refused",
    "Seat",
    "Seen",
    "Stale",
    "StammtischError",
    "TableEnded",
    "Unavailable",
    "connect",
]
