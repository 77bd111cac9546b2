"""What something costs, in seconds of CPU."""

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
_TRIES = 3


def least_cpu(work: Callable[[], Result], most: float) -> tuple[float, Result]:
    """The least that some work took, and its result; tried again while it is over a bound.

    A loaded machine makes the same work dearer now and then, which says nothing of the work.
    """
    least, result = _cpu(work)
    for _ in range(_TRIES - 1):
        if least > most:
            least = min(least, _cpu(work)[0])
    return least, result


def _cpu(work: Callable[[], Result]) -> tuple[float, Result]:
    began = time.process_time()
    result = work()
    return time.process_time() - began, result
