"""Takes a resolution from hop to hop, over public addresses alone and for a bounded time."""

import ssl
import time
from collections.abc import Callable
from functools import cached_property

from app.outside.http_fetcher import Fetcher, FetchFailed, origin_of
from app.outside.public_connections import PublicDialer
from app.outside.service_probe import failure_words
from app.resolution.reference_resolution import ReferenceResolution

_TURNS = 5  # that one hop takes at most: its name server, and four addresses of its host
_LATE = "The redirects took longer than {:g} seconds in total."
_UNASKED = "The URL has no host, an invalid port or a user name, so it wasn’t requested."


class HopProbe:
    """Takes a resolution from hop to hop to its end.

    ``agent`` says who asks; ``seconds`` is how long all hops together may take. No body is read,
    no cookie kept, and each hop goes by a connection of its own to what is public.
    """

    def __init__(
        self,
        agent: str,
        *,
        seconds: float,
        dialer: PublicDialer | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._agent, self._seconds = agent, seconds
        self._dialer, self._clock = dialer or PublicDialer(), clock

    def __call__(self, resolution: ReferenceResolution) -> ReferenceResolution:
        until = self._clock() + self._seconds
        while resolution.end is None:
            left = until - self._clock()
            if left <= 0:
                return resolution.failed(_LATE.format(self._seconds))
            resolution = self._next(resolution, left)
        return resolution

    def _next(self, resolution: ReferenceResolution, left: float) -> ReferenceResolution:
        address = resolution.request_address
        try:
            origin_of(address)
        except FetchFailed:
            return resolution.failed(_UNASKED)
        try:
            status, location = self._fetcher(left).head(address, resolution.method)
        except FetchFailed as error:
            return resolution.failed(failure_words(error))
        return resolution.answered(status, location)

    def _fetcher(self, left: float) -> Fetcher:
        return Fetcher(
            timeout=left / _TURNS,
            deadline=left,
            tls=self._tls,
            agent=self._agent,
            opens=self._dialer.connecting,
        )

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()
