"""Clients that stall: they send half of something, or nothing, and hold on."""

import re
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from tests.running.sites import get
from tests.waiting import DEADLINE, wait_until

HALF_HEAD = b"GET /requests/ HTTP/1.1\r\nHost: x\r\nAcc"
HALF_BODY = (
    b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 1000\r\n\r\nemail=a"
)


def connect(port: int) -> socket.socket:
    """A connection; where too many come at once it is tried again."""

    def connection() -> socket.socket | None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=DEADLINE)
        except OSError:
            return None

    return wait_until(connection)


@contextmanager
def held(port: int, count: int, sent: bytes = b"") -> Iterator[list[socket.socket]]:
    """So many connections that send this and nothing more."""
    with ExitStack() as stack:
        connections = [stack.enter_context(connect(port)) for _ in range(count)]
        for connection in connections:
            connection.sendall(sent)
        yield connections


def assert_answered(port: int, paths: tuple[str, ...], times: int) -> None:
    """Ask for each path so many times; each answer must be a success with a body.

    What hangs in a test hangs until the test ends it, so an answer shows that nothing waited for
    it, however slow the machine is.
    """
    for _ in range(times):
        for path in paths:
            status, _, body = get(port, path)
            assert (status, bool(body)) == (200, True), path


class Asker:
    """Who asks for a page in a thread of its own."""

    def __init__(self, port: int, method: str, path: str, body: str = "", **headers: str) -> None:
        self.status = 0
        self.content = b""
        self.sent = threading.Event()
        self._thread = threading.Thread(
            target=self._ask, args=(port, method, path, body, headers), daemon=True
        )
        self._thread.start()

    def wait(self) -> int:
        """The status, when there is one; 0 for a connection that ended without."""
        self._thread.join(DEADLINE)
        return self.status

    def _ask(self, port: int, method: str, path: str, body: str, headers: dict[str, str]) -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
        with suppress(OSError, HTTPException):
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body or None, sent)
            self.sent.set()
            answer = connection.getresponse()
            self.content = answer.read()
            self.status = answer.status
        connection.close()


def wait_until_taken(port: int, askers: list[Asker]) -> None:
    """Wait until a site has taken what these asked: it has what came before an answer to others."""
    for asker in askers:
        assert asker.sent.wait(DEADLINE)
    assert_answered(port, ("/healthz",), 10)


def sign_in_asker(port: int, email: str) -> Callable[[], Asker]:
    """A form of the sign-in page, opened and filled in; sent when this is called."""
    _, headers, page = get(port, "/sign-in", Accept="text/html")
    token = re.search(rb'name="csrf_token"[^>]*value="([^"]+)"', page)
    assert token is not None
    cookie = headers["Set-Cookie"].split(";")[0]
    body = f"email={email}&csrf_token={token[1].decode()}"
    form = "application/x-www-form-urlencoded"
    return lambda: Asker(port, "POST", "/sign-in", body, Cookie=cookie, Content_Type=form)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold a database of SQLite as one does who writes and never ends."""
    connection = sqlite3.connect(file, isolation_level=None, timeout=60)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()
