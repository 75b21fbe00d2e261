"""Watched: a table that somebody of this process watches."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from service.log import Head, Push
from service.redis_log.subscriber import Subscriber

LOG = structlog.get_logger()


@dataclass(slots=True, eq=False)
class Watched:
    """Its inboxes, who hears its channel, and the newest head that was pushed."""

    table_id: str
    inboxes: list[Callable[[Push], None]] = field(default_factory=list)
    subscriber: Subscriber | None = None  # None while nobody hears the channel
    subscribing: asyncio.Lock = field(default_factory=asyncio.Lock)
    head: Head | None = None
    doubted: Head | None = None  # what had been pushed when the store was last seen to hold another head

    def begin(self, stored: Head) -> None:
        """Note what the store held once the channel was heard."""
        if self.head is None:  # otherwise a push came meanwhile, and is newer
            self.head = stored

    def push(self, push: Push) -> None:
        """Put a push into every inbox; one that fails harms no other."""
        for inbox in tuple(self.inboxes):
            try:
                inbox(push)
            except Exception:
                LOG.exception("an inbox failed, its push is lost", table=self.table_id)

    def misses(self, stored: Head) -> bool:
        """Tell whether a push was lost: in two looks the store holds a head that has not been pushed."""
        if stored == self.head:
            self.doubted = None
            return False
        lost = self.doubted is not None and self.doubted == self.head
        self.doubted = self.head
        if lost:
            self.head, self.doubted = stored, None
        return lost
