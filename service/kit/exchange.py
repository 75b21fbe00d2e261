"""Exchange: things put in random order where not everything may lie everywhere."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from service.kit.game import Draw

Item = TypeVar("Item")

PASSES = 8  # over all places; without a restriction one is a perfect shuffle


def exchanged(items: Sequence[Item], draw: Draw, fits: Callable[[Sequence[Item]], bool]) -> tuple[Item, ...]:
    """Return the items in a random order that fits, as the one does that they come in.

    Two change places, again and again, unless the outcome does not fit. No order that fits is favoured by that.
    """
    changed = list(items)
    for turn in range(PASSES):
        for i in range(len(changed) - 1, 0, -1):
            j = draw.below(i + 1, f"exchange/{turn}/{i}")
            changed[i], changed[j] = changed[j], changed[i]
            if not fits(changed):
                changed[i], changed[j] = changed[j], changed[i]
    return tuple(changed)


def portions(items: Sequence[Item], sizes: Sequence[int]) -> tuple[tuple[Item, ...], ...]:
    """Divide items into portions of these sizes, in order."""
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    return tuple(tuple(items[end - size : end]) for end, size in zip(ends, sizes, strict=True))
