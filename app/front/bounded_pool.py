"""Threads of which so many requests wait for one, and no more."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from app.front.request_problems import BUSY, ClientGone, RequestRefused
from app.front.thread_pool import ThreadPool

THREADS = 4  # of a process; more than work and wait in its queue, so that one is left for readers

Result = TypeVar("Result")


class PoolLimits(NamedTuple):
    """Threads, requests that wait for one, seconds that they do, and seconds for an answer."""

    threads: int = THREADS
    waiting: int = 16
    patience: float = 5.0
    seconds: float = 60.0


class BoundedPool:
    """Threads that are given to requests in turn."""

    def __init__(self, name: str, limits: PoolLimits) -> None:
        self._limits = limits
        self._threads = ThreadPool(name, limits.threads)
        self._free = asyncio.Semaphore(limits.threads)
        self._waiting = 0

    async def begin(
        self, call: Callable[[], Result], until_gone: Callable[[], Awaitable[object]]
    ) -> "asyncio.Future[Result]":
        """What a call will give, once a thread is there for it, which it keeps until it returns.

        ``until_gone`` ends when whoever asks is gone. Raises RequestRefused, and ClientGone.
        """
        await self._take_thread(until_gone)
        made = self._threads.run(call)
        made.add_done_callback(lambda _: self._free.release())
        return made

    async def _take_thread(self, until_gone: Callable[[], Awaitable[object]]) -> None:
        if not self._free.locked():
            await self._free.acquire()  # at once
            return
        if self._waiting >= self._limits.waiting:
            raise RequestRefused(BUSY)
        self._waiting += 1
        try:
            await self._wait_for_thread(until_gone)
        finally:
            self._waiting -= 1

    async def _wait_for_thread(self, until_gone: Callable[[], Awaitable[object]]) -> None:
        turn = asyncio.ensure_future(self._free.acquire())
        gone = asyncio.ensure_future(until_gone())
        try:
            await asyncio.wait(
                (turn, gone),
                timeout=self._limits.patience,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            gone.cancel()
            if not turn.done():
                turn.cancel()
        if not turn.done() or turn.cancelled():
            raise ClientGone if gone.done() else RequestRefused(BUSY)
