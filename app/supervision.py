"""The log that all processes of the site write, and the supervision of the worker.

The supervised process is started again when it dies, and ends with its supervisor.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Self

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds until it is begun anew; twice as long each time
STEADY = 60.0  # who went on for so many seconds is begun anew after the first pause
PATIENCE = 10.0  # seconds that it is given to end, once it is told to

_log = logging.getLogger(__name__)
_FORMAT = "%(asctime)s %(levelname)s [%(process)d] %(name)s: %(message)s"


class _UtcFormatter(logging.Formatter):
    converter = staticmethod(time.gmtime)


def start_log() -> None:
    """Write the log of this process to standard error, with the time in UTC and the process id."""
    if logging.root.handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(_UtcFormatter(_FORMAT, "%Y-%m-%dT%H:%M:%SZ"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("app").setLevel(logging.INFO)


class Supervisor:
    """Keeps one process running while the block lasts.

    It holds the other end of the process's standard input, and never writes: whoever finds that
    closed knows that the supervisor is gone, though it were killed. See ``call_at_end_of_input``.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._name, self._command, self._env = name, command, env
        self._lock, self._over = threading.Lock(), threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()

    def __enter__(self) -> Self:
        self._begin()
        self._thread = threading.Thread(target=self._watch, name=f"{self._name}'s", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if os.getpid() != self._owner:
            return
        self._over.set()
        with self._lock:
            if self._process is not None:
                _end(self._process)

    @property
    def pid(self) -> int | None:
        """The process as it stands; None while none does."""
        process = self._process
        return None if process is None or process.returncode is not None else process.pid

    def _watch(self) -> None:
        pause = FIRST_PAUSE
        while not self._over.is_set():
            began, pid = time.monotonic(), self.pid
            code = self._wait()
            if self._over.is_set():
                return
            if time.monotonic() - began > STEADY:
                pause = FIRST_PAUSE
            if self._over.wait(pause):  # whoever ends a whole group ends the process first
                return
            if pid is not None:
                _log.error(
                    "%s %d died (%s); starting another after %g s",
                    *(self._name, pid, exit_words(code), pause),
                )
            pause = min(2 * pause, LONGEST_PAUSE)
            self._begin()

    def _wait(self) -> int:
        if self._process is None:
            return -1
        code = self._process.wait()
        _close(self._process)
        return code

    def _begin(self) -> None:
        with self._lock:
            if self._over.is_set():
                return
            try:
                self._process = subprocess.Popen(  # noqa: S603 — our own command
                    self._command, env=self._env, stdin=subprocess.PIPE
                )
            except OSError as error:  # too many processes, or no memory; there may be some later
                self._process = None
                _log.error("%s could not be started: %s", self._name, error)
            else:
                _log.info("%s %d started", self._name, self._process.pid)


def exit_words(code: int | None) -> str:
    """Name how a process ended: ``exit 1``, or the signal such as ``SIGKILL``."""
    if code is None:
        return "unknown"
    if code >= 0:
        return f"exit {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    _close(process)


def _close(process: "subprocess.Popen[bytes]") -> None:
    if process.stdin is not None:
        process.stdin.close()


def call_at_end_of_input(do: Callable[[], object]) -> None:
    """Do something once standard input ends, as it does when the supervisor is gone."""

    descriptor = sys.stdin.fileno()

    def wait() -> None:
        while os.read(descriptor, 1024):  # sys.stdin would be locked when the process ends
            pass
        do()

    threading.Thread(target=wait, name="supervisor", daemon=True).start()
