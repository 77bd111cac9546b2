"""Every refusal with its status: a page with a way on, or a problem document (RFC 9457)."""

import json
import logging
from dataclasses import dataclass
from http import HTTPStatus

from flask import Flask, Response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from app.services.database import DatabaseAway
from app.services.refusals import (
    Changed,
    NotAllowed,
    NotFound,
    Refusal,
    SentBefore,
    TooMany,
    Unfit,
)
from app.workflow.engine import EvidenceMissing, NoSuchMove, NotYours, Refused

_log = logging.getLogger(__name__)


class SignedOut(Exception):
    """Nobody is signed in, and somebody must be."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is told of a refusal: its status, a heading, a sentence."""

    status: HTTPStatus
    title: str
    detail: str


STATUS: dict[type[Exception], tuple[HTTPStatus, str]] = {
    NotFound: (HTTPStatus.NOT_FOUND, "Not found"),
    NotAllowed: (HTTPStatus.FORBIDDEN, "Not yours to do"),
    Changed: (HTTPStatus.CONFLICT, "Changed meanwhile"),
    SentBefore: (HTTPStatus.CONFLICT, "Sent before"),
    Unfit: (HTTPStatus.UNPROCESSABLE_ENTITY, "Something to change"),
    TooMany: (HTTPStatus.TOO_MANY_REQUESTS, "Too many at once"),
    NoSuchMove: (HTTPStatus.CONFLICT, "Not possible now"),
    NotYours: (HTTPStatus.FORBIDDEN, "Not yours to do"),
    EvidenceMissing: (HTTPStatus.UNPROCESSABLE_ENTITY, "Something is missing"),
    Refused: (HTTPStatus.CONFLICT, "Not possible now"),
    Refusal: (HTTPStatus.CONFLICT, "Not possible now"),
}

_SENTENCES = {
    HTTPStatus.BAD_REQUEST: "The request could not be understood. Go back and try again.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address. It may have been mistyped.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address cannot be used in that way.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "That is more than 1 MB. Send less at once.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something went wrong here, not with you. Nothing was "
    "half done. Try again; if it stays so, tell the operator.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The database is away for a moment. The registry itself "
    "can be read. Try again in a minute.",
}


def problem_of(error: Exception) -> Problem:
    """The status and words of a refusal, by the nearest kind that is listed."""
    for kind in type(error).__mro__:
        if kind in STATUS:
            status, title = STATUS[kind]
            return Problem(status, title, str(error))
    return Problem(HTTPStatus.CONFLICT, "Not possible now", str(error))


def answer(problem: Problem) -> Response:
    """A problem as the asker can read it: a page for people, JSON for programs."""
    headers = {"Retry-After": "900"} if problem.status is HTTPStatus.TOO_MANY_REQUESTS else {}
    if wants_page():
        page = render_template("error.html", problem=problem)
        return Response(page, problem.status, headers, mimetype="text/html")
    document = {
        "type": "about:blank",
        "title": problem.title,
        "status": int(problem.status),
        "detail": problem.detail,
    }
    return Response(
        json.dumps(document), problem.status, headers, content_type="application/problem+json"
    )


def wants_page() -> bool:
    """Whether the asker would rather have a page than a problem document."""
    accepted = request.accept_mimetypes
    best = accepted.best_match(["text/html", "application/json", "application/problem+json"])
    return not accepted or best == "text/html"


def _on_refusal(error: Exception) -> ResponseReturnValue:
    return answer(problem_of(error))


def _on_http(error: HTTPException) -> ResponseReturnValue:
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return error.get_response()
    status = HTTPStatus(error.code)
    response = answer(Problem(status, status.phrase, _SENTENCES.get(status, status.description)))
    if isinstance(error.get_response().headers.get("Allow"), str):
        response.headers["Allow"] = error.get_response().headers["Allow"]
    return response


def _on_database(error: DatabaseAway) -> ResponseReturnValue:
    _log.warning("the database is away: %s", error)
    status = HTTPStatus.SERVICE_UNAVAILABLE
    return answer(Problem(status, "Away for a moment", _SENTENCES[status]))


FORM_TOO_OLD = Problem(
    HTTPStatus.BAD_REQUEST,
    "This form is too old",
    "It was opened before you signed in, or in another browser. Go back, load the page again "
    "and send it once more.",
)


def install(app: Flask) -> None:
    """Answer every refusal of this application."""
    for kind in (Refusal, Refused):
        app.register_error_handler(kind, _on_refusal)
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(DatabaseAway, _on_database)
