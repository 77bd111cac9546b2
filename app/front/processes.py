"""The processes that answer: one socket, which all of them take connections from."""

import logging
import os
import pickle
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial

from uvicorn.config import Config
from uvicorn.server import Server
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from app.front.asgi import AsgiApplication
from app.front.connections import BoundedHttpProtocol
from app.module_imports import imports
from app.services.software_fingerprint import version_words
from app.supervision import exit_words, start_log

_log = logging.getLogger(__name__)

_GRACE = 25  # seconds in which what was accepted is answered at a stop; docker, systemd give more
HEALTHY = 30  # seconds in which a web process answers its supervisor, even under heavy load
_STARTING = 120  # likewise until its first answer: it imports all of the software first
_MARGIN = 5  # seconds beyond the grace, for a process to end by itself
_TICK = 0.05  # seconds
_BACKLOG = 2_048
_LOOKS_EVERY = 0.5  # seconds
_SWITCHES_EVERY = 0.001  # seconds
_OTHER_FILES = 200  # that a process has open besides its connections


class ListenError(RuntimeError):
    """The server can't listen on an address. The message says what to do."""


def open_socket(host: str, port: int) -> socket.socket:
    """Open a socket on an address, IPv4 or IPv6. Raises ListenError."""
    where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not 0 <= port <= 65_535:
        raise ListenError(f"Can't listen on {where}: the port must be a number up to 65535.")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "the host name isn't valid"
        raise ListenError(
            f"Can't listen on {where}: {why}. Set --host to an address of this computer, such as "
            "127.0.0.1, or to 0.0.0.0 for all addresses."
        ) from error
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)  # fails if another process uses the address
    except OSError as error:
        listener.close()
        raise ListenError(
            f"Can't listen on {where}: {error.strerror}. Stop the other server, or choose another "
            "address with --host and --port."
        ) from error
    return listener


def answer_until_stopped(
    make: Callable[[], AsgiApplication], listener: socket.socket, workers: int
) -> None:
    """Answer with so many processes until a signal; a process that dies or hangs is replaced.

    ``make`` can be pickled. Each process calls it, so no two share a connection to a database. At a
    stop, accepted requests are answered first. The log has a line for every start, with version,
    process and address, and for every process that is replaced.
    """
    start_log()
    host, port = listener.getsockname()[:2]
    what = f"{version_words()} at {f'[{host}]' if ':' in host else host}:{port}"
    number = f"{workers} web process{'es' if workers > 1 else ''}"
    _log.info("serve started: %s, process %d, %s", what, os.getpid(), number)
    config = config_of(partial(_unpacked, pickle.dumps(make)), workers, what)
    _WebProcesses(config, [listener]).run()
    _log.info("serve stopped: all web processes have ended")


class _WebServer(Server):
    ticked = 0.0

    async def on_tick(self, counter: int) -> bool:
        self.ticked = time.monotonic()
        return await super().on_tick(counter)


class _WebProcess(Process):
    @property
    def server(self) -> _WebServer:
        if not isinstance(self._server, _WebServer):
            self._server = _WebServer(config=self.config)
        return self._server

    def pong(self) -> None:
        self.child_conn.recv()
        asked, server = time.monotonic(), self.server
        while server.started and not server.should_exit and server.ticked < asked:
            time.sleep(_TICK)
        self.child_conn.send(server.started)


class _WebProcesses(Multiprocess):
    def __init__(self, config: Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self._asked: dict[Process, float] = {}  # when, of those whose answer is due
        self._known: set[Process] = set()  # those that answered once

    def init_processes(self) -> None:
        self.processes += [self._started() for _ in range(self.processes_num)]

    def _started(self) -> Process:
        process = _WebProcess(self.config, self.sockets)
        process.start()
        return process

    def restart_all(self) -> None:
        for n, old in enumerate(self.processes):
            new = self._started()
            if not new.wait_until_ready(_STARTING, self.should_exit):
                new.kill()
                new.join()
                _log.error("process %s didn't start; %s keeps running", new.pid, old.pid)
                return
            old.terminate()
            self._join([old])
            self.processes[n] = new
            _log.info("web process %s was replaced by %s on SIGHUP", old.pid, new.pid)

    def handle_ttin(self) -> None:
        self.processes_num += 1
        self.processes.append(self._started())

    def handle_ttou(self) -> None:
        if self.processes_num > 1:
            self.processes_num -= 1
            process = self.processes.pop()
            process.terminate()
            self._join([process])

    def join_all(self) -> None:
        self._join(self.processes)

    def _join(self, processes: Iterable[Process]) -> None:
        deadline = time.monotonic() + _GRACE + _MARGIN
        for process in processes:
            process.process.join(max(0.0, deadline - time.monotonic()))
            if process.exitcode is None:  # its event loop hangs, so it obeys no signal
                process.kill()
                process.join()
                _log.error("web process %s didn't stop and was killed", process.pid)
            self._asked.pop(process, None)
            self._known.discard(process)

    def keep_subprocess_alive(self) -> None:
        if self.should_exit.is_set():
            return  # a signal to the whole group, such as Ctrl-C, ends the web processes too
        for n, process in enumerate(self.processes):
            why = self._find_trouble(process)
            if why:
                process.kill()
                process.join()
                self._asked.pop(process, None)
                self._known.discard(process)
                self.processes[n] = new = self._started()
                _log.error(
                    "web process %s %s; started process %s instead",
                    *(process.pid, why, new.pid),
                )

    def _find_trouble(self, process: Process) -> str:
        if process.exitcode is not None:
            return f"died ({exit_words(process.exitcode)})"
        now, pipe = time.monotonic(), process.parent_conn
        try:
            if process not in self._asked:
                pipe.send(b"ping")
                self._asked[process] = now
            elif pipe.poll():
                pipe.recv()
                del self._asked[process]
                self._known.add(process)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            return f"didn't answer its health check ({error}) and was killed"
        silent = now - self._asked.get(process, now)
        if process in self._known:
            return f"hung for {silent:.0f} s and was killed" if silent > HEALTHY else ""
        return f"didn't start within {silent:.0f} s and was killed" if silent > _STARTING else ""


def _unpacked(packed: bytes) -> AsgiApplication:
    with imports():
        make: Callable[[], AsgiApplication] = pickle.loads(packed)  # noqa: S301 — our own
    return make()


def config_of(make: Callable[[], AsgiApplication], workers: int, what: str = "") -> Config:
    """How uvicorn is to answer.

    It believes no header about who asks, writes no addresses down, which can be secrets, and does
    not say what it is. ``what`` is the version and the address, for the log.
    """
    return Config(
        partial(_made_here, make, os.getpid(), what),
        factory=True,
        interface="asgi3",
        workers=workers,
        http=BoundedHttpProtocol,
        loop="uvloop",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level=logging.ERROR,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=BoundedHttpProtocol.limits.idle_seconds,
        timeout_graceful_shutdown=_GRACE,
        timeout_worker_healthcheck=HEALTHY,
    )


def _made_here(make: Callable[[], AsgiApplication], parent: int, what: str) -> AsgiApplication:
    start_log()
    _let_many_connect()
    # While four threads compute, the event loop waits this long for each of them, and in the
    # middle more than 0.1 s for its turn at an answer with the 5 ms that Python has by itself.
    sys.setswitchinterval(_SWITCHES_EVERY)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    made = make()
    _log.info("web process started: %s, process %d", what, os.getpid())
    return made


def _let_many_connect() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limits = BoundedHttpProtocol.limits
    most = max(1, min(limits.connections, hard - _OTHER_FILES))
    BoundedHttpProtocol.limits = limits._replace(connections=most)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOKS_EVERY)
    _log.error("web process %d ends: its supervisor %d is gone", os.getpid(), parent)
    os.kill(os.getpid(), signal.SIGTERM)
