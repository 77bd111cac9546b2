"""Several people acting at one moment: real threads, each with a context of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from flask import Flask


def at_once(app: Flask, *works: Callable[[], Any]) -> list[Any]:
    """What each work gave or raised; all begin when all are ready."""
    ready = threading.Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        with app.app_context():
            ready.wait(30)
            try:
                return work()
            except Exception as error:
                return error

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


class Meeting:
    """A place where those who come wait for each other, but not for long.

    Where a lock lets only one come at a time, it goes on alone; without the lock all meet
    there, with what they read before, so that a missing lock shows in one round.
    """

    def __init__(self, parties: int = 2, patience: float = 0.3) -> None:
        self._barrier = threading.Barrier(parties)
        self._patience = patience

    def wait(self) -> None:
        """Wait for the others, or until patience is at its end."""
        try:
            self._barrier.wait(self._patience)
        except threading.BrokenBarrierError:
            return

    def before(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with a meeting before it."""

        def met(*arguments: Any, **options: Any) -> Any:
            self.wait()
            return function(*arguments, **options)

        return met
