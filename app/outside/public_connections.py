"""Connections that lead to the public Internet alone, wherever a name points meanwhile."""

import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPSConnection
from queue import Empty, SimpleQueue
from threading import Thread

from app.identifiers.public_addresses import is_public_address
from app.outside.http_fetcher import HttpOrigin

_MOST_TRIED = 4  # addresses of one host
_WEB_PORTS = frozenset({80, 443})
_FIRST_FREE_PORT = 1024  # what listens below speaks something else, as mail does at 25

LookUp = Callable[[str, int], Sequence[str]]


class AddressNotPublic(OSError):
    """A host, or a port of it, that is not asked: it is not for everybody."""


def addresses_of(host: str, port: int) -> Sequence[str]:
    """The addresses that the system knows for a host. Raises OSError for none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


class PublicDialer:
    """Opens connections to public addresses.

    A host is looked up once for each connection, and what was looked at is what is connected to,
    so that no second answer of its name server leads elsewhere. One address that is not public
    among several is enough to refuse a host. ``is_taken`` says of an address whether it is taken.
    """

    def __init__(
        self, look_up: LookUp = addresses_of, is_taken: Callable[[str], bool] = is_public_address
    ) -> None:
        self._look_up, self._is_taken = look_up, is_taken

    def dial(self, host: str, port: int, timeout: float) -> socket.socket:
        """A connection to a host.

        Raises OSError, AddressNotPublic where it is not for everybody.
        """
        if port not in _WEB_PORTS and port < _FIRST_FREE_PORT:
            raise AddressNotPublic("the port isn’t a web port")
        addresses = self._looked_up(host, port, timeout)
        if not all(map(self._is_taken, addresses)):
            raise AddressNotPublic("the address isn’t public")
        return _first(addresses[:_MOST_TRIED], port, timeout)

    def _looked_up(self, host: str, port: int, timeout: float) -> Sequence[str]:
        found: SimpleQueue[Sequence[str] | OSError | UnicodeError] = SimpleQueue()

        def ask() -> None:
            try:
                found.put(self._look_up(host, port))
            except (OSError, UnicodeError) as error:  # the latter for a label that is too long
                found.put(error)

        Thread(target=ask, daemon=True).start()
        try:
            answer = found.get(timeout=timeout)
        except Empty as error:
            raise TimeoutError("the name server doesn’t answer") from error
        if isinstance(answer, UnicodeError) or not answer:
            raise socket.gaierror(socket.EAI_NONAME, "the host doesn’t exist")
        if isinstance(answer, OSError):
            raise answer
        return answer

    def connecting(
        self, origin: HttpOrigin, timeout: float, tls: ssl.SSLContext | None
    ) -> HTTPConnection:
        """A connection for HTTP, not yet opened."""
        if origin.scheme == "http":
            return PublicHTTPConnection(self, origin, timeout)
        return PublicHTTPSConnection(self, origin, timeout, tls or ssl.create_default_context())


def _first(addresses: Sequence[str], port: int, timeout: float) -> socket.socket:
    *others, last = addresses
    for address in others:
        with suppress(OSError):
            return socket.create_connection((address, port), timeout)
    return socket.create_connection((last, port), timeout)


class PublicHTTPConnection(HTTPConnection):
    """HTTP to a public address."""

    def __init__(self, dialer: PublicDialer, origin: HttpOrigin, timeout: float) -> None:
        super().__init__(origin.host, origin.port, timeout=timeout)
        self._dial = partial(dialer.dial, origin.host, origin.port, timeout)

    def connect(self) -> None:
        """Open it."""
        self.sock = self._dial()


class PublicHTTPSConnection(HTTPSConnection):
    """HTTPS to a public address; the certificate is that of the host's name."""

    def __init__(
        self, dialer: PublicDialer, origin: HttpOrigin, timeout: float, tls: ssl.SSLContext
    ) -> None:
        super().__init__(origin.host, origin.port, timeout=timeout, context=tls)
        self._dial = partial(dialer.dial, origin.host, origin.port, timeout)
        self._tls = tls

    def connect(self) -> None:
        """Open it. The handshake comes last, so that who watches the time can break it off."""
        self.sock = self._dial()
        secured = self._tls.wrap_socket(
            self.sock, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock = secured
        secured.do_handshake()
