"""A WSGI application behind an event loop: requests that are whole, in a bounded pool of threads.

A published gateway (a2wsgi) hands bodies on while they come and sends answers while they are made,
so that whoever sends or reads slowly holds a thread. Here both are whole before and after the
thread's work, which is all that a thread is needed for.
"""

import asyncio
import logging
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Any, BinaryIO, NamedTuple, cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from app.front.request_bodies import ReceivedBody
from app.front.request_problems import BUSY, FAULT, LATE_ANSWER, ClientGone, RequestRefused
from app.front.thread_pool import ThreadPool
from app.published.blobs import FileBody
from app.published.http.headers import Headers
from app.published.http.http_exchange import HttpAnswer, HttpRequest

_log = logging.getLogger(__name__)

THREADS = 4  # of a process; more than work and wait in its queue, so that one is left for readers
_LONGEST_HELD = 1024 * 1024  # octets of an answer; a longer one waits on disk for who reads it
_BODILESS = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
# Not the client's to say: the first is a setting for programs (httpoxy), the others are done with.
_NOT_HANDED_ON = frozenset(
    ("proxy", "transfer-encoding", "expect", "content-length", "content-type")
)


class PoolLimits(NamedTuple):
    """Threads, requests that wait for one, seconds that they do, and seconds for an answer."""

    threads: int = THREADS
    waiting: int = 16
    patience: float = 5.0
    seconds: float = 60.0


class WsgiGateway:
    """Hands requests to a WSGI application, as many at once as it has threads."""

    def __init__(self, application: WSGIApplication, limits: PoolLimits | None = None) -> None:
        self._application, self._limits = application, limits or PoolLimits()
        self._threads = ThreadPool("answers", self._limits.threads)
        self._free = asyncio.Semaphore(self._limits.threads)
        self._waiting = 0

    async def answer(
        self,
        request: HttpRequest,
        body: ReceivedBody,
        server: tuple[str, int | None] | None,
        until_gone: Callable[[], Awaitable[object]],
    ) -> HttpAnswer:
        """The application's answer. Raises RequestRefused, and ClientGone; the body is let go of.

        A thread is taken until its call returns, be it long after the answer is given up.
        """
        try:
            await self._take_thread(until_gone)
        except BaseException:
            body.close()
            raise
        environ = environ_of(request, body, server)
        made = self._threads.run(lambda: call(self._application, environ))
        made.add_done_callback(lambda _: self._leave_thread(body))
        done, _ = await asyncio.wait((made,), timeout=self._limits.seconds)
        if not done:
            raise RequestRefused(LATE_ANSWER)
        return made.result()

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
        """Wait for a thread, as long as patience and the client last."""
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

    def _leave_thread(self, body: ReceivedBody) -> None:
        body.close()
        self._free.release()


def environ_of(
    request: HttpRequest, body: ReceivedBody, server: tuple[str, int | None] | None
) -> WSGIEnvironment:
    """A request as WSGI has it. No header of a client's moves the site, nor says who asks.

    A name with an underscore is not handed on: it would be taken for the one with a hyphen, which
    a server in front may have looked at.
    """
    name, port = server or ("localhost", None)
    headers = request.headers
    environ = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": request.path,
        "QUERY_STRING": request.query,
        "RAW_URI": request.target,
        "REQUEST_URI": request.target,
        "SERVER_NAME": name,
        "SERVER_PORT": str(port or 80),
        "SERVER_PROTOCOL": f"HTTP/{request.version}",
        "REMOTE_ADDR": request.peer or "",
        "CONTENT_TYPE": headers.get("content-type", ""),
        "CONTENT_LENGTH": str(body.length) if body.length or "content-length" in headers else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": body.stream,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for field, value in headers.items():
        if "_" not in field and field not in _NOT_HANDED_ON:
            environ[f"HTTP_{field.upper().replace('-', '_')}"] = value
    return environ


class _ResponseStart:
    """What an application says of its answer before it gives the bytes (PEP 3333)."""

    status, headers = HTTPStatus.INTERNAL_SERVER_ERROR.value, Headers()

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def __call__(self, status: str, headers: Headers, /, *_error: Any) -> Callable[[bytes], Any]:
        self.status, self.headers = int(status[:3]), headers
        return self.written.append


def call(application: WSGIApplication, environ: WSGIEnvironment) -> HttpAnswer:
    """Call a WSGI application, and give its whole answer.

    Raises RequestRefused where it has a fault.
    """
    start = _ResponseStart()
    try:
        given = application(environ, cast(StartResponse, start))
        try:
            body, length = _collect(start.written, given)
        finally:
            if hasattr(given, "close"):
                given.close()
    except Exception as error:
        _log.exception("a request was not answered")  # its address may be a secret
        raise RequestRefused(FAULT) from error
    return _answer(environ["REQUEST_METHOD"], start, body, length)


def _answer(method: str, start: _ResponseStart, body: bytes | FileBody, length: int) -> HttpAnswer:
    is_bodiless = start.status in _BODILESS
    headers = [
        pair for pair in start.headers if not (is_bodiless and pair[0].lower() == "content-length")
    ]
    if is_bodiless or method == "HEAD":
        return HttpAnswer(start.status, headers)
    if not any(name.lower() == "content-length" for name, _ in headers):
        headers.append(("Content-Length", str(length)))
    return HttpAnswer(start.status, headers, body)


def _collect(written: list[bytes], given: Iterable[bytes]) -> tuple[bytes | FileBody, int]:
    """All bytes of an answer and how many they are; those of a long one are on disk."""
    length, file = 0, None
    for piece in given:
        length += len(piece)
        if file is None and length > _LONGEST_HELD:
            file = _spilled(written)
        (written.append if file is None else file.write)(piece)
    if file is None:
        whole = b"".join(written)
        return whole, len(whole)
    length = file.tell()
    file.seek(0)
    return FileBody(cast(Any, file), length), length


def _spilled(written: list[bytes]) -> BinaryIO:
    file = tempfile.TemporaryFile()  # noqa: SIM115 — closed with the answer's pieces
    file.writelines(written)
    return file
