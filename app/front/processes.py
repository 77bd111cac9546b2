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
from collections.abc import Callable
from functools import partial

from uvicorn.config import Config
from uvicorn.supervisors import Multiprocess

from app.front.asgi import AsgiApplication
from app.front.connections import BoundedHttpProtocol
from app.module_imports import imports

_GRACE = 25  # seconds in which what was accepted is answered at a stop; docker, systemd give more
_HEALTHY = 30  # seconds in which a process that is loaded heavily says that it lives
_BACKLOG = 2_048
_LOOKS_EVERY = 0.5  # seconds
_SWITCHES_EVERY = 0.001  # seconds
_OTHER_FILES = 200  # that a process has open besides its connections
_FORMAT = "%(asctime)s %(name)s: %(message)s"


class ListenError(RuntimeError):
    """An address that cannot be listened at; the sentence says what to do."""


def open_socket(host: str, port: int) -> socket.socket:
    """A socket at an address, IPv4 or IPv6. Raises ListenError."""
    where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not 0 <= port <= 65_535:
        raise ListenError(f"Cannot listen at {where}: a port is a number up to 65535.")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "this is no name of a host"
        raise ListenError(
            f"Cannot listen at {where}: {why}. Give an address of this machine with --host, such "
            "as 127.0.0.1, or 0.0.0.0 for all of them."
        ) from error
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)  # of two who bind one address, the second learns of it here
    except OSError as error:
        listener.close()
        raise ListenError(
            f"Cannot listen at {where}: {error.strerror}. Stop what listens there, or give another "
            "address with --host and --port."
        ) from error
    return listener


def answer_until_stopped(
    make: Callable[[], AsgiApplication], listener: socket.socket, workers: int
) -> None:
    """Answer with so many processes until a signal; one that dies is started anew.

    ``make`` is called in each of them, so that none shares a connection to a database; it can be
    pickled. At a stop, what was accepted is answered first.
    """
    Multiprocess(config_of(partial(_unpacked, pickle.dumps(make)), workers), [listener]).run()


def _unpacked(packed: bytes) -> AsgiApplication:
    """What was packed by the first process: all of the software is imported to unpack it."""
    with imports():
        make: Callable[[], AsgiApplication] = pickle.loads(packed)  # noqa: S301 — our own
    return make()


def config_of(make: Callable[[], AsgiApplication], workers: int) -> Config:
    """How uvicorn is to answer.

    It believes no header about who asks, writes no addresses down, which can be secrets, and does
    not say what it is.
    """
    return Config(
        partial(_made_here, make, os.getpid()),
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
        timeout_worker_healthcheck=_HEALTHY,
    )


def _made_here(make: Callable[[], AsgiApplication], parent: int) -> AsgiApplication:
    """The application of this process."""
    logging.basicConfig(level=logging.WARNING, format=_FORMAT)
    _let_many_connect()
    # While four threads compute, the event loop waits this long for each of them, and in the
    # middle more than 0.1 s for its turn at an answer with the 5 ms that Python has by itself.
    sys.setswitchinterval(_SWITCHES_EVERY)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    return make()


def _let_many_connect() -> None:
    """Have as many open files as this process may, and fewer connections than that."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limits = BoundedHttpProtocol.limits
    most = max(1, min(limits.connections, hard - _OTHER_FILES))
    BoundedHttpProtocol.limits = limits._replace(connections=most)


def _end_with(parent: int) -> None:
    """End when the process that started this one is gone, which would hold the address on."""
    while os.getppid() == parent:
        time.sleep(_LOOKS_EVERY)
    os.kill(os.getpid(), signal.SIGTERM)
