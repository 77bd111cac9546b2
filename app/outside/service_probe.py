"""Asks a service of the Web for one address, and says whether it answers."""

import socket
import ssl
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPException, RemoteDisconnected
from typing import NamedTuple
from urllib.parse import quote, urljoin

from app.outside.http_fetcher import Fetcher, FetchFailed, is_redirect, origin_of
from app.outside.public_connections import AddressNotPublic, PublicDialer

_MOST_REDIRECTS = 5
_TIMEOUT, _DEADLINE = 10.0, 20.0  # seconds of silence, and for one answer
_URL = "%/:=&?~#+!$,;'@()*[]"  # what stands in an address as it is, beside letters and digits
# The service is there, and asks who it is, for another method or form, or for patience.
_THERE = frozenset({401, 402, 403, 405, 406, 407, 429, 451})
_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


class ServiceAnswer(NamedTuple):
    answers: bool
    words: str
    status: int | None = None


class ServiceProbe:
    """Asks one service after the other, with a request as a browser's, and reads no body.

    ``agent`` says who asks. Redirects are followed to public addresses alone.
    """

    def __init__(
        self,
        agent: str,
        *,
        dialer: PublicDialer | None = None,
        tls: ssl.SSLContext | None = None,
        timeout: float = _TIMEOUT,
        deadline: float = _DEADLINE,
    ) -> None:
        opens = (dialer or PublicDialer()).connecting
        self._fetcher = Fetcher(
            timeout=timeout, deadline=deadline, tls=tls, agent=agent, opens=opens
        )

    def __call__(self, url: str, rest: Callable[[str], object] = str) -> ServiceAnswer:
        """Ask for an address. Raises nothing for whatever comes, or does not.

        ``rest`` is called with each address to which a redirect leads, before that is asked.
        """
        led = ""
        for _ in range(_MOST_REDIRECTS + 1):
            try:
                status, location = self._fetcher.head(url)
            except FetchFailed as error:
                return ServiceAnswer(False, f"{led}{failure_words(error)}")
            if not is_redirect(status) or not location:
                return answer_of(status)
            led = "After a redirect: "
            try:
                url = _led(url, location)
            except FetchFailed:
                words = "The server redirects to an address that isn’t a web URL."
                return ServiceAnswer(False, words, status)
            rest(url)
        return ServiceAnswer(False, "The server redirects too many times.", status)


def answer_of(status: int) -> ServiceAnswer:
    """What a status says of the service that gave it.

    Source: RFC 9110 section 15.
    """
    if status < HTTPStatus.BAD_REQUEST:
        return ServiceAnswer(True, "The server answered.", status)
    if status in _THERE:
        return ServiceAnswer(
            True, "The server answered, but restricts access or is temporarily unavailable.", status
        )
    if status in _GONE:
        return ServiceAnswer(False, "The server answered “not found”.", status)
    if status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return ServiceAnswer(False, "The server answered, but rejected the request.", status)
    return ServiceAnswer(False, "The server answered with an error.", status)


def _led(url: str, location: str) -> str:
    try:
        target = urljoin(url, quote(location.encode("latin-1", "replace"), safe=_URL))
    except ValueError as error:
        raise FetchFailed(url, str(error)) from error
    origin_of(target)
    return target


_WHY: tuple[tuple[type[BaseException], str], ...] = (
    (AddressNotPublic, "The address or port isn’t public."),
    (socket.gaierror, "The host name has no address."),
    (TimeoutError, "The server didn’t answer in time."),
    (ssl.SSLCertVerificationError, "The TLS certificate isn’t valid."),
    (ssl.SSLError, "The TLS connection failed."),
    (ConnectionRefusedError, "The server refused the connection."),
    (RemoteDisconnected, "The server closed the connection without an answer."),
    (ConnectionError, "The server closed the connection without an answer."),
    (HTTPException, "The answer isn’t HTTP."),
)


def failure_words(failed: FetchFailed) -> str:
    """The words for a failure, in which nothing stands that the other side wrote."""
    cause = failed.__cause__
    return next(
        (words for kind, words in _WHY if isinstance(cause, kind)), "The server can’t be reached."
    )
