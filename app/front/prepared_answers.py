"""Answers whose heads lie ready are written as they are, without a look at each of their headers.

uvicorn puts a head together anew for each answer, and writes it by itself: that takes as long as
finding the answer. Under another server nothing of this is done, and the answer is the same.
"""

from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from app.published.exchange import HttpAnswer
from app.published.headers import EncodedHeaders


def write_prepared(send: Any, answer: HttpAnswer, more: EncodedHeaders) -> bool:
    """Write an answer and end with it; False, and nothing written, where that cannot be done.

    ``more`` are headers beside its own. A client that reads slowly is waited for elsewhere.
    """
    cycle, body = getattr(send, "__self__", None), answer.body
    if answer.prepared is None or not isinstance(body, bytes):
        return False
    if not isinstance(cycle, RequestResponseCycle) or cycle.flow.write_paused:
        return False
    if not cycle.disconnected:
        cycle.transport.write(_octets_of(cycle, answer.status, answer.prepared.lines, body, more))
        _end(cycle)
    return True


def _octets_of(
    cycle: RequestResponseCycle, status: int, lines: bytes, body: bytes, more: EncodedHeaders
) -> bytes:
    # All at once: to copy a body is less work than to write twice.
    octets = [STATUS_LINE[status]]
    for name, value in cycle.default_headers:
        octets += (name, b": ", value, b"\r\n")
    octets.append(lines)
    for name, value in more:
        octets += (name, b": ", value, b"\r\n")
    octets += (b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n", body)
    return b"".join(octets)


def _end(cycle: RequestResponseCycle) -> None:
    """What uvicorn does at the end of an answer."""
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
