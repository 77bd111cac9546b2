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
from typing import Any, BinaryIO, cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from app.front.bounded_pool import BoundedPool, PoolLimits
from app.front.request_bodies import ReceivedBody
from app.front.request_problems import FAULT, LATE_ANSWER, RequestRefused
from app.published.blobs import FileBody
from app.published.http.http_exchange import Headers, HttpAnswer, HttpRequest

_log = logging.getLogger(__name__)

_LONGEST_HELD = 1024 * 1024  # octets of an answer; a longer one waits on disk for who reads it
_BODILESS = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
# Not the client's to say: the first is a setting for programs (httpoxy), the others are done with.
_NOT_HANDED_ON = frozenset(
    ("proxy", "transfer-encoding", "expect", "content-length", "content-type")
)


class WsgiGateway:
    """Hands requests to a WSGI application, as many at once as it has threads."""

    def __init__(self, application: WSGIApplication, limits: PoolLimits | None = None) -> None:
        self._application, self._limits = application, limits or PoolLimits()
        self._threads = BoundedPool("answers", self._limits)

    async def answer(
        self,
        request: HttpRequest,
        body: ReceivedBody,
        server: tuple[str, int | None] | None,
        until_gone: Callable[[], Awaitable[object]],
    ) -> HttpAnswer:
        environ = environ_of(request, body, server)
        try:
            made = await self._threads.begin(lambda: call(self._application, environ), until_gone)
        except BaseException:
            body.close()
            raise
        made.add_done_callback(lambda _: body.close())
        done, _ = await asyncio.wait((made,), timeout=self._limits.seconds)
        if not done:
            raise RequestRefused(LATE_ANSWER)
        return made.result()


def environ_of(
    request: HttpRequest, body: ReceivedBody, server: tuple[str, int | None] | None
) -> WSGIEnvironment:
    """A request as WSGI has it. No header of a client's moves the site, nor says who asks."""
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
        _log.exception("request failed")  # its address may be a secret
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
