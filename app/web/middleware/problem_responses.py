"""Every refusal with its status: a page with a way on, or a problem document (RFC 9457)."""

import logging
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any, ClassVar

from flask import Flask, Response, current_app, g, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from app.config import LARGEST_BODY, MOST_FIELDS
from app.exports.search.search_terms import words_of
from app.pages.lists.search_results import SearchResult
from app.problems import page_codes, use_case_codes
from app.problems.problem_codes import ProblemCode
from app.problems.problem_documents import MEDIA_TYPE, note_refusal, problem_document, status_of
from app.services.names.name_search import find_similar
from app.services.operations.database_binding import DatabaseFailure
from app.services.policy import bodies_of
from app.services.refusals import (
    CapacityExhausted,
    EditConflict,
    EditionAwaited,
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
from app.web.middleware.site_paths import asked_path, page_above
from app.workflow.engine import ActionRefused, EvidenceMissing, RoleMissing

_log = logging.getLogger(__name__)


class SignInRequired(Exception):
    """Nobody is signed in, and somebody must be."""


class RequestProblem(Exception):
    """A request that no page takes, whatever it asks for."""

    code: ClassVar[ProblemCode]


class UnreadableRequest(RequestProblem):
    """What came in is broken."""

    code = page_codes.REQUEST_UNREADABLE


class CrossSiteRequest(RequestProblem):
    """A page of another site sent it."""

    code = page_codes.CROSS_SITE


class FormRequired(RequestProblem):
    """Only forms are taken here."""

    code = page_codes.FORM_NEEDED


@dataclass(frozen=True, slots=True)
class ProblemView:
    """What is told of a refusal: its code, a heading, a sentence.

    ``answered`` is the status where it is another than that of the code: a form that is shown
    again has the status of what it met, and a link that is spent is gone.
    """

    code: ProblemCode
    title: str
    detail: str
    members: Mapping[str, Any] = field(default_factory=dict)
    answered: HTTPStatus | None = None

    @property
    def status(self) -> HTTPStatus:
        """The status of the answer."""
        return self.answered or status_of(self.code)

    @property
    def document(self) -> bytes:
        """The problem for programs (RFC 9457 section 3)."""
        base = current_app.extensions["settings"].base_url  # `session` is above this module
        members = {"source": self.source} | dict(self.members)
        return problem_document(self.code, self.status, self.detail, members, base_url=base)

    @property
    def source(self) -> str:
        """The rule, as the registry of this page words it."""
        told = current_app.extensions["source_at_hand"]  # as above
        return str(told(self.code.source))


# Headings of pages. For other errors, the heading is the title of the code.
_HEADINGS: dict[type[Exception], str] = {
    NotFound: "Not found",
    NotAllowed: "Not allowed",
    EditConflict: "Someone else changed this",
    NameUnavailable: "This name is taken",
    IdempotencyConflict: "Already sent",
    InvalidInput: "Check your answers",
    RateLimitExceeded: "Too many requests",
    CapacityExhausted: "Server busy",
    EditionAwaited: "Not published yet",
    DivergenceRefusal: "Registration is paused",
    RoleMissing: "Not allowed",
    EvidenceMissing: "Something is missing",
    ActionRefused: "Not possible now",
    Refusal: "Not possible now",
    MalformedDay: "Not a date",
    UnreadableRequest: "Unreadable request",
    CrossSiteRequest: "Form sent from another site",
    FormRequired: "Unsupported form type",
}

_CODES = {
    HTTPStatus.BAD_REQUEST: page_codes.REQUEST_UNREADABLE,
    HTTPStatus.NOT_FOUND: page_codes.ADDRESS_UNKNOWN,
    HTTPStatus.METHOD_NOT_ALLOWED: page_codes.METHOD_REFUSED,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: page_codes.FORM_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: page_codes.FORM_NEEDED,
}

_SENTENCES = {
    HTTPStatus.BAD_REQUEST: "The server can’t read this request. Go back and try again.",
    HTTPStatus.NOT_FOUND: "No page has this address. Check the spelling, or search.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address doesn’t accept that kind of request.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: f"The limit is {LARGEST_BODY // 2**20} MB and "
    f"{MOST_FIELDS} fields. Send less at once.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The server had an error, and nothing was saved. Try "
    "again. If the error continues, tell the operator.",
}

_TITLES = {
    HTTPStatus.NOT_FOUND: "Page not found",
    HTTPStatus.METHOD_NOT_ALLOWED: "Not possible here",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Too much data",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Server error",
}

_HEADERS = {
    HTTPStatus.SERVICE_UNAVAILABLE: {"Retry-After": "60"},
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: {
        "Accept": "application/x-www-form-urlencoded, multipart/form-data"
    },
}

_MOST_SIMILAR = 3
_WAITS = (RateLimitExceeded, CapacityExhausted, EditionAwaited)
_LATER = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)

FORM_TOO_OLD = ProblemView(
    page_codes.FORM_EXPIRED,
    "This form has expired",
    "You opened this form before you signed in, or in another browser. Go back, reload the "
    "page and submit the form again.",
)


_UNFIT = ProblemView(page_codes.FORM_UNFIT, "Check your answers", "")


def problem_of(error: Refusal | ActionRefused | RequestProblem) -> ProblemView:
    """The code and words of a refusal, headed by the nearest kind that is listed.

    It is kept for this request: the page of a form that is shown again tells the same.
    """
    title = next(_HEADINGS[kind] for kind in type(error).__mro__ if kind in _HEADINGS)
    if error.code is use_case_codes.NOT_YOUR_TURN:  # their own request, which others have now
        title = error.code.title
    g.wait = error.wait if isinstance(error, _WAITS) else None
    members = _place_of(error) if isinstance(error, Refusal) else {}
    g.met = met = ProblemView(error.code, title, _said_by(error), members)
    return met


def _said_by(error: Refusal | ActionRefused | RequestProblem) -> str:
    if not isinstance(error, ActionRefused):
        return str(error)
    return bodies_of(current_app.extensions["settings"]).put_into(error.sentence)


def _place_of(error: Refusal) -> dict[str, Any]:
    return {"field": error.field, "position": error.position}


def answer_problem(problem: ProblemView) -> Response:
    """A problem as the asker can read it: a page for people, a document for programs."""
    return answer_with(problem, lambda: _page(problem))


def _page(problem: ProblemView) -> str:
    is_anothers = problem.status == HTTPStatus.FORBIDDEN and request.method in ("GET", "HEAD")
    again = asked_path() if is_anothers else ""
    back = page_above() if request.method == "POST" else ""
    asked = _name_asked() if problem.code is page_codes.ADDRESS_UNKNOWN else ""
    shown = {"again": again, "back": back, "asked": asked, "found": _similar(asked)}
    return render_template("error.html", problem=problem, **shown)


def _similar(asked: str) -> tuple[SearchResult, ...]:
    try:
        return find_similar(asked, _MOST_SIMILAR) if asked else ()
    except DatabaseFailure:
        return ()


def _name_asked() -> str:
    """Return the words of an address such as /isbn; a longer one names something of the site."""
    above, _, last = request.path.rstrip("/").rpartition("/")
    return "" if above else " ".join(words_of(last.partition(".")[0][:80]))


def answer_form(
    wrong: Iterable[tuple[str, str]], status: int, page: Callable[[], str]
) -> ResponseReturnValue:
    """The page of a form, which holds what was typed; programs get what is wrong with it."""
    if status == HTTPStatus.OK:
        return page()
    errors = [{"field": name, "message": sentence} for name, sentence in wrong]
    met, told = g.get("met") or _UNFIT, " ".join(error["message"] for error in errors)
    members = dict(met.members) | {"errors": errors}
    view = replace(met, detail=told, members=members, answered=HTTPStatus(status))
    return answer_with(view, page)


def answer_busy(error: CapacityExhausted, field: str, page: Callable[[], str]) -> Response:
    """The page of a form that cannot be read just now, with what was typed."""
    told = problem_of(error)
    errors = [{"field": field, "message": told.detail}]
    return answer_with(replace(told, members={"errors": errors}), page)


def answer_with(problem: ProblemView, page: Callable[[], str]) -> Response:
    """A problem with a page of its own for people, a document for programs."""
    note_refusal(problem.code, g.get("cause", ""))
    if wants_page():
        body, content_type = _rendered(problem, page)
    else:
        body, content_type = problem.document, MEDIA_TYPE
    headers = _HEADERS.get(problem.status, {}) | _retry_after(problem) | {"Vary": "Accept"}
    return Response(body, problem.status, headers, content_type=content_type)


def _retry_after(problem: ProblemView) -> dict[str, str]:
    wait: timedelta | None = g.get("wait")
    if wait is None or problem.status not in _LATER:
        return {}
    return {"Retry-After": str(max(1, math.ceil(wait.total_seconds())))}


def _rendered(problem: ProblemView, page: Callable[[], str]) -> tuple[str | bytes, str]:
    try:
        return page(), "text/html; charset=utf-8"
    except Exception:
        _log.exception("error page could not be rendered")
    g.is_bare = True
    try:
        bare = {"again": "", "back": "", "asked": "", "found": ()}
        return render_template("error.html", problem=problem, **bare), "text/html; charset=utf-8"
    except Exception:
        _log.exception("plain error page could not be rendered either")
        return f"{problem.title}\n\n{problem.detail}\n\nStart page: /\n", "text/plain"


def wants_page() -> bool:
    """Whether the asker names HTML and would rather have it; browsers do, programs do not."""
    offered = ("application/problem+json", "application/json", "text/html")
    return request.accept_mimetypes.best_match(offered) == "text/html"


def _on_unfit(error: RequestProblem) -> ResponseReturnValue:
    return answer_problem(problem_of(error))


def _on_http(error: HTTPException) -> ResponseReturnValue:
    given = error.get_response()
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return given
    status = HTTPStatus(error.code)
    code = _CODES.get(status, page_codes.REQUEST_UNREADABLE if status < 500 else page_codes.FAULT)
    told = _SENTENCES.get(status, status.description)
    response = answer_problem(
        ProblemView(code, _TITLES.get(status, status.phrase), told, answered=status)
    )
    if "Allow" in given.headers:
        response.headers["Allow"] = given.headers["Allow"]
    return response


def install(app: Flask) -> None:
    """Answer every refusal of this application."""
    app.register_error_handler(RequestProblem, _on_unfit)
    app.register_error_handler(HTTPException, _on_http)
