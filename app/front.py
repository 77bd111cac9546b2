"""What stands before the whole site, whichever server it runs under: what is let in, and how."""

import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.exceptions import BadRequest

from app.config import is_loopback
from app.published.headers import Headers
from app.published.problems import Problem, refuse

_HOST = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE | re.ASCII)
# What servers in between add to a request; whoever added one, it came from another machine.
_ADDED = frozenset(
    f"HTTP_{name}"
    for name in ("FORWARDED", "VIA", "TRUE_CLIENT_IP", "CLIENT_IP", "CDN_LOOP", "PROXY_CONNECTION")
)
_ADDED_SO = tuple(
    f"HTTP_{name}"
    for name in (
        *("X_FORWARDED", "X_REAL", "X_CLIENT", "X_CLUSTER", "X_ORIGINAL", "X_HOST", "X_PROXYUSER"),
        *("X_ENVOY", "X_AZURE", "X_AMZN", "CF_", "FASTLY"),
    )
)
_TLS_ALONE = ("Strict-Transport-Security", "max-age=31536000")  # RFC 6797: a year
# No address of ours has a control character: what reads it may take one for the end of a line.
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_BROKEN = "What was sent cannot be read: it is broken, or cut off. Send it once more."

_UNREADABLE = Problem(
    HTTPStatus.BAD_REQUEST,
    "Not an address",
    "The address has a control character, such as the end of a line (%0A). None of ours has. "
    "Check how it is written.",
)


class Front:
    """Lets requests in to an application.

    It has no path but its own, whatever a client calls ``SCRIPT_NAME``. An address or a body that
    cannot be read is the sender's fault. A demonstration answers this machine alone. Where the site
    is reached by TLS, browsers are told never to come without it.
    """

    def __init__(self, inside: WSGIApplication, base_url: str, *, demo: bool) -> None:
        self._inside, self._base_url, self._demo = inside, base_url, demo
        self._is_secure = base_url.startswith("https:")

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        if self._is_secure:
            start_response = _Secured(start_response)
        problem = self._find_problem(environ)
        if problem is not None:
            return refuse(problem, environ, start_response)
        environ["SCRIPT_NAME"] = ""
        environ["wsgi.input"] = Body(environ["wsgi.input"])
        return self._inside(environ, start_response)

    def _find_problem(self, environ: WSGIEnvironment) -> Problem | None:
        why = _find_elsewhere(environ) if self._demo else None
        if why:
            return _only_here(why, self._base_url)
        return _UNREADABLE if _CONTROL.search(environ.get("PATH_INFO", "")) else None


class _Secured:
    """Begins an answer that says that the site is reached by TLS alone."""

    def __init__(self, start_response: StartResponse) -> None:
        self._start_response = start_response

    def __call__(self, status: str, headers: Headers, /, *error: Any) -> Any:
        return self._start_response(status, [*headers, _TLS_ALONE], *error)


class Body:
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


def _find_elsewhere(environ: WSGIEnvironment) -> str | None:
    """What shows that a request came from another machine, or was meant for one."""
    if not _HOST.fullmatch(environ.get("HTTP_HOST", "")):
        return "it is for another host"
    if not environ.get("RAW_URI", "/").startswith(("/", "*")):
        return "it is for a proxy"
    if environ.get("SERVER_PROTOCOL") == "HTTP/1.0":  # no browser does, and nginx by itself
        return "a server in between passed it on"
    if any(name in _ADDED or name.startswith(_ADDED_SO) for name in environ):
        return "a server in between passed it on"
    if not _is_from_here(environ.get("REMOTE_ADDR")):
        return "it comes from another machine"
    came_from = (environ.get("HTTP_ORIGIN"), environ.get("HTTP_REFERER"))
    if not all(_is_of_loopback(page or "null") for page in came_from):
        return "a page of another site sent it"
    return None


def _is_from_here(address: str | None) -> bool:
    """Whether the other end is on this machine; by a socket without addresses a proxy comes."""
    if address is None:  # the server does not say
        return True
    try:
        return ip_address(address.removeprefix("::ffff:")).is_loopback
    except ValueError:
        return False


def _is_of_loopback(origin: str) -> bool:
    try:
        return origin == "null" or is_loopback(urlsplit(origin).hostname)
    except ValueError:
        return False


def _only_here(why: str, base_url: str) -> Problem:
    return Problem(
        HTTPStatus.FORBIDDEN,
        "This demonstration is for this machine alone",
        "In demo mode one click signs in as anybody, so that a request from elsewhere is not "
        f"answered: {why}. Open the site on the machine that it runs on, or start it without "
        "demo mode.",
        there=base_url,
        leads_home=False,
    )
