"""So much work is done at once, a little waits, and everybody else is told to come again."""

import threading

import pytest

from app.outside.work_queue import WorkQueue, WorkQueueFull


def test_whoever_waits_gets_the_next_turn() -> None:
    queue = WorkQueue(at_once=1, waiting=1, patience=60.0)
    done: list[str] = []

    def work() -> None:
        with queue.turn():
            done.append("second")

    with queue.turn():
        waiting = threading.Thread(target=work)
        waiting.start()
        done.append("first")
    waiting.join(60)
    assert done == ["first", "second"]


def test_nobody_waits_behind_as_many_as_may_wait() -> None:
    queue = WorkQueue(at_once=1, waiting=0, patience=60.0)
    with queue.turn(), pytest.raises(WorkQueueFull), queue.turn():
        pass


def test_nobody_waits_for_ever() -> None:
    queue = WorkQueue(at_once=1, waiting=1, patience=0.01)
    with queue.turn():
        for _ in range(2):  # who went away has left its place
            with pytest.raises(WorkQueueFull, match="Try again in a few seconds"), queue.turn():
                pass


def test_a_turn_ends_with_what_goes_wrong_in_it() -> None:
    queue = WorkQueue(at_once=1, waiting=0, patience=0.01)
    for _ in range(3):
        with pytest.raises(ValueError, match="mine"), queue.turn():
            raise ValueError("mine")
