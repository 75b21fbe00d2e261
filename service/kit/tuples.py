"""Tuples as they change: each function returns a new one."""

from typing import TypeVar

Item = TypeVar("Item")


def with_item(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """Put an item in the place of the one at the index."""
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def without(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """Leave out the item, once."""
    index = items.index(item)
    return items[:index] + items[index + 1 :]
