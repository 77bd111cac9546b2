"""Several people acting at one moment: real threads, each with a context of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from flask import Flask


def at_once(app: Flask, *works: Callable[[], Any]) -> list[Any]:
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
    def __init__(self, parties: int = 2, patience: float = 0.3) -> None:
        self._barrier = threading.Barrier(parties)
        self._patience = patience

    def wait(self) -> None:
        try:
            self._barrier.wait(self._patience)
        except threading.BrokenBarrierError:
            return

    def before(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def met(*arguments: Any, **options: Any) -> Any:
            self.wait()
            return function(*arguments, **options)

        return met
