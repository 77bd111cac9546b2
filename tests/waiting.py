"""Wait for a condition: a busy machine is slow, so no test waits for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

# A hang ends here, in seconds. Nothing is expected to take this long.
DEADLINE = 240.0
Found = TypeVar("Found")


def wait_until(look: Callable[[], Found | None], every: float = 0.05) -> Found:
    """Call ``look`` until it returns something true, and return that.

    Raises AssertionError after DEADLINE seconds.
    """
    until = time.monotonic() + DEADLINE
    while not (found := look()):
        assert time.monotonic() < until, f"still {found!r} after {DEADLINE:.0f} s"
        time.sleep(every)
    return found
