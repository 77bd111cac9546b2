"""Threads that answer for an event loop."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

Result = TypeVar("Result")
_Call = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class ThreadPool:
    """A number of threads, which run one call each at a time.

    A call that hangs keeps its thread, but not the process from ending: that is why this is no
    ``ThreadPoolExecutor``, whose threads are waited for when the interpreter ends.
    """

    def __init__(self, name: str, count: int) -> None:
        self._calls: SimpleQueue[_Call] = SimpleQueue()
        for number in range(count):
            Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def run(self, call: Callable[[], Result]) -> "asyncio.Future[Result]":
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._calls.put((call, future))
        return future

    def _work(self) -> None:
        while True:
            call, future = self._calls.get()
            result, error = None, None
            try:
                result = call()
            except BaseException as raised:  # whoever waits is told, and the thread goes on
                error = raised
            with suppress(RuntimeError):  # the loop may have ended meanwhile
                future.get_loop().call_soon_threadsafe(_settle, future, result, error)
            del call, future, result, error  # nothing is held while there is nothing to do


def _settle(future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
