"""How often the tests of this folder do what they do."""

import os
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")
WHOLE = os.environ.get("TORTURE") == "yes"


def rounds(whole: int, least: int) -> int:
    """The full count for `make torture`, else the least that fails on a broken build."""
    return whole if WHOLE else least


def some(items: Sequence[Item], every: int, start: int = 0) -> Sequence[Item]:
    """All of them for `make torture`, else each so-and-so-many-th."""
    return items if WHOLE else items[start % every :: every]
