"""The front of the working plane where it is asked by WSGI, without the published one."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any
from urllib.parse import quote
from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.exceptions import BadRequest

from app.front.admission import TLS_ALONE, Admission
from app.published.blobs import FileBody
from app.published.http.http_exchange import Headers, HttpAnswer, HttpRequest
from app.published.http.problems import problem_answer

_OTHER_HEADERS = ("CONTENT_TYPE", "CONTENT_LENGTH")
_BROKEN = "The request can't be read: it is damaged or incomplete. Send it again."


class WsgiFront:
    """Lets requests in to an application.

    It has no path but its own, whatever a client calls ``SCRIPT_NAME``. A body that cannot be
    read is the sender's fault.
    """

    def __init__(self, inside: WSGIApplication, admission: Admission) -> None:
        self._inside, self._admission = inside, admission

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if self._admission.is_secure:
            start_response = _HstsResponseStart(start_response)
        request = request_of_environ(environ)
        problem = self._admission.find_problem(request)
        if problem is not None:
            return send_answer(problem_answer(problem, request), environ, start_response)
        environ["SCRIPT_NAME"] = ""
        environ["wsgi.input"] = WsgiInputStream(environ["wsgi.input"])
        return self._inside(environ, start_response)


class _HstsResponseStart:
    def __init__(self, start_response: StartResponse) -> None:
        self._start_response = start_response

    def __call__(self, status: str, headers: Headers, /, *error: Any) -> Any:
        return self._start_response(status, [*headers, TLS_ALONE], *error)


class WsgiInputStream:
    """What comes with a request. A server's words for a broken one differ; here it is a 400.

    The size of a chunk that is no number, a body that ends too soon: RFC 9112 sections 7.1 and 8.
    """

    def __init__(self, stream: InputStream) -> None:
        self._stream = stream

    def read(self, size: int = -1, /) -> bytes:
        """At most ``size`` octets, or all that is left."""
        return self._read(self._stream.read, size)

    def readline(self, size: int = -1, /) -> bytes:
        """A line."""
        return self._read(self._stream.readline, size)

    def readlines(self, _hint: int = -1, /) -> list[bytes]:
        """Every line that is left."""
        return list(self)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def _read(self, read: Any, size: int) -> bytes:
        try:
            octets: bytes = read(size)
        except Exception as error:  # each server has errors of its own
            raise BadRequest(_BROKEN) from error
        return octets


def request_of_environ(environ: WSGIEnvironment) -> HttpRequest:
    """The request of an environment; its target as it was sent, where the server tells that."""
    path, query = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", "")
    written = quote(path, encoding="latin-1", errors="replace") + (f"?{query}" if query else "")
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_") or (name in _OTHER_HEADERS and value)
    }
    return HttpRequest(
        environ["REQUEST_METHOD"],
        environ.get("RAW_URI", written),
        path,
        query,
        headers,
        environ.get("SERVER_PROTOCOL", "HTTP/1.1").removeprefix("HTTP/"),
        environ.get("REMOTE_ADDR"),
    )


def send_answer(
    answer: HttpAnswer, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    """Begin an answer, and give its bytes; a file as a file, where the server sends those."""
    status, body = answer.status, answer.body
    # A server may change the list that it is given, hence a copy.
    start_response(f"{status} {HTTPStatus(status).phrase}", answer.headers.copy())
    if isinstance(body, bytes):
        return (body,) if body else ()
    wrapper = environ.get("wsgi.file_wrapper")
    return wrapper(body.whole) if wrapper and isinstance(body, FileBody) and body.whole else body
