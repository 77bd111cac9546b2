"""Servers in processes of their own, asked over loopback, and the CPU that they use."""

import asyncio
import ctypes
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from uvicorn.config import Config
from uvicorn.server import Server

from app.front.processes import config_of

ROOT = Path(__file__).resolve().parent.parent.parent
GUNICORN = (
    *(sys.executable, "-m", "gunicorn", "--config", f"python:{__spec__.name}"),
    *("--bind", "127.0.0.1:0", "--worker-class", "gthread", "--threads", "4"),
    *("--keep-alive", "60", "--log-level", "critical", "--no-control-socket"),
)


class ServerConnection:
    """A connection to a port of this machine, opened anew where the server closed it for idleness.

    While others are measured, or the machine is busy, more time may pass than a server waits.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket = self._opened()

    def _opened(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._port), 60)

    def fetch(self, request: bytes) -> bytes:
        """Send one request and read its answer to the end; gives its head."""
        try:
            return _fetched(self._socket, request)
        except ConnectionError:
            self.close()
            self._socket = self._opened()
            return _fetched(self._socket, request)

    def close(self) -> None:
        """Close it; the server may have done so before."""
        self._socket.close()


class Worker(NamedTuple):
    """A process that answers, with one connection to it."""

    cpu_clock: int
    connection: ServerConnection

    def cpu(self) -> float:
        """The seconds of CPU it has used."""
        return time.clock_gettime(self.cpu_clock)

    def cost(self, request: bytes, times: int) -> float:
        """Seconds of CPU for each of so many of this request."""
        before = self.cpu()
        for _ in range(times):
            fetch(self.connection, request)
        return (self.cpu() - before) / times


@contextmanager
def started(command: list[str]) -> Iterator[Worker]:
    """A server that says, in one line, which process answers and at which port."""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            told = json.loads(process.stdout.readline())
            with closing(ServerConnection(told["port"])) as connection:
                yield Worker(cpu_clock_of(told["pid"]), connection)
        finally:
            process.terminate()


def answer_by_uvicorn(application: Any, *, bounded: bool) -> None:
    """Answer as the site does, until stopped; ``bounded`` by the limits of its connections."""
    listener = socket.create_server(("127.0.0.1", 0))
    tell(os.getpid(), listener.getsockname()[1])
    asyncio.set_event_loop_policy(None)
    Server(config_for(application, bounded=bounded)).run([listener])


def config_for(application: Any, *, bounded: bool) -> Config:
    """The site's own configuration of uvicorn, for another application in this process."""
    config = config_of(lambda: application, 1)
    config.app, config.factory = application, False
    if not bounded:
        config.http = "httptools"
    return config


def post_worker_init(worker: Any) -> None:
    """Gunicorn's hook: tell who can be measured, and where to ask."""
    tell(worker.pid, worker.sockets[0].getsockname()[1])


def tell(pid: int, port: int) -> None:
    """Say who answers, and where."""
    sys.stdout.write(json.dumps({"pid": pid, "port": port}) + "\n")
    sys.stdout.flush()


def cpu_clock_of(pid: int) -> int:
    """The clock of another process's CPU, for ``time.clock_gettime``."""
    clock = ctypes.c_int()
    if ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock)):
        raise ProcessLookupError(pid)
    return clock.value


def fetch(connection: ServerConnection, request: bytes) -> bytes:
    """Send one request and read its answer to the end; gives its head."""
    return connection.fetch(request)


def _fetched(opened: socket.socket, request: bytes) -> bytes:
    opened.sendall(request)
    received = b""
    while b"\r\n\r\n" not in received:
        received += _received(opened)
    head, _, body = received.partition(b"\r\n\r\n")
    left = _content_length(head) - len(body)
    while left > 0:
        left -= len(_received(opened))
    return head


def _received(opened: socket.socket) -> bytes:
    octets = opened.recv(1 << 20)
    if not octets:
        raise ConnectionError("the server closed the connection")
    return octets


def _content_length(head: bytes) -> int:
    for line in head.lower().splitlines():
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0
