"""The front of the site for tests and for servers that speak WSGI alone."""

from collections.abc import Iterable, Iterator
from typing import Any
from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.exceptions import BadRequest

from app.front.admission import TLS_ALONE, Admission
from app.published.http.headers import Headers
from app.published.http.problems import refuse
from app.published.http.wsgi_adapter import request_of_environ, send_answer

_BROKEN = "What was sent cannot be read: it is broken, or cut off. Send it once more."


class WsgiFront:
    """Lets requests in to an application.

    It has no path but its own, whatever a client calls ``SCRIPT_NAME``. A body that cannot be
    read is the sender's fault.
    """

    def __init__(self, inside: WSGIApplication, admission: Admission) -> None:
        self._inside, self._admission = inside, admission

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        if self._admission.is_secure:
            start_response = _HstsResponseStart(start_response)
        request = request_of_environ(environ)
        problem = self._admission.find_problem(request)
        if problem is not None:
            return send_answer(refuse(problem, request), environ, start_response)
        environ["SCRIPT_NAME"] = ""
        environ["wsgi.input"] = WsgiInputStream(environ["wsgi.input"])
        return self._inside(environ, start_response)


class _HstsResponseStart:
    """Begins an answer that says that the site is reached by TLS alone."""

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
        """So many octets, or all that is left."""
        return self._read(self._stream.read, size)

    def readline(self, size: int = -1, /) -> bytes:
        """A line."""
        return self._read(self._stream.readline, size)

    def readlines(self, _hint: int = -1, /) -> list[bytes]:
        """Every line that is left."""
        return list(self)

    def __iter__(self) -> Iterator[bytes]:
        """Line by line."""
        return iter(self.readline, b"")

    def _read(self, read: Any, size: int) -> bytes:
        try:
            octets: bytes = read(size)
        except Exception as error:  # each server has errors of its own
            raise BadRequest(_BROKEN) from error
        return octets
