"""Problem documents, for what is refused on either plane (RFC 9457), and the log of refusals."""

import json
import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from app.problems.problem_codes import ProblemCode, ProblemKind

_log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
_INTERVAL = 60.0  # seconds

# Refusals that tell of the server's state or of its limits. Others are answers like any other.
_LOGGED = frozenset(
    (
        *(ProblemKind.BUSY, ProblemKind.NO_ANSWER, ProblemKind.FAULT, ProblemKind.TOO_OFTEN),
        *(ProblemKind.TOO_SLOW, ProblemKind.TOO_LARGE, ProblemKind.LARGE_HEAD),
        *(ProblemKind.LONG_ADDRESS, ProblemKind.UNSUPPORTED),
    )
)

STATUS: Mapping[ProblemKind, HTTPStatus] = {
    ProblemKind.UNREADABLE: HTTPStatus.BAD_REQUEST,
    ProblemKind.SIGNED_OUT: HTTPStatus.UNAUTHORIZED,
    ProblemKind.NOT_ALLOWED: HTTPStatus.FORBIDDEN,
    ProblemKind.NOT_FOUND: HTTPStatus.NOT_FOUND,
    ProblemKind.READ_ONLY: HTTPStatus.METHOD_NOT_ALLOWED,
    ProblemKind.NO_SUCH_FORM: HTTPStatus.NOT_ACCEPTABLE,
    ProblemKind.TOO_SLOW: HTTPStatus.REQUEST_TIMEOUT,
    ProblemKind.CONFLICT: HTTPStatus.CONFLICT,
    ProblemKind.GONE: HTTPStatus.GONE,
    ProblemKind.OUTDATED_CONDITION: HTTPStatus.PRECONDITION_FAILED,
    ProblemKind.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    ProblemKind.LONG_ADDRESS: HTTPStatus.REQUEST_URI_TOO_LONG,
    ProblemKind.NOT_A_FORM: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ProblemKind.BEYOND_END: HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
    ProblemKind.INVALID: HTTPStatus.UNPROCESSABLE_ENTITY,
    ProblemKind.TOO_OFTEN: HTTPStatus.TOO_MANY_REQUESTS,
    ProblemKind.LARGE_HEAD: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    ProblemKind.FAULT: HTTPStatus.INTERNAL_SERVER_ERROR,
    ProblemKind.UNSUPPORTED: HTTPStatus.NOT_IMPLEMENTED,
    ProblemKind.BUSY: HTTPStatus.SERVICE_UNAVAILABLE,
    ProblemKind.NO_ANSWER: HTTPStatus.GATEWAY_TIMEOUT,
}


def status_of(code: ProblemCode) -> HTTPStatus:
    """The HTTP status of a refusal, by its kind. Source: RFC 9110 section 15."""
    return STATUS[code.kind]


def problem_document(
    code: ProblemCode,
    status: int,
    detail: str,
    more: Mapping[str, Any] | None = None,
    *,
    base_url: str = "",
) -> bytes:
    """A problem document; ``more`` are further members, of which empty ones are left out.

    ``status`` is that of the answer it stands in, most often ``status_of(code)``.
    Its type is an address below ``base_url``, or relative to the site where that is not known.

    Source: RFC 9457 section 3.
    """
    members = {
        "type": f"{base_url}{code.path}",
        "title": code.title,
        "status": int(status),
        "detail": detail,
        "code": code.code,
        "source": code.source,
    }
    given = {name: value for name, value in (more or {}).items() if value not in (None, "")}
    return json.dumps(members | given).encode()


def _start_timer(seconds: float, do: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, do)
    timer.daemon = True
    timer.start()


class RefusalLog:
    """Logs refusals by their code: the first at once, and how many followed once per interval.

    So a flood gives one line per code and interval in each process.
    """

    def __init__(
        self, start_timer: Callable[[float, Callable[[], None]], None] = _start_timer
    ) -> None:
        self._start_timer, self._lock = start_timer, threading.Lock()
        self._counts: dict[ProblemCode, int] = {}  # of those that followed the one that is logged

    def note(self, code: ProblemCode, why: str = "") -> None:
        """Note a refusal; ``why`` is the cause, without anything that a person typed."""
        if code.kind not in _LOGGED:
            return
        with self._lock:
            is_first = code not in self._counts
            self._counts[code] = 0 if is_first else self._counts[code] + 1
        if is_first:
            cause = f": {why}" if why else ""
            _log.warning("refused with %d %s (%s)%s", status_of(code), code.code, code.title, cause)
            self._start_timer(_INTERVAL, partial(self._end_interval, code))

    def _end_interval(self, code: ProblemCode) -> None:
        with self._lock:
            count = self._counts.pop(code)
            if count:
                self._counts[code] = 0
        if count:
            _log.warning(
                "refused %d more in %d s with %d %s",
                *(count, _INTERVAL, status_of(code), code.code),
            )
            self._start_timer(_INTERVAL, partial(self._end_interval, code))


refusal_log = RefusalLog()


def note_refusal(code: ProblemCode, why: str = "") -> None:
    """Note a refusal in the log of this process; see `RefusalLog.note`."""
    refusal_log.note(code, why)
