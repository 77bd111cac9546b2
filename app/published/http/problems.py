"""What the published plane says when it has no bytes for a request.

A person gets a small page, a program a problem document (RFC 9457).
"""

import json
from dataclasses import dataclass
from html import escape
from http import HTTPStatus

from app.exports.editions.edition_list import DAY_RULE
from app.published.http.headers import SAFE_PAGE, Headers
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.http.representation import MediaTypeOffer

_PAGE = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n'
    "<title>{title}</title>\n<h1>{title}</h1>\n<p>{detail}</p>\n{choices}{there}{home}</html>\n"
)
_HOME = '<p><a href="/">Go to the start page</a></p>\n'
_THERE = '<p>Go to <a href="{url}">{url}</a>.</p>\n'
_CHOICE = '<li><a href="{path}">{path}</a> ({media_type})\n'


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal, in words for both; ``choices`` are media types and where they are.

    ``there`` is the address at which another site has what is asked for. ``leads_home``: the
    start page would not be refused as well. ``position`` is where a text that was sent is wrong.
    """

    status: HTTPStatus
    title: str
    detail: str
    headers: tuple[tuple[str, str], ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    there: str = ""
    leads_home: bool = True
    position: int | None = None


NO_EDITION = Problem(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "No edition here yet",
    "This server waits for its first edition of the registry. Try again in a few seconds.",
    (("Retry-After", "5"),),
)
BEING_READ = Problem(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "A new edition is being read",
    "The registry has changed just now, and this server is about to answer from the new edition. "
    "Try again in a second.",
    (("Retry-After", "1"),),
)
DAMAGED = Problem(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "This file is damaged here",
    "The bytes on this server are not the published ones, so they are not sent. "
    "Try again later, or take them from another copy.",
    (("Retry-After", "300"),),
)
NOT_FOUND = Problem(
    HTTPStatus.NOT_FOUND,
    "Nothing at this address",
    "The current edition has nothing at this address. Check how it is written.",
)
NO_DAY = Problem(HTTPStatus.BAD_REQUEST, "Not a day", f"What follows as-of= is no day. {DAY_RULE}")
NO_EDITION_OF_DAY = Problem(
    HTTPStatus.NOT_FOUND,
    "No edition of that day",
    "No edition had been published by the day that follows as-of=. Ask for a later one.",
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
NO_CODING = Problem(
    HTTPStatus.NOT_ACCEPTABLE,
    "Not under this encoding",
    "Your Accept-Encoding refuses every form that this file has. Allow `identity`, or leave "
    "the header out.",
    (("Vary", "Accept, Accept-Encoding"),),
)


def no_media_type(offer: MediaTypeOffer) -> Problem:
    """Accept takes none of the media types at an address."""
    return Problem(
        HTTPStatus.NOT_ACCEPTABLE,
        "Not in this format",
        "Your Accept header takes none of the formats at this address. Ask for one of these:",
        choices=tuple(zip(offer.media_types, offer.paths, strict=True)),
    )


def not_in_copy(edition: int, day: str, there: str) -> Problem:
    """What a copy of the registry does not hold, which the registry itself may."""
    return Problem(
        HTTPStatus.NOT_FOUND,
        "Not in this copy",
        f"This is a copy of edition {edition} of the registry, of {day}. What you ask for is not "
        "part of it.",
        there=there,
    )


def not_asked_here(edition: int, day: str, there: str) -> Problem:
    """A question to a copy, which has the page but nobody who looks for an answer."""
    return Problem(
        HTTPStatus.NOT_FOUND,
        "A copy cannot search",
        f"This is a copy of edition {edition} of the registry, of {day}. It holds pages as "
        "they were published, and neither searches nor sorts them.",
        there=there,
    )


def beyond_end(length: int) -> Problem:
    """Range asks for bytes that a file of this length does not have."""
    return Problem(
        HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
        "Beyond the end of the file",
        f"This file has {length} bytes, and your Range begins after them.",
        (("Content-Range", f"bytes */{length}"),),
    )


def refuse(problem: Problem, request: HttpRequest) -> HttpAnswer:
    """Answer with a problem, as the asker can read it."""
    wants_page = "text/html" in request.headers.get("accept", "")
    media_type, text = _as_page(problem) if wants_page else _as_document(problem)
    body = text.encode()
    headers = _headers(problem, media_type, len(body))
    return HttpAnswer(problem.status.value, headers, b"" if request.method == "HEAD" else body)


def _headers(problem: Problem, media_type: str, length: int) -> Headers:
    described = {
        "Content-Type": media_type,
        "Content-Length": str(length),
        "Cache-Control": "no-store",
        "Vary": "Accept",
    }
    return [*(described | dict(problem.headers)).items(), *SAFE_PAGE]


def _as_page(problem: Problem) -> tuple[str, str]:
    items = "".join(
        _CHOICE.format(path=escape(path), media_type=escape(media_type))
        for media_type, path in problem.choices
    )
    words = {"title": escape(problem.title), "detail": escape(problem.detail)}
    choices = f"<ul>\n{items}</ul>\n" if items else ""
    there = _THERE.format(url=escape(problem.there)) if problem.there else ""
    home = _HOME if problem.leads_home else ""
    page = _PAGE.format(**words, choices=choices, there=there, home=home)
    return "text/html; charset=utf-8", page


def _as_document(problem: Problem) -> tuple[str, str]:
    members: dict[str, object] = {
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
    }
    if problem.position is not None:
        members["position"] = problem.position
    if problem.there:
        members["detail"] = f"{problem.detail} Go to {problem.there}"
        members["there"] = problem.there
    if problem.choices:
        members["choices"] = [{"type": type_, "href": path} for type_, path in problem.choices]
    return "application/problem+json", json.dumps(members)
