"""Trouble: why the program cannot start or go on."""


class Trouble(Exception):
    """A sentence that says what is wrong, and one that says what to do. Shown to people as it stands."""
