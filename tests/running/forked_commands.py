"""Commands of Python that begin as forks of one process, which imported the software for all."""

import atexit
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.running import fork_server
from tests.running.start_orders import ForkedProcess, StartOrder, receive, send

ROOT = Path(__file__).resolve().parents[2]
_LOOKS_EVERY = 0.02  # seconds


class _ForkServer:
    """The process that forks, for the tests of this process, which ends with it."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._turn = threading.Lock()
        with theirs:
            number = str(theirs.fileno())
            line = [sys.executable, "-m", fork_server.__name__, number, fork_server.PLACE]
            self._process = subprocess.Popen(
                line,
                cwd=ROOT,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        atexit.register(self._end)

    def ask(self, document: object, files: Sequence[int] = ()) -> Any:
        """What it answers: which process it began, or how one ended."""
        with self._turn:
            send(self._line, document, files)
            answer, _ = receive(self._line)
        return answer

    def _end(self) -> None:
        self._line.close()
        self._process.wait()


@cache
def _fork_server() -> _ForkServer:
    return _ForkServer()


class ForkedCommand(ForkedProcess):
    """A command such as ``python -m app.cli``: as ``Popen`` has it, but that it imports nothing.

    Its parent is the process that forked it, which is asked how it ended. ``spares`` says how
    many of the processes that it starts itself, such as those that answer, are begun so too; a
    fresh one is begun as ``Popen`` does it.
    """

    _is_forked = False

    def __init__(self, *given: Any, spares: int = 0, is_fresh: bool = False, **more: Any) -> None:
        self._spares, self._is_fresh = spares, is_fresh or sys.platform != "linux"
        super().__init__(*given, **more)

    def _fork(self, order: StartOrder, files: Sequence[int]) -> int | None:
        if self._is_fresh:
            return None
        full = order._replace(
            environment=dict(os.environ) if order.environment is None else order.environment,
            folder=order.folder or str(Path.cwd()),
            spares=self._spares,
        )
        self._is_forked = True
        return int(_fork_server().ask(full, files))

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if not self._is_forked:
            found: tuple[int, int] = super()._try_wait(wait_flags)  # type: ignore[misc]
            return found
        while True:
            pid, status = _fork_server().ask(self.pid)
            if pid or wait_flags & os.WNOHANG:
                return pid, status
            time.sleep(_LOOKS_EVERY)

    def _internal_poll(self, *given: Any, **more: Any) -> int | None:
        if not self._is_forked:
            code: int | None = super()._internal_poll(*given, **more)  # type: ignore[misc]
            return code
        if self.returncode is None:
            pid, status = self._try_wait(os.WNOHANG)
            if pid == self.pid:
                self._handle_exitstatus(status)  # type: ignore[attr-defined]
        return self.returncode
