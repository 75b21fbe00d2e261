"""UnfitStore: what is wrong with a store that answers."""

from service.log import LogUnavailable


class UnfitStore(LogUnavailable):
    """The store can be reached but must not be used; the message says why and what to do."""
