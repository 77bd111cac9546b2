"""What the published plane says when it stands alone and has no bytes for a request.

A person gets a small page, a program a problem document (RFC 9457).
"""

import json
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from wsgiref.types import WSGIEnvironment

from app.published.edition import SAFE_PAGE, Headers

_PAGE = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n'
    "<title>{title}</title>\n<h1>{title}</h1>\n<p>{detail}</p>\n"
    '<p><a href="/">Go to the start page</a></p>\n</html>\n'
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal, in words for both."""

    status: HTTPStatus
    title: str
    detail: str
    headers: tuple[tuple[str, str], ...] = ()


NO_EDITION = Problem(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "No edition here yet",
    "This server waits for its first edition of the registry. Try again in a few seconds.",
    (("Retry-After", "5"),),
)
NOT_FOUND = Problem(
    HTTPStatus.NOT_FOUND,
    "Nothing at this address",
    "The current edition has nothing at this address. Check how it is written.",
)
NOT_ALLOWED = Problem(
    HTTPStatus.METHOD_NOT_ALLOWED,
    "This address can only be read",
    "Published files never change at your request. Use GET or HEAD.",
    (("Allow", "GET, HEAD"),),
)
CHANGED = Problem(
    HTTPStatus.PRECONDITION_FAILED,
    "This is not what you expect",
    "The edition you name in If-Match or If-Unmodified-Since is no longer the current one. "
    "Leave the condition out to read the current one.",
)


def answer(problem: Problem, environ: WSGIEnvironment) -> tuple[Headers, bytes]:
    """The headers and the body of a problem, as the asker can read it."""
    wants_page = "text/html" in environ.get("HTTP_ACCEPT", "")
    media_type, text = _as_page(problem) if wants_page else _as_document(problem)
    body = text.encode()
    described = [
        ("Content-Type", media_type),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("Vary", "Accept"),
    ]
    return [*described, *problem.headers, *SAFE_PAGE], body


def _as_page(problem: Problem) -> tuple[str, str]:
    words = {"title": escape(problem.title), "detail": escape(problem.detail)}
    return "text/html; charset=utf-8", _PAGE.format(**words)


def _as_document(problem: Problem) -> tuple[str, str]:
    members = {"title": problem.title, "status": problem.status, "detail": problem.detail}
    return "application/problem+json", json.dumps(members)
