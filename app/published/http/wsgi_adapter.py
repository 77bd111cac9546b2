"""The published plane as a WSGI application, for tests and for servers without ASGI."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Protocol
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from app.published.blobs import FileBody
from app.published.http.http_exchange import HttpAnswer, HttpRequest

_OTHER_HEADERS = ("CONTENT_TYPE", "CONTENT_LENGTH")


class AnswerSource(Protocol):
    """What answers from a bundle: the published plane."""

    def answer(self, request: HttpRequest) -> HttpAnswer | None:
        """The answer to a request; None where the application behind has to answer."""


class PublishedWsgi:
    """Answers by WSGI; what falls through is for the application ``behind``."""

    def __init__(self, published: AnswerSource, behind: WSGIApplication | None = None) -> None:
        self._published, self._behind = published, behind

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        answer = self._published.answer(request_of_environ(environ))
        if answer is not None:
            return send_answer(answer, environ, start_response)
        if self._behind is None:
            raise LookupError("What falls through needs an application behind it.")
        return self._behind(environ, start_response)


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
    status, headers, body, _ = answer
    # A server may change the list that it is given, hence a copy.
    start_response(f"{status} {HTTPStatus(status).phrase}", headers.copy())
    if isinstance(body, bytes):
        return (body,) if body else ()
    wrapper = environ.get("wsgi.file_wrapper")
    return wrapper(body.whole) if wrapper and isinstance(body, FileBody) and body.whole else body
