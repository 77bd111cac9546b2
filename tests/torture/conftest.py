"""How often the tests of this folder do what they do."""

import os
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar
from zlib import crc32

Item = TypeVar("Item")
WHOLE = os.environ.get("TORTURE") == "yes"


def rounds(whole: int, least: int) -> int:
    """The full count for `make torture`, else the least that fails on a broken build."""
    return whole if WHOLE else least


def some(items: Sequence[Item], every: int, start: int = 0) -> Sequence[Item]:
    """All of them for `make torture`, else each so-and-so-many-th."""
    return items if WHOLE else items[start % every :: every]


def one_of_each(items: Iterable[Item], kind: Callable[[Item], Hashable]) -> list[Item]:
    """All of them for `make torture`, else one of each kind: which one, the kind's name says."""
    if WHOLE:
        return [*items]
    kinds: dict[Hashable, list[Item]] = defaultdict(list)
    for item in items:
        kinds[kind(item)].append(item)
    return [alike[crc32(str(name).encode()) % len(alike)] for name, alike in kinds.items()]
