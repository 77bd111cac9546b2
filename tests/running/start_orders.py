"""What process there is to be, told to one that becomes it; and ``Popen`` that tells it so."""

import json
import os
import socket
from collections.abc import Sequence
from inspect import signature
from subprocess import Popen
from typing import Any, NamedTuple

_LARGEST = 128 * 1024  # octets of an order; an environment takes most of it
_MOST_FILES = 64
_EXECUTE = signature(Popen._execute_child)  # type: ignore[attr-defined]  # it has no types


class StartOrder(NamedTuple):
    """A process that there is to be; the files that come with it are to have these numbers."""

    words: list[str]  # as they stand behind the interpreter
    numbers: list[int]
    environment: dict[str, str] | None = None  # None: the one that is there
    folder: str | None = None
    has_session: bool = False
    spares: int = 0  # forks that it keeps, to become the first processes that it starts itself

    @property
    def is_taken(self) -> bool:
        """Whether a fork can be it: a module or code, without options of the interpreter."""
        return self.words[:1] in (["-m"], ["-c"])


def send(line: socket.socket, document: object, files: Sequence[int] = ()) -> None:
    """Send an order, or something else that JSON can say, and open files with it."""
    socket.send_fds(line, [json.dumps(document).encode()], files)


def receive(line: socket.socket) -> tuple[Any, list[int]]:
    """What is sent next; None where the other end is gone."""
    message, files, _, _ = socket.recv_fds(line, _LARGEST, _MOST_FILES)
    return json.loads(message) if message else None, files


class ForkedProcess(Popen[Any]):
    """A process that is begun by a fork where it can be, else as ``Popen`` begins it."""

    def _fork(self, order: StartOrder, files: Sequence[int]) -> int | None:
        """The process that becomes this; None where there is none to do so."""
        raise NotImplementedError

    def _execute_child(self, *given: Any) -> None:
        told = _EXECUTE.bind(self, *given).arguments
        pipes = [told[name] for name in _PIPES]
        own = (told["p2cread"], told["c2pwrite"], told["errwrite"])
        files = [number if file == -1 else file for number, file in enumerate(own)]
        files += told["pass_fds"]
        order = StartOrder(
            [os.fspath(word) for word in told["args"][1:]],
            [0, 1, 2, *told["pass_fds"]],
            None if told["env"] is None else dict(told["env"]),
            None if told["cwd"] is None else os.fspath(told["cwd"]),
            told["start_new_session"],
        )
        pid = self._fork(order, files) if order.is_taken else None
        if pid is None:
            super()._execute_child(*given)  # type: ignore[misc]  # it has no types
            return
        self.pid, self._child_created = pid, True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]  # likewise


_PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
