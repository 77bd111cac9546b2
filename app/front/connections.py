"""Connections of clients: what uvicorn's protocol leaves open is bounded here, in size and in time.

Nothing here knows what is asked for; what cannot be understood as a request is refused in words.
"""

import asyncio
from collections.abc import Callable
from enum import Enum, auto
from typing import ClassVar, NamedTuple, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.front.lingering_transport import LingeringTransport
from app.front.prepared_answers import PreparedAnswerSource, refusal_octets
from app.front.request_heads import HeadFraming, accept_of, check_framing, framing_of, is_plain_read
from app.front.request_problems import (
    BROKEN,
    LATE_HEAD,
    LONG_HEAD,
    LONG_TARGET,
    MANY_AT_ONCE,
    NO_ROOM,
    RequestRefused,
)
from app.problems.problem_documents import note_refusal
from app.published.http.http_exchange import HttpAnswer, HttpRequest, request_of_fields
from app.published.http.problems import Problem, problem_answer

# What a connection adds to the scope of a request, beyond what ASGI says.
TARGET = "urn_registry.target"  # the request's target as it was sent
IS_CUT = "urn_registry.is_cut"  # its body is broken, or ended too soon


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


class _RequestStage(Enum):
    BETWEEN = auto()
    HEAD = auto()
    BODY = auto()


# A member of an enumeration is found slowly by its name, and these are asked for at each header.
_BETWEEN, _HEAD, _BODY = _RequestStage


class BoundedHttpProtocol(HttpToolsProtocol):
    """HTTP/1.1 on one connection, with limits, and one answer to each request."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()
    _ready: PreparedAnswerSource | None = None  # the application, where it has answers ready
    _octets: bytes | None = None  # of an answer that waits for the end of its request alone
    _is_last = False  # whether the connection ends with that
    _idle_until = 0.0
    _ended = 0  # requests that came to their end, of those in what is read now
    _apart = 0  # octets beside a body, since some of it came: sizes of chunks, and what follows it
    # Those that wait for a request, the longest first; one event loop serves all of a process.
    _idle: ClassVar[dict["BoundedHttpProtocol", None]] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; where there are too many, whoever has waited longest makes room."""
        self._stage, self._incomplete, self._unanswered = _BETWEEN, 0, 0
        self.url, self.headers = b"", []
        self._is_deaf = False
        self._last_words: HttpAnswer | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._stall: asyncio.TimerHandle | None = None
        lingering = LingeringTransport(
            cast(asyncio.Transport, transport),
            self._reads_on,
            self.limits.unread_seconds,
            self.limits.stalled_seconds,
        )
        super().connection_made(lingering)
        self._ready = self._find_ready()
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
        self._ended = 0
        self._apart += len(data)
        self._read(data)
        if self not in self._idle:  # else its timer was put off
            self._unset_keepalive_if_required()

    def _read(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._end_after_answers()  # what follows may be in any language
        except httptools.HttpParserError as error:
            self._break_off(_problem_of(error))
        else:
            self._look_after_head(len(data))

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio takes it, uvicorn gives none
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
        self._idle.pop(self, None)  # it may have waited since another came with it
        self._stage = _HEAD
        self.url, self.headers = b"", []

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; what follows a body is none (RFC 9110 section 6.5.1)."""
        if self._stage is _HEAD:
            self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Begin to answer a request whose head can be taken."""
        framing = self._judge_head()
        if self._may_be_ready(framing):
            self._octets = self._find_octets()
        if self._octets is None:
            self._open_cycle()
        self._incomplete = 0
        self._stop_timer()

    def on_body(self, body: bytes) -> None:
        """Take some of a body."""
        self._apart = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is there to its end."""
        self._ended += 1
        if self._octets is not None:
            self._stage = _BETWEEN
            self._write_ready(self._octets)
            return
        super().on_message_complete()
        self._stage = _BETWEEN
        if self._unanswered == 0:  # it was answered before
            self._stop_timer()
            self._wait()

    def _judge_head(self) -> HeadFraming:
        if self.transport.is_closing():  # what came before was the last, and nobody is answered
            raise RequestRefused(BROKEN)
        if self._unanswered >= self.limits.unanswered:
            raise RequestRefused(MANY_AT_ONCE)
        self._apart = 0
        framing = framing_of(self.headers)
        if problem := self._too_long(framing.length):
            raise RequestRefused(problem)
        check_framing(self.parser.get_http_version(), framing)
        return framing

    def _too_long(self, length: int = 0) -> Problem | None:
        if len(self.url) > self.limits.target:
            return LONG_TARGET
        is_long = len(self.url) + length > self.limits.head
        return LONG_HEAD if is_long or len(self.headers) > self.limits.fields else None

    def _open_cycle(self) -> None:
        url, fields = self.url, self.headers
        super().on_message_begin()
        self.on_url(url)
        for name, value in fields:
            super().on_header(name, value)
        cast(dict[str, object], self.scope)[TARGET] = url.decode("latin-1")
        super().on_headers_complete()
        self._stage = _BODY
        self._unanswered += 1

    # ---- what lies ready needs neither a scope nor a task

    def _may_be_ready(self, framing: HeadFraming) -> bool:
        return (
            self._ready is not None
            and self._unanswered == 0
            and is_plain_read(self.parser.get_method(), self.url, framing)
            and not self.parser.should_upgrade()
            and not self.flow.write_paused
            and not self.transport.is_closing()
        )

    def _find_ready(self) -> PreparedAnswerSource | None:
        is_ours = self.limit_concurrency is None and not self.config.access_log
        return (
            cast(PreparedAnswerSource, self.app)
            if is_ours and hasattr(self.app, "octets_at_once")
            else None
        )

    def _find_octets(self) -> bytes | None:
        parser = self.parser
        version = parser.get_http_version()
        # as uvicorn does, which keeps no connection for HTTP/1.0
        self._is_last = version == "1.0" or not parser.should_keep_alive()
        method, target = parser.get_method().decode(), self.url.decode()
        peer = self.client[0] if self.client else None
        request = request_of_fields(method, target, self.headers, version, peer)
        defaults = self.server_state.default_headers
        return cast(PreparedAnswerSource, self._ready).octets_at_once(
            request, defaults, self._is_last
        )

    def _write_ready(self, octets: bytes) -> None:
        self._octets = None
        self.transport.write(octets)
        self.server_state.total_requests += 1
        if self._is_last:
            self.transport.close()
        else:
            self._wait()

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
        self._idle[self] = None
        self._idle_until = self.loop.time() + self.limits.idle_seconds
        if self.timeout_keep_alive_task is None:
            self._start_to_wait(self.limits.idle_seconds)

    def _start_to_wait(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(
            seconds, self.timeout_keep_alive_handler
        )

    def timeout_keep_alive_handler(self) -> None:
        """Close where nobody asked for too long; what was answered meanwhile put that off."""
        left = self._idle_until - self.loop.time()
        if left > 0:
            self._start_to_wait(left)
        else:
            super().timeout_keep_alive_handler()

    def _look_after_head(self, octets: int) -> None:
        if self._stage is _BODY and self._apart > self.limits.target + self.limits.head:
            self._break_off(BROKEN)
        if self._stage is _BODY or (self._stage is _BETWEEN and self._unanswered):
            return
        if self in self._idle:
            return  # the request and its answer are both over
        self._incomplete += 0 if self._ended else octets  # of what is read, others had a part
        if self._incomplete > self.limits.target + self.limits.head:
            self._break_off(self._too_long() or LONG_HEAD)
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
        longest = next(iter(self._idle))
        if longest is self:
            longest._break_off(NO_ROOM)
        else:
            self._idle.pop(longest)
            longest.transport.close()

    # ---- the end

    def _reads_on(self) -> bool:
        return self._stage is not _BETWEEN

    def _end_after_answers(self) -> None:
        self._is_deaf = True
        self._stop_timer()
        if self._unanswered:
            self.cycle.keep_alive = False
        else:
            self.transport.close()

    def _break_off(self, problem: Problem) -> None:
        self._is_deaf = True
        self._stop_timer()
        if self._stage is not _BODY:
            self._last_words = self._answer_of(problem)
            if self._unanswered == 0:
                self._say_last_words()
        elif self._unanswered == 0:
            self.transport.close()
        else:
            self._cut_body()

    def _cut_body(self) -> None:
        self.cycle.keep_alive = self.cycle.more_body = False
        cast(dict[str, object], self.cycle.scope)[IS_CUT] = True
        self.cycle.message_event.set()

    def _answer_of(self, problem: Problem) -> HttpAnswer:
        """A page where the head, as far as it came, says that one is read; and where an address is
        too long for any header to have come, since programs read the status."""
        note_refusal(problem.code)
        fields = self.headers if self._stage is _HEAD else []
        if problem is LONG_TARGET and not fields:
            fields = [(b"accept", b"text/html")]
        request = HttpRequest(self._method_told(), "*", "*", "", {"accept": accept_of(fields)})
        return (
            self._ready.refuse(problem, request)
            if self._ready
            else problem_answer(problem, request)
        )

    def _method_told(self) -> str:
        is_head = self._stage is _HEAD and self.url and self.parser.get_method() == b"HEAD"
        return "HEAD" if is_head else "GET"

    def _say_last_words(self) -> None:
        if self._last_words is not None and not self.transport.is_closing():
            self.transport.write(
                refusal_octets(self._last_words, self.server_state.default_headers)
            )
        self.transport.close()


def _problem_of(error: httptools.HttpParserError) -> Problem:
    cause = error.__context__ or error.__cause__
    return cause.problem if isinstance(cause, RequestRefused) else BROKEN
