"""Turns for work that costs much, which all that is asked without an account shares."""

from collections.abc import Iterator
from contextlib import contextmanager

from app.outside.work_queue import ASKING, QUEUE, WorkQueueFull
from app.problems import use_case_codes
from app.services.refusals import CapacityExhausted


@contextmanager
def work_turn() -> Iterator[None]:
    """A turn at work, while the block lasts; CapacityExhausted where there is none soon."""
    try:
        with QUEUE.turn():
            yield
    except WorkQueueFull as error:
        raise CapacityExhausted(use_case_codes.WORK_BUSY, str(error)) from error


@contextmanager
def asking_turn() -> Iterator[None]:
    """A turn to ask servers elsewhere, which one at a time has; CapacityExhausted for others."""
    try:
        with ASKING.turn(), work_turn():
            yield
    except WorkQueueFull as error:
        raise CapacityExhausted(use_case_codes.WORK_BUSY, str(error)) from error
