"""Answers whose heads lie ready are written as they are, without a look at each of their headers.

uvicorn puts a head together anew for each answer, and writes it by itself: that takes as long as
finding the answer. Under another server nothing of this is done, and the answer is the same.
"""

from http import HTTPStatus
from typing import Any, Protocol, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from app.published.http.http_exchange import EncodedHeaders, HttpAnswer, HttpRequest, encode_headers
from app.published.http.problems import Problem


class PreparedAnswerSource(Protocol):
    """An application that has answers ready."""

    def octets_at_once(
        self, request: HttpRequest, defaults: EncodedHeaders, is_last: bool
    ) -> bytes | None:
        """All that is to be written, once the request is there to its end; None for a task.

        ``defaults`` are the server's own headers, such as the moment; ``is_last`` says that the
        connection ends with the answer.
        """

    def refuse(self, problem: Problem, request: HttpRequest) -> HttpAnswer: ...


def write_prepared(send: Any, answer: HttpAnswer, more: EncodedHeaders) -> bool:
    """Write an answer and end with it; False, and nothing written, where that cannot be done.

    ``more`` are headers beside its own. A client that reads slowly is waited for elsewhere.
    """
    cycle = getattr(send, "__self__", None)
    if not isinstance(cycle, RequestResponseCycle) or cycle.flow.write_paused:
        return False
    octets = find_octets(answer, cycle.default_headers, more, not cycle.keep_alive)
    if octets is not None and not cycle.disconnected:
        cycle.transport.write(octets)
        _end(cycle)
    return octets is not None


def find_octets(
    answer: HttpAnswer, defaults: EncodedHeaders, more: EncodedHeaders, is_last: bool
) -> bytes | None:
    """An answer as it is written, with a server's headers before its own and ``more`` after them.

    ``is_last`` says that the connection ends with it. None where its head does not lie ready, or
    its bytes come piece by piece.

    Source: RFC 9112 sections 4 and 9.6.
    """
    if answer.prepared is None or not isinstance(answer.body, bytes):
        return None
    # All at once: to copy a body is less work than to write twice.
    octets = [STATUS_LINE[answer.status]]
    for name, value in defaults:
        octets += (name, b": ", value, b"\r\n")
    octets.append(answer.prepared.lines)
    for name, value in more:
        octets += (name, b": ", value, b"\r\n")
    octets += (b"connection: close\r\n\r\n" if is_last else b"\r\n", answer.body)
    return b"".join(octets)


def refusal_octets(answer: HttpAnswer, defaults: EncodedHeaders) -> bytes:
    """The answer to what is no request, as it is written; it is the last of its connection."""
    fields = [*defaults, *encode_headers(answer.headers), (b"connection", b"close")]
    status = f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}".encode()
    head = b"\r\n".join((status, *(name + b": " + value for name, value in fields)))
    return head + b"\r\n\r\n" + cast(bytes, answer.body)


def _end(cycle: RequestResponseCycle) -> None:
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
