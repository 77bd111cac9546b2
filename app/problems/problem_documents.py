"""Problem documents, for what is refused on either plane (RFC 9457)."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from app.problems.problem_codes import ProblemCode, ProblemKind

MEDIA_TYPE = "application/problem+json"

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
    ProblemKind.MISDIRECTED: HTTPStatus.MISDIRECTED_REQUEST,
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
