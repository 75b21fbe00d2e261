"""What an audit ends with when it does not end well. Both are shown to people as they stand."""


class Differs(Exception):
    """The log is not what it claims to be."""

    def __init__(self, where: int | str, sentence: str) -> None:
        """Take the version of the entry, or the name of another part of the file, and what differs there."""
        super().__init__(f"version {where}: {sentence}" if isinstance(where, int) else f"{where}: {sentence}")


class Unusable(Exception):
    """Nothing can be said about this input; the sentence says why, and what to do."""
