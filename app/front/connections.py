"""Connections of clients: what uvicorn's protocol leaves open is bounded here, in size and in time.

Nothing here knows what is asked for; what cannot be understood as a request is refused in words.
"""

import asyncio
import re
from collections.abc import Callable, MutableMapping
from enum import Enum, auto
from typing import Any, ClassVar, NamedTuple, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app.front.refusals import (
    BROKEN,
    LATE_HEAD,
    LONG_HEAD,
    LONG_TARGET,
    MANY_AT_ONCE,
    NO_CODING,
    NO_HOST,
    NO_ROOM,
    NO_VERSION,
)
from app.published.exchange import HttpRequest
from app.published.headers import encode
from app.published.problems import Problem, refuse

# What a connection adds to the scope of a request, beyond what ASGI says.
TARGET = "urn_registry.target"  # the request's target as it was sent
IS_CUT = "urn_registry.is_cut"  # its body is broken, or ended too soon
_HOST = re.compile(rb"[A-Za-z0-9._~!$&'()*+,;=%:\[\]-]*")  # RFC 3986 section 3.2, without a user
_UNDERSTOOD = ("1.1", "1.0")


class ConnectionLimits(NamedTuple):
    """Octets, fields, seconds and connections of one process."""

    target: int = 16 * 1024
    head: int = 32 * 1024
    fields: int = 100
    head_seconds: float = 10.0
    idle_seconds: int = 75  # longer than nginx keeps a connection to a server behind it
    unread_seconds: float = 10.0  # for what is left of a body that was answered already
    stalled_seconds: float = 60.0  # in which who reads takes a part of what is sent
    connections: int = 5_000
    unanswered: int = 200  # requests that one connection sends ahead


class _Stage(Enum):
    """Where in a request a connection is."""

    BETWEEN = auto()
    HEAD = auto()
    BODY = auto()


# A member of an enumeration is found slowly by its name, and these are asked for at each header.
_BETWEEN, _HEAD, _BODY = _Stage


class _Refused(Exception):
    """A head that is not taken."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.title)
        self.problem = problem


class LingeringTransport(asyncio.Transport):
    """A transport whose close lets the other end read the answer.

    While something of a request is on its way, a plain close would be a reset, which takes from
    the client what it has not read yet; so that its own end is closed first (RFC 9112 section 9.6).
    """

    def __init__(
        self, transport: asyncio.Transport, reads_on: Callable[[], bool], limits: ConnectionLimits
    ) -> None:
        super().__init__()
        self._transport, self._reads_on, self._limits = transport, reads_on, limits
        self._is_closing = False
        # the rest is the transport's own, without a call between
        for name in ("write", "abort", "get_extra_info", "pause_reading", "resume_reading"):
            setattr(self, name, getattr(transport, name))

    def is_closing(self) -> bool:
        """Whether it was closed, be it in part."""
        return self._is_closing or self._transport.is_closing()

    def close(self) -> None:
        """Send what is written, and close."""
        if self.is_closing():
            return
        self._is_closing = True
        later = asyncio.get_running_loop().call_later
        if self._reads_on():
            self._transport.write_eof()
            self._transport.resume_reading()
            later(self._limits.unread_seconds, self._transport.abort)
            return
        self._transport.close()
        if self._transport.get_write_buffer_size():
            later(self._limits.stalled_seconds, self._transport.abort)


class BoundedHttpProtocol(HttpToolsProtocol):
    """HTTP/1.1 on one connection, with limits, and one answer to each request."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()
    _opened: tuple[RequestResponseCycle, Any] | None = None
    _is_opening = False
    _ended = 0  # requests that came to their end, of those in what is read now
    _apart = 0  # octets beside a body, since some of it came: sizes of chunks, and what follows it
    # Those that wait for a request, the longest first; one event loop serves all of a process.
    _idle: ClassVar[dict["BoundedHttpProtocol", None]] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; where there are too many, whoever has waited longest makes room."""
        self._stage, self._incomplete, self._unanswered = _BETWEEN, 0, 0
        self._is_deaf = False
        self._last_words: Problem | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._stall: asyncio.TimerHandle | None = None
        lingering = LingeringTransport(
            cast(asyncio.Transport, transport), self._reads_on, self.limits
        )
        super().connection_made(lingering)
        self._wait()
        if len(self.connections) > self.limits.connections:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """End, whoever ended it."""
        self._idle.pop(self, None)
        self._is_deaf = True
        self._stop_timer()
        self.resume_writing()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take octets of requests; after what cannot be understood nothing more is."""
        if self._is_deaf or self.transport.is_closing():
            return
        self._idle.pop(self, None)
        self._unset_keepalive_if_required()
        self._ended = 0
        self._apart += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._end_after_answers()  # what follows may be in any language
        except httptools.HttpParserError as error:
            self._break_off(_problem_of(error))
        else:
            self._look_after_head(len(data))

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio takes it, uvicorn gives none
        """Whoever sends no more may still wait for answers."""
        if self.transport.is_closing():
            return False
        if self._is_deaf:
            return self._unanswered > 0
        if self._stage is not _BETWEEN:
            self._break_off(BROKEN)
        else:
            self._end_after_answers()
        return self._unanswered > 0

    # ---- what the parser tells

    def on_message_begin(self) -> None:
        """A request begins."""
        self._stage, self._opened = _HEAD, None
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; what follows a body is none (RFC 9110 section 6.5.1)."""
        if self._stage is _HEAD:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer a request whose head can be taken."""
        self._check_head()
        cast(MutableMapping[str, Any], self.scope)[TARGET] = self.url.decode("latin-1")
        self._is_opening = not (self._has_body or self.parser.should_upgrade())
        super().on_headers_complete()
        self._stage, self._incomplete, self._is_opening = _BODY, 0, False
        self._unanswered += 1
        self._stop_timer()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        if self._is_opening:
            self._opened = cycle, app  # its end comes with its head
        else:
            super()._start_asgi_task(cycle, app)

    def on_body(self, body: bytes) -> None:
        """Take some of a body."""
        self._apart = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is there to its end."""
        self._ended += 1
        super().on_message_complete()
        self._stage = _BETWEEN
        if self._opened is not None:
            self._begin(*self._opened)
        elif self._unanswered == 0:  # it was answered before
            self._stop_timer()
            self._wait()

    def _begin(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Answer at once what an application has ready, which takes less than to begin a task."""
        self._opened = None
        at_once: Callable[..., bool] | None = getattr(app, "answer_at_once", None)
        if at_once is None or not at_once(cycle.scope, cycle.send):
            super()._start_asgi_task(cycle, app)

    def _check_head(self) -> None:
        """Raise _Refused for a head that is not taken."""
        if self._unanswered >= self.limits.unanswered:
            raise _Refused(MANY_AT_ONCE)
        self._apart = 0
        length, hosts, codings, self._has_body = _framing_of(self.headers)
        if len(self.url) > self.limits.target:
            raise _Refused(LONG_TARGET)
        if len(self.url) + length > self.limits.head or len(self.headers) > self.limits.fields:
            raise _Refused(LONG_HEAD)
        _check_framing(self.parser.get_http_version(), hosts, codings)

    # ---- what uvicorn tells

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of the one that was answered."""
        self._unanswered -= 1
        super().on_response_complete()
        if self._unanswered or self.transport.is_closing():
            return
        if self._is_deaf:
            self._say_last_words()
        elif self._stage is _BODY and self.expect_100_continue:
            self.transport.close()  # whoever asked first may now send the body, or another request
        elif self._stage is _BODY:
            self._unset_keepalive_if_required()
            self._start_timer(self.limits.unread_seconds, self.transport.close)
        elif self._stage is _BETWEEN:
            self._idle[self] = None

    def pause_writing(self) -> None:
        """Wait for who reads, but not for ever."""
        super().pause_writing()
        self._stall = self.loop.call_later(self.limits.stalled_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: something was read."""
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None
        super().resume_writing()

    # ---- time

    def _wait(self) -> None:
        """Wait for a request to begin."""
        self._idle[self] = None
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(
            self.limits.idle_seconds, self.timeout_keep_alive_handler
        )

    def _look_after_head(self, octets: int) -> None:
        """Bound a head that has not come to its end, in size and in time; and what ends a body."""
        if self._stage is _BODY and self._apart > self.limits.target + self.limits.head:
            self._break_off(BROKEN)
        if self._stage is _BODY or (self._stage is _BETWEEN and self._unanswered):
            return
        if self._stage is _BETWEEN and self.timeout_keep_alive_task is not None:
            return  # the request and its answer are both over
        self._incomplete += 0 if self._ended else octets  # of what is read, others had a part
        if self._incomplete > self.limits.target + self.limits.head:
            self._break_off(LONG_HEAD)
        elif self._timer is None:
            self._start_timer(self.limits.head_seconds, lambda: self._break_off(LATE_HEAD))

    def _start_timer(self, seconds: float, then: Callable[[], None]) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, then)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _make_room(self) -> None:
        """Close who has waited longest; where nobody waits, whoever has just come is sent away."""
        longest = next(iter(self._idle))
        if longest is self:
            longest._break_off(NO_ROOM)
        else:
            self._idle.pop(longest)
            longest.transport.close()

    # ---- the end

    def _reads_on(self) -> bool:
        """Whether something of a request may still be on its way."""
        return self._stage is not _BETWEEN

    def _end_after_answers(self) -> None:
        """Take nothing more; what came before is answered."""
        self._is_deaf = True
        self._stop_timer()
        if self._unanswered:
            self.cycle.keep_alive = False
        else:
            self.transport.close()

    def _break_off(self, problem: Problem) -> None:
        """Take nothing more, and say why in the one answer that is due, if one is."""
        self._is_deaf = True
        self._stop_timer()
        if self._stage is not _BODY:
            self._last_words = problem
            if self._unanswered == 0:
                self._say_last_words()
        elif self._unanswered == 0:
            self.transport.close()
        else:
            self._cut_body()

    def _cut_body(self) -> None:
        """Let whoever answers this request know that there is no more of it."""
        self.cycle.keep_alive = self.cycle.more_body = False
        cast(MutableMapping[str, Any], self.cycle.scope)[IS_CUT] = True
        self.cycle.message_event.set()

    def _say_last_words(self) -> None:
        if self._last_words is not None and not self.transport.is_closing():
            self.transport.write(_octets_of(self._last_words, self.server_state.default_headers))
        self.transport.close()


def _check_framing(version: str, hosts: list[bytes], codings: list[bytes]) -> None:
    """Raise _Refused for what two servers could read differently (RFC 9112 sections 3.2, 6.1)."""
    if version not in _UNDERSTOOD:
        raise _Refused(NO_VERSION)
    if len(hosts) > 1 or (version == "1.1" and not hosts):
        raise _Refused(NO_HOST)
    if hosts and not _HOST.fullmatch(hosts[0]):
        raise _Refused(NO_HOST)
    if codings and version == "1.0":
        raise _Refused(BROKEN)
    if codings and codings != [b"chunked"]:
        raise _Refused(NO_CODING)


def _framing_of(
    headers: list[tuple[bytes, bytes]],
) -> tuple[int, list[bytes], list[bytes], bool]:
    """The octets of all headers, the hosts and transfer codings named; whether a body comes."""
    length, hosts, codings, has_length = 0, list[bytes](), list[bytes](), False
    for name, value in headers:  # once, since each request comes by here
        length += len(name) + len(value) + 4
        if name == b"host":
            hosts.append(value)
        elif name == b"transfer-encoding":
            codings.append(value.lower())
        elif name == b"content-length":
            has_length = True
    return length, hosts, codings, has_length or bool(codings)


def _problem_of(error: httptools.HttpParserError) -> Problem:
    """What was wrong; what a callback of ours raised is the parser's cause."""
    cause = error.__context__ or error.__cause__
    return cause.problem if isinstance(cause, _Refused) else BROKEN


def _octets_of(problem: Problem, default_headers: list[tuple[bytes, bytes]]) -> bytes:
    """An answer to what is no request; whoever sent it may read anything, so that it is JSON."""
    answer = refuse(problem, HttpRequest("GET", "*", "*", "", {}))
    fields = [*default_headers, *encode(answer.headers), (b"connection", b"close")]
    status = f"HTTP/1.1 {int(problem.status)} {problem.status.phrase}".encode()
    head = b"\r\n".join((status, *(name + b": " + value for name, value in fields)))
    return head + b"\r\n\r\n" + cast(bytes, answer.body)
