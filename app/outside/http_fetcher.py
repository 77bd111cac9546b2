"""Reads from another server by HTTP, and takes no more from it than was bargained for."""

import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from math import inf
from socket import SHUT_RDWR, socket
from threading import Timer
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import SplitResult, urljoin, urlsplit

from app.outside.measured_responses import MeasuredResponse

_BLOCK = 64 * 1024
_MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PORTS = {"http": 80, "https": 443}
_AGENT = "urn-registry"

Take = Callable[[bytes], object]


class FetchFailed(OSError):
    """Nothing, not everything, or too much came from an address; says which."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"{url}: {why}")
        self.url = url


class HttpOrigin(NamedTuple):
    """Whom a URL speaks to (RFC 6454 section 4)."""

    scheme: str
    host: str
    port: int


def origin_of(url: str) -> HttpOrigin:
    """The origin of an http or https URL.

    Raises FetchFailed for another scheme, for none, for a user's name in it, and for
    characters that no URL has.
    """
    try:
        parts: SplitResult = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise FetchFailed(url, str(error)) from error
    if not (url.isascii() and url.isprintable()) or " " in url or "\\" in url:
        raise FetchFailed(url, "Enter a URL of printable ASCII characters.")
    if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc:
        raise FetchFailed(url, "Enter an http or https URL without a user name.")
    return HttpOrigin(parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port)


def _target_of(url: str) -> str:
    asked = url.partition("#")[0]
    behind = asked[len(urlsplit(asked)._replace(path="", query="").geturl()) :]
    return behind if behind.startswith("/") else f"/{behind}"


# A connection to an origin, not yet opened, by how long it may be silent, and with which TLS.
Opening = Callable[[HttpOrigin, float, ssl.SSLContext | None], HTTPConnection]


def is_redirect(status: int) -> bool:
    """Whether what a Location says is to be followed. Source: RFC 9110 section 15.4."""
    return status in _REDIRECTS


class Fetcher:
    """Fetches from one server after another; the connection to the last one stays open.

    ``timeout`` is how long the server may be silent, ``deadline`` how long one answer may
    take, and ``lifetime`` how long all of them may, in seconds. Proxies that the environment
    names are not used. ``agent`` says who asks, and ``opens`` makes connections, where not every
    address may be asked.
    """

    def __init__(
        self,
        *,
        timeout: float = 20.0,
        deadline: float = 600.0,
        lifetime: float = inf,
        tls: ssl.SSLContext | None = None,
        agent: str = _AGENT,
        opens: Opening | None = None,
    ) -> None:
        self._timeout, self._deadline = timeout, deadline
        self._lifetime, self._ends = lifetime, time.monotonic() + lifetime
        self._tls, self._opens = tls, opens
        self._asked = {"Accept-Encoding": "identity", "User-Agent": agent}
        self._connection: HTTPConnection | None = None
        self._origin: HttpOrigin | None = None
        self._socket: socket | None = None
        self._is_cut = False

    def __call__(self, url: str, take: Take, largest: int) -> int:
        """Fetch a URL; hand its bytes on as they come, and give the status.

        Only the bytes of a 200 are handed on. Redirects are followed within the origin.
        Raises FetchFailed where more than ``largest`` bytes are to come, where fewer come
        than were announced, and for whatever else is not a whole answer.
        """
        asked, origin = url, origin_of(url)
        for _ in range(_MOST_REDIRECTS + 1):
            status, location = self._fetch(url, origin, take, largest)
            if status not in _REDIRECTS or location is None:
                return status
            with self._told(url):
                url = urljoin(url, location)
            if origin_of(url) != origin:
                raise FetchFailed(asked, f"The server redirects to another server: {url}")
        raise FetchFailed(asked, "The server redirects too many times.")

    def head(self, url: str, method: str = "GET") -> tuple[int, str | None]:
        """The status of an answer and its Location; no redirect is followed.

        Nothing of its body is read, and the connection is closed. Raises FetchFailed for what is
        no answer.
        """
        try:
            return self._fetch(url, origin_of(url), None, 0, method)
        finally:
            self.close()

    def close(self) -> None:
        """Close the connection, if one is open."""
        if self._connection is not None:
            self._connection.close()
        self._connection = self._origin = self._socket = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _fetch(
        self, url: str, origin: HttpOrigin, take: Take | None, largest: int, method: str = "GET"
    ) -> tuple[int, str | None]:
        left = self._ends - time.monotonic()
        seconds = self._lifetime if left < self._deadline else self._deadline
        self._late = f"The response took longer than {seconds:g} seconds."
        if left <= 0:
            raise FetchFailed(url, self._late)
        self._is_cut = False
        watch = Timer(min(self._deadline, left), self._cut)
        watch.daemon = True
        watch.start()
        try:
            with self._told(url):
                response = self._respond(origin, url, method)
            with response:
                if response.status == HTTPStatus.OK and take is not None:
                    self._hand_on(url, response, take, largest)
                is_over = response.isclosed()
        except BaseException:
            self.close()
            raise
        finally:
            watch.cancel()
        if not is_over:  # what is left would be taken for the next answer
            self.close()
        return response.status, response.headers["Location"]

    @contextmanager
    def _told(self, url: str) -> Iterator[None]:
        try:
            yield
            if self._is_cut:
                raise TimeoutError
        except (OSError, HTTPException, ValueError) as error:  # all that http.client raises
            cause = TimeoutError(self._late) if self._is_cut else error
            raise FetchFailed(url, self._late if self._is_cut else repr(error)) from cause

    def _hand_on(self, url: str, response: HTTPResponse, take: Take, largest: int) -> None:
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise FetchFailed(url, "The response has a content encoding that wasn’t requested.")
        announced, taken = response.length, 0
        if announced is None and not response.chunked:
            raise FetchFailed(url, "The response doesn’t state its length.")
        if announced is not None and announced > largest:
            raise FetchFailed(url, f"The response has {announced} bytes. The limit is {largest}.")
        while piece := self._read(url, response):
            taken += len(piece)
            if taken > largest:
                raise FetchFailed(url, f"The response has more than {largest} bytes.")
            take(piece)
        if announced not in (None, taken):
            raise FetchFailed(url, f"Only {taken} of {announced} bytes arrived.")

    def _read(self, url: str, response: HTTPResponse) -> bytes:
        with self._told(url):
            return response.read(_BLOCK)

    def _respond(self, origin: HttpOrigin, url: str, method: str) -> HTTPResponse:
        if self._connection is not None and self._origin == origin:
            with suppress(HTTPException, ConnectionError):
                return self._request(self._connection, url, method)
        self.close()
        if self._is_cut:
            raise TimeoutError
        self._connection, self._origin = self._connecting(origin), origin
        return self._request(self._connection, url, method)

    def _connecting(self, origin: HttpOrigin) -> HTTPConnection:
        _, host, port = origin
        if self._opens is not None:
            return self._opens(origin, self._timeout, self._tls)
        if origin.scheme == "http":
            return HTTPConnection(host, port, timeout=self._timeout)
        self._tls = self._tls or ssl.create_default_context()
        return HTTPSConnection(host, port, timeout=self._timeout, context=self._tls)

    def _request(self, connection: HTTPConnection, url: str, method: str) -> HTTPResponse:
        if connection.sock is None:
            connection.connect()
            if self._is_cut:  # while there was no socket yet that could be shut down
                raise TimeoutError
        # An answer that closes the connection takes the socket from it, hence this hold.
        self._socket, connection.response_class = connection.sock, MeasuredResponse
        connection.request(method, _target_of(url), headers=self._asked)
        return connection.getresponse()

    def _cut(self) -> None:
        self._is_cut = True
        unready = self._connection.sock if self._connection else None
        if (reached := self._socket or unready) is not None:
            with suppress(OSError):
                reached.shutdown(SHUT_RDWR)
