"""Frames: what has been encoded for one watcher is not encoded again for the next."""

from collections import OrderedDict
from collections.abc import Callable, Hashable

FRAMES_MAX = 4_096


class Frames:
    """The newest encoded frames."""

    def __init__(self) -> None:
        self._frames: OrderedDict[Hashable, bytes] = OrderedDict()

    def encoded(self, key: Hashable, encode: Callable[[], bytes]) -> bytes:
        """Return the frame of a key, encoding it if it is new."""
        frame = self._frames.get(key)
        if frame is None:
            frame = self._frames[key] = encode()
            if len(self._frames) > FRAMES_MAX:
                self._frames.popitem(last=False)
        return frame
