"""Every refusal with its status: a page with a way on, or a problem document (RFC 9457)."""

import json
import logging
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, g, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from app.config import LARGEST_BODY, MOST_FIELDS
from app.services.refusals import (
    CapacityExhausted,
    EditConflict,
    IdempotencyConflict,
    InvalidInput,
    MalformedDay,
    NameUnavailable,
    NotAllowed,
    NotFound,
    RateLimitExceeded,
    Refusal,
)
from app.services.stored_editions.divergence import DivergenceRefusal
from app.web.middleware.site_paths import asked_path
from app.workflow.engine import ActionRefused, EvidenceMissing, NoSuchTransition, RoleMissing

_log = logging.getLogger(__name__)


class SignInRequired(Exception):
    """Nobody is signed in, and somebody must be."""


class UnreadableRequest(Exception):
    """What came in is broken."""


class CrossSiteRequest(Exception):
    """A page of another site sent it."""


class FormRequired(Exception):
    """Only forms are taken here."""


@dataclass(frozen=True, slots=True)
class ProblemView:
    """What is told of a refusal: its status, a heading, a sentence."""

    status: HTTPStatus
    title: str
    detail: str
    members: Mapping[str, Any] = field(default_factory=dict)

    @property
    def document(self) -> str:
        """The problem for programs (RFC 9457 section 3)."""
        told = {"type": "about:blank", "title": self.status.phrase, "status": int(self.status)}
        return json.dumps(told | {"detail": self.detail} | dict(self.members))


STATUS: dict[type[Exception], tuple[HTTPStatus, str]] = {
    NotFound: (HTTPStatus.NOT_FOUND, "Not found"),
    NotAllowed: (HTTPStatus.FORBIDDEN, "Not yours to do"),
    EditConflict: (HTTPStatus.CONFLICT, "Changed meanwhile"),
    NameUnavailable: (HTTPStatus.CONFLICT, "The name is taken"),
    IdempotencyConflict: (HTTPStatus.CONFLICT, "Sent before"),
    InvalidInput: (HTTPStatus.UNPROCESSABLE_ENTITY, "Something to change"),
    RateLimitExceeded: (HTTPStatus.TOO_MANY_REQUESTS, "Too many at once"),
    CapacityExhausted: (HTTPStatus.SERVICE_UNAVAILABLE, "Busy"),
    DivergenceRefusal: (HTTPStatus.SERVICE_UNAVAILABLE, "Nothing is registered now"),
    NoSuchTransition: (HTTPStatus.CONFLICT, "Not possible now"),
    RoleMissing: (HTTPStatus.FORBIDDEN, "Not yours to do"),
    EvidenceMissing: (HTTPStatus.UNPROCESSABLE_ENTITY, "Something is missing"),
    ActionRefused: (HTTPStatus.CONFLICT, "Not possible now"),
    Refusal: (HTTPStatus.CONFLICT, "Not possible now"),
    MalformedDay: (HTTPStatus.BAD_REQUEST, "Not a day"),
    UnreadableRequest: (HTTPStatus.BAD_REQUEST, "Not readable"),
    CrossSiteRequest: (HTTPStatus.FORBIDDEN, "Sent from elsewhere"),
    FormRequired: (HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Not a form"),
}

_SENTENCES = {
    HTTPStatus.BAD_REQUEST: "The request could not be understood. Go back and try again.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address. It may have been mistyped.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address cannot be used in that way.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: f"That is more than {LARGEST_BODY // 2**20} MB or "
    f"{MOST_FIELDS} fields. Send less at once.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something went wrong here, not with you. Nothing was "
    "half done. Try again; if it stays so, tell the operator.",
}

_HEADERS = {
    HTTPStatus.SERVICE_UNAVAILABLE: {"Retry-After": "60"},
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: {
        "Accept": "application/x-www-form-urlencoded, multipart/form-data"
    },
}

_LATER = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)

FORM_TOO_OLD = ProblemView(
    HTTPStatus.BAD_REQUEST,
    "This form is too old",
    "It was opened before you signed in, or in another browser. Go back, load the page again "
    "and send it once more.",
)


def problem_of(error: Exception) -> ProblemView:
    """The status and words of a refusal, by the nearest kind that is listed."""
    status, title = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    g.wait = error.wait if isinstance(error, RateLimitExceeded | CapacityExhausted) else None
    return ProblemView(status, title, str(error))


def answer(problem: ProblemView) -> Response:
    """A problem as the asker can read it: a page for people, a document for programs."""
    return answer_with(problem, lambda: _page(problem))


def _page(problem: ProblemView) -> str:
    """Who is signed in and opened what is another's, say by a link in a mail, has a way there."""
    is_anothers = problem.status == HTTPStatus.FORBIDDEN and request.method in ("GET", "HEAD")
    again = asked_path() if is_anothers else ""
    return render_template("error.html", problem=problem, again=again)


def answer_form(
    wrong: Iterable[tuple[str, str]], status: int, page: Callable[[], str]
) -> ResponseReturnValue:
    """The page of a form, which holds what was typed; programs get what is wrong with it."""
    if status == HTTPStatus.OK:
        return page()
    errors = [{"field": name, "message": sentence} for name, sentence in wrong]
    kind, told = HTTPStatus(status), " ".join(error["message"] for error in errors)
    return answer_with(ProblemView(kind, kind.phrase, told, {"errors": errors}), page)


def answer_busy(error: CapacityExhausted, field: str, page: Callable[[], str]) -> Response:
    """The page of a form that cannot be read just now, with what was typed."""
    told = problem_of(error)
    errors = [{"field": field, "message": told.detail}]
    return answer_with(replace(told, members={"errors": errors}), page)


def answer_with(problem: ProblemView, page: Callable[[], str]) -> Response:
    """A problem with a page of its own for people, a document for programs."""
    if wants_page():
        body, content_type = _rendered(problem, page)
    else:
        body, content_type = problem.document, "application/problem+json"
    headers = _HEADERS.get(problem.status, {}) | _retry_after(problem) | {"Vary": "Accept"}
    return Response(body, problem.status, headers, content_type=content_type)


def _retry_after(problem: ProblemView) -> dict[str, str]:
    """When it will do to ask again, by the refusal that this request met; none where unknown."""
    wait: timedelta | None = g.get("wait")
    if wait is None or problem.status not in _LATER:
        return {}
    return {"Retry-After": str(max(1, math.ceil(wait.total_seconds())))}


def _rendered(problem: ProblemView, page: Callable[[], str]) -> tuple[str, str]:
    """The page; where making it fails too, one that asks nothing of anybody."""
    try:
        return page(), "text/html; charset=utf-8"
    except Exception:
        _log.exception("the page of a problem could not be made")
    g.is_bare = True
    try:
        return render_template("error.html", problem=problem, again=""), "text/html; charset=utf-8"
    except Exception:
        _log.exception("nor could a page without the asker's own shell")
        return f"{problem.title}\n\n{problem.detail}\n\nStart page: /\n", "text/plain"


def wants_page() -> bool:
    """Whether the asker names HTML and would rather have it; browsers do, programs do not."""
    offered = ("application/problem+json", "application/json", "text/html")
    return request.accept_mimetypes.best_match(offered) == "text/html"


def _on_unfit(error: Exception) -> ResponseReturnValue:
    return answer(problem_of(error))


def _on_http(error: HTTPException) -> ResponseReturnValue:
    given = error.get_response()
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return given
    status = HTTPStatus(error.code)
    response = answer(
        ProblemView(status, status.phrase, _SENTENCES.get(status, status.description))
    )
    if "Allow" in given.headers:
        response.headers["Allow"] = given.headers["Allow"]
    return response


def install(app: Flask) -> None:
    """Answer every refusal of this application."""
    for kind in (UnreadableRequest, CrossSiteRequest, FormRequired):
        app.register_error_handler(kind, _on_unfit)
    app.register_error_handler(HTTPException, _on_http)
