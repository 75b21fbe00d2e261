"""The API: bytes become commands, tokens become seats, and whatever goes wrong becomes a status."""
