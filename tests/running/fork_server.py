"""A process that has imported all of the software, and becomes commands of Python by forking.

To import it takes most of what a site costs to start. What is forked is a process like any other:
with a command line, an environment, a folder, files, a session and memory of its own.
"""

import ctypes
import fcntl
import gc
import os
import runpy
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from multiprocessing import util
from pathlib import Path
from typing import Any

from app.module_imports import imports
from tests.running.start_orders import ForkedProcess, StartOrder, receive, send

# What a command imports when it starts, and when it first uses a database, a loop, an address.
IMPORTED = (
    *("app.cli", "app.server", "email_validator", "uvloop", "uvicorn.server", "psycopg"),
    *("sqlalchemy.dialects.sqlite.pysqlite", "sqlalchemy.dialects.postgresql.psycopg"),
)
PLACE = "." * 4_000  # a process has one for its command line once for all, which /proc reads
_ABOVE = 200  # numbers that no order asks for


def main() -> None:
    """Become what is ordered, and tell how it ended, until nobody is there to order."""
    line = socket.socket(fileno=int(sys.argv[1]))
    _import_all()
    while True:
        asked, files = receive(line)
        if asked is None:
            return
        if isinstance(asked, int):
            send(line, _ended(asked))
            continue
        pid = os.fork()
        if pid == 0:
            line.close()
            become(StartOrder(*asked), files)
        for file in files:
            os.close(file)
        send(line, pid)


def _ended(pid: int) -> tuple[int, int]:
    try:
        return os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:  # it was told already
        return pid, 0


def _import_all() -> None:
    with imports():
        for module in IMPORTED:
            import_module(module)
    del sys.modules["app.cli"]  # it is run as the module of each process
    gc.collect()
    gc.freeze()


def become(order: StartOrder, files: Sequence[int]) -> None:
    """Be that process to its end, which is raised."""
    _take(files, order.numbers)
    if order.has_session:
        os.setsid()
    if order.folder is not None:
        os.chdir(order.folder)
    if order.environment is not None:
        os.environ.clear()
        os.environ.update(order.environment)
    tempfile.tempdir = None  # which was found by the environment
    _show([sys.executable, *order.words])
    how, what, *words = order.words
    sys.argv, sys.path[0] = [how, *words], str(Path.cwd()) if how == "-m" else ""
    if order.spares:
        _keep_spares(order.spares)
    if how == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(what, {"__name__": "__main__"})
    sys.exit()


def _take(files: Sequence[int], numbers: Sequence[int]) -> None:
    above = [fcntl.fcntl(file, fcntl.F_DUPFD, _ABOVE) for file in files]
    for file in files:
        os.close(file)
    for file, number in zip(above, numbers, strict=True):
        os.dup2(file, number)
        os.close(file)


def _show(words: Sequence[str]) -> None:
    """Let /proc tell this command line, which tells tests what a process is."""
    place = ctypes.c_void_p.in_dll(ctypes.CDLL(None), "program_invocation_name").value
    room = len(Path("/proc/self/cmdline").read_bytes())
    line = "\0".join(words).encode()[: room - 1]
    ctypes.memmove(place or 0, line.ljust(room, b"\0"), room)


Spare = tuple[int, socket.socket]


def _keep_spares(count: int) -> None:
    """Fork so often before this process is what was ordered: what it starts, they become.

    They are its own children. What it starts after them starts as it does outside of tests.
    """
    spares: list[Spare] = []
    for _ in range(count):
        spares.append(_spare(spares))
    spawn = util.spawnv_passfds

    class SpareProcess(ForkedProcess):
        """A process beside the one that answers, such as the worker."""

        def _fork(self, order: StartOrder, files: Sequence[int]) -> int | None:
            return _use(spares, order, files)

    def spawned(path: Any, words: list[str], passed: Sequence[int]) -> int:
        files = [0, 1, 2, *passed]
        order = StartOrder(words[1:], files)
        is_taken = order.is_taken and "--multiprocessing-fork" in words
        return (is_taken and _use(spares, order, files)) or spawn(path, words, passed)

    subprocess.Popen = SpareProcess  # type: ignore[misc]
    util.spawnv_passfds = spawned  # type: ignore[assignment]


def _spare(others: Sequence[Spare]) -> Spare:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid:
        theirs.close()
        return pid, ours
    for _, line in others:
        line.close()
    ours.close()
    asked, files = receive(theirs)
    theirs.close()
    if asked is None:  # the site is gone
        os._exit(0)
    become(StartOrder(*asked), files)
    raise AssertionError


def _use(spares: list[Spare], order: StartOrder, files: Sequence[int]) -> int | None:
    if not spares:
        return None
    pid, line = spares.pop(0)
    with line:
        send(line, order, files)
    return pid


if __name__ == "__main__":
    main()
