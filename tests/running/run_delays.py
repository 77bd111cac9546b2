"""How long processes could have run and were given no processor: what a busy machine costs them."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")


def worker_of(leader: int) -> list[int]:
    """The process of the worker among those that one leads."""
    found = []
    for process in _PROC.glob("[0-9]*"):
        with suppress(OSError):
            line = (process / "cmdline").read_bytes()
            if os.getpgid(int(process.name)) == leader and b"--supervised" in line:
                found.append(int(process.name))
    return found


class RunDelays:
    """For how long each thread of some processes waits for a processor from now on.

    It is what the kernel counts. Threads that are not there at both ends do not count.
    """

    def __init__(self, processes: Iterable[int]) -> None:
        self._before = {process: _waited(process) for process in processes}

    def longest(self, processes: Iterable[int]) -> float:
        """The seconds for which the one of their threads waited that waited longest."""
        waited = (
            now - self._before[process][task]
            for process in processes
            for task, now in _waited(process).items()
            if task in self._before[process]
        )
        return max(waited, default=0) / 1e9


def _waited(process: int) -> dict[str, int]:
    found = {}
    for task in (_PROC / str(process) / "task").glob("*"):
        with suppress(OSError):
            found[task.name] = int((task / "schedstat").read_text().split()[1])
    return found
