"""The bodies of requests: read to their ends before anybody works on one, and never too many."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple

from app.config import LARGEST_UPLOAD
from app.front.request_problems import (
    BROKEN,
    LARGE_BODY,
    LATE_BODY,
    NO_ROOM,
    ClientGone,
    RequestRefused,
)
from app.published.http.http_exchange import HttpRequest

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]


class BodyLimits(NamedTuple):
    """What one process takes: octets of a body, seconds for it, octets that lie in memory.

    ``at_once`` are bodies that are being read or worked on; ``on_disk`` are the octets of all of
    those that are too long for memory.
    """

    length: int = LARGEST_UPLOAD
    seconds: float = 60.0
    in_memory: int = 64 * 1024
    at_once: int = 1_000
    on_disk: int = 30 * LARGEST_UPLOAD


class ReceivedBody:
    """A body that came to its end."""

    def __init__(self, shelf: "RequestBodies") -> None:
        self._shelf = shelf
        self.stream: BinaryIO = BytesIO()
        self.length = self._on_disk = 0

    def add(self, octets: bytes) -> None:
        """Keep more of it; RequestRefused where that is too much."""
        limits = self._shelf.limits
        if self.length + len(octets) > limits.length:
            raise RequestRefused(LARGE_BODY)
        if self._on_disk or self.length + len(octets) > limits.in_memory:
            self._put_on_disk(len(octets))
        self.stream.write(octets)
        self.length += len(octets)

    def _put_on_disk(self, more: int) -> None:
        needed = more if self._on_disk else self.length + more
        self._shelf.take_room(needed)
        self._on_disk += needed
        if isinstance(self.stream, BytesIO):
            held = self.stream.getvalue()
            self.stream = tempfile.TemporaryFile()  # noqa: SIM115 — closed with the body
            self.stream.write(held)

    def close(self) -> None:
        """Let it go."""
        self.stream.close()
        self._shelf.leave_room(self._on_disk)


class RequestBodies:
    """The bodies that one process holds; all of it runs in the event loop."""

    def __init__(self, limits: BodyLimits | None = None) -> None:
        self.limits = limits or BodyLimits()
        self._held = self._on_disk = 0

    @property
    def held(self) -> tuple[int, int]:
        return self._held, self._on_disk

    async def read(
        self, request: HttpRequest, receive: Receive, is_cut: Callable[[], bool]
    ) -> ReceivedBody:
        """The whole body of a request. Raises RequestRefused, and ClientGone.

        ``is_cut`` tells, at the end, whether that came too soon.
        """
        length = _length_of(request)
        if length is not None and length > self.limits.length:
            raise RequestRefused(LARGE_BODY)
        if length != 0 and self._held >= self.limits.at_once:
            raise RequestRefused(NO_ROOM)
        self._held += 1
        body = ReceivedBody(self)
        try:
            if length != 0:
                await self._fill(body, receive)
            if is_cut():
                raise RequestRefused(BROKEN)
            body.stream.seek(0)
        except BaseException:
            body.close()
            raise
        return body

    async def _fill(self, body: ReceivedBody, receive: Receive) -> None:
        try:
            async with asyncio.timeout(self.limits.seconds):
                while await _receive(body, receive):
                    pass
        except TimeoutError as error:
            raise RequestRefused(LATE_BODY) from error
        except OSError as error:  # the disk is full, say
            raise RequestRefused(NO_ROOM) from error

    def take_room(self, octets: int) -> None:
        """Count octets on disk; RequestRefused where there is no room for them."""
        if self._on_disk + octets > self.limits.on_disk:
            raise RequestRefused(NO_ROOM)
        self._on_disk += octets

    def leave_room(self, on_disk: int) -> None:
        """Count a body no more."""
        self._held -= 1
        self._on_disk -= on_disk


async def _receive(body: ReceivedBody, receive: Receive) -> bool:
    message = await receive()
    if message["type"] != "http.request":
        raise ClientGone
    body.add(message.get("body", b""))
    return bool(message.get("more_body"))


def _length_of(request: HttpRequest) -> int | None:
    if "transfer-encoding" in request.headers:
        return None
    with suppress(ValueError):
        return int(request.headers.get("content-length", "0"))
    raise RequestRefused(BROKEN)
