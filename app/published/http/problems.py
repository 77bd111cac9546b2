"""What the published plane says when it has no bytes for a request."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import cache, partial
from html import escape
from http import HTTPStatus
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from app.exports.discovery.sitemap import ROBOTS_TYPE, robots_bytes
from app.exports.editions.edition_list import DAY_RULE
from app.exports.manifests.bundle_files import BlobReference, BundleFile
from app.problems import publication_codes
from app.problems.problem_codes import ProblemCode
from app.problems.problem_documents import MEDIA_TYPE, problem_document, status_of
from app.published.http.accept_headers import IDENTITY, wants_page
from app.published.http.http_exchange import (
    METHODS,
    SAFE,
    SAFE_PAGE,
    SHARED,
    Headers,
    HttpAnswer,
    HttpRequest,
    PreparedHeaders,
    sniffing_guards,
)

if TYPE_CHECKING:
    from app.pages.site.published_site import ProblemPages


SMALLEST_RANGED = 64 * 1024


class MediaTypeOffer(NamedTuple):
    """The media types among which Accept chooses at one path, and the files that have them."""

    media_types: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(slots=True)
class RepresentationForm:
    """The bytes of a file under one content coding; no ``body`` while they lie on disk only.

    ``is_held`` says that ``body`` may keep them once they were read.
    """

    blob: BlobReference
    etag: str
    headers: PreparedHeaders
    unchanged_headers: PreparedHeaders
    is_held: bool = False
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Representation:
    """All that is known of one path. ``is_personal`` pages may be made for one visitor."""

    modified: int
    is_personal: bool
    is_ranged: bool
    plain: RepresentationForm
    forms: Mapping[str, RepresentationForm]
    offer: MediaTypeOffer | None = None


def represent_file(
    file: BundleFile,
    modified: datetime,
    *,
    offer: MediaTypeOffer | None = None,
    is_personal: bool = False,
    is_held: bool = False,
) -> Representation:
    """A file of an edition that was modified then, its bytes still to be read."""
    vary = _vary(Accept=offer is not None, Cookie=is_personal, **{"Accept-Encoding": file.forms})
    codings = (IDENTITY, *(form.coding for form in file.forms))
    modified = modified.astimezone(UTC).replace(microsecond=0)
    date = format_datetime(modified, usegmt=True)
    forms = {
        coding: _form(file, coding, blob, date, vary, is_held)
        for coding, blob in zip(codings, file.blobs, strict=True)
    }
    return Representation(
        modified=int(modified.timestamp()),
        is_personal=is_personal,
        is_ranged=file.length >= SMALLEST_RANGED,
        plain=forms[IDENTITY],
        forms=forms,
        offer=offer,
    )


def with_content_location(headers: Headers, path: str) -> Headers:
    """The headers of a file that is sent where Accept chose it, with its own address.

    Source: RFC 9110 sections 8.7 and 12.5.5.
    """
    others = [header for header in headers if header[0] != "Vary"]
    varied = (value.split(", ") for name, value in headers if name == "Vary")
    names = dict.fromkeys(["Accept", *chain.from_iterable(varied)])
    return [*others, ("Vary", ", ".join(names)), ("Content-Location", path)]


def _vary(**given: object) -> Headers:
    names = [name for name, is_given in given.items() if is_given]
    return [("Vary", ", ".join(names))] if names else []


def _form(
    file: BundleFile, coding: str, blob: BlobReference, modified: str, vary: Headers, is_held: bool
) -> RepresentationForm:
    etag = f'"{blob.sha256}"'
    steering = [("ETag", etag), ("Cache-Control", file.cache_control), *vary, *SHARED]
    described = [
        ("Content-Type", file.media_type),
        ("Content-Length", str(blob.length)),
        ("Last-Modified", modified),
        *_more(file, coding),
    ]
    headers = [*described, *steering, *sniffing_guards(file.media_type)]
    return RepresentationForm(
        blob, etag, PreparedHeaders(headers), PreparedHeaders(steering), is_held
    )


def _more(file: BundleFile, coding: str) -> Iterable[tuple[str, str]]:
    if coding != IDENTITY:
        yield "Content-Encoding", coding
    elif file.length >= SMALLEST_RANGED:
        yield "Accept-Ranges", "bytes"
    if file.link:
        yield "Link", file.link


_log = logging.getLogger(__name__)

# Where there is no shell to put it in.
_PAGE = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n'
    "<title>{title}</title>\n<h1>{title}</h1>\n<p>{detail}</p>\n{choices}{there}{home}{rule}</html>\n"
)
_PAGE_TYPE = "text/html; charset=utf-8"
_RULE = '<p><small>{source} <a href="{path}">{code}</a></small></p>\n'
_HOME = '<p><a href="/">Go to the start page</a></p>\n'
_THERE = '<p>Go to <a href="{url}">{url}</a>.</p>\n'
_CHOICE = '<li><a href="{path}">{path}</a> ({media_type})\n'


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal, in words for both; ``choices`` are media types and where they are.

    ``there`` is the address at which another site has what is asked for. ``leads_home``: the start
    page would not be refused as well. ``position`` is where a text that was sent is wrong.
    """

    code: ProblemCode
    detail: str
    headers: tuple[tuple[str, str], ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    there: str = ""
    leads_home: bool = True
    position: int | None = None

    @property
    def status(self) -> HTTPStatus:
        return status_of(self.code)

    @property
    def title(self) -> str:
        return self.code.title


NO_EDITION = Problem(
    publication_codes.EDITION_AWAITED,
    ("This server is waiting for its first edition of the registry. Try again in a few seconds."),
    (("Retry-After", "5"),),
)
BEING_READ = Problem(
    publication_codes.EDITION_BEING_READ,
    "This server is loading a new edition of the registry. Try again in a second.",
    (("Retry-After", "1"),),
)
DAMAGED = Problem(
    publication_codes.FILE_DAMAGED,
    "This server’s copy of the file is damaged. Try again later, or download it from "
    "another copy of the registry.",
    (("Retry-After", "300"),),
)
NOT_FOUND = Problem(
    publication_codes.NOT_PUBLISHED,
    "The current edition has no page or file at this address. Check the spelling.",
)
NO_DAY = Problem(publication_codes.DAY_MALFORMED, f"The value of as-of= isn't a date. {DAY_RULE}")
NO_EDITION_OF_DAY = Problem(
    publication_codes.DAY_WITHOUT_EDITION,
    "No edition existed on the date in as-of=. Choose a later date.",
)
NOT_ALLOWED = Problem(
    publication_codes.FILE_READ_ONLY,
    "This address is read-only. Open it in a browser, or use GET or HEAD.",
    (("Allow", METHODS),),
)
CHANGED = Problem(
    publication_codes.CONDITION_FAILED,
    "The edition in If-Match or If-Unmodified-Since is no longer current. Remove the "
    "condition to get the current one.",
)
NO_CODING = Problem(
    publication_codes.CODING_REFUSED,
    "No encoding of this file matches Accept-Encoding. Allow `identity`, or remove the header.",
    (("Vary", "Accept, Accept-Encoding"),),
)


def media_type_problem(offer: MediaTypeOffer) -> Problem:
    """Accept takes none of the media types at an address."""
    return Problem(
        publication_codes.MEDIA_TYPE_REFUSED,
        "No format at this address matches your Accept header. Choose one of these:",
        choices=tuple(zip(offer.media_types, offer.paths, strict=True)),
    )


def copy_lacks_problem(edition: int, day: str, there: str) -> Problem:
    """What a copy of the registry does not hold, which the registry itself may."""
    return Problem(
        publication_codes.NOT_IN_COPY,
        f"This is a copy of edition {edition} of the registry ({day}). It doesn't include "
        "this page.",
        there=there,
    )


def copy_search_problem(edition: int, day: str, there: str) -> Problem:
    """A question to a copy, which has the page but nobody who looks for an answer."""
    return Problem(
        publication_codes.COPY_CANNOT_SEARCH,
        f"This is a copy of edition {edition} of the registry ({day}). It can't search or sort.",
        there=there,
    )


def range_problem(length: int) -> Problem:
    """Range asks for bytes that a file of this length does not have."""
    return Problem(
        publication_codes.RANGE_BEYOND_END,
        f"The Range starts after the end of the file, which has {length} bytes.",
        (("Content-Range", f"bytes */{length}"),),
    )


def answer_without_edition(request: HttpRequest) -> HttpAnswer:
    """Answer a request for a file of an edition while there is none.

    ``robots.txt`` is sent without sitemaps, since crawlers take a 503 there as a ban of the whole
    site (RFC 9309 section 2.3.1.4).
    """
    if request.path != "/robots.txt":
        return problem_answer(NO_EDITION, request)
    body = robots_bytes(None)
    headers = [("Content-Type", ROBOTS_TYPE), ("Content-Length", str(len(body)))]
    headers += [("Cache-Control", "no-store"), *SHARED, *SAFE]
    return HttpAnswer(HTTPStatus.OK.value, headers, b"" if request.method == "HEAD" else body)


def problem_answer(problem: Problem, request: HttpRequest) -> HttpAnswer:
    """Answer with a problem, as the asker can read it."""
    if not wants_page(request.headers.get("accept", "")):
        return _answer(problem, request, MEDIA_TYPE, _as_document(problem))
    plain = _answer(problem, request, _PAGE_TYPE, _as_page(problem))
    # where the start page is refused too, so is whatever a shell draws with
    dress = partial(_in_shell, problem, request) if problem.leads_home else None
    return plain._replace(in_shell=dress)


def _in_shell(problem: Problem, request: HttpRequest, shell: str) -> HttpAnswer:
    try:
        body = _pages().page(shell, problem).encode()
    except Exception:
        _log.exception("the page of a problem could not be made")
        body = _as_page(problem)
    return _answer(problem, request, _PAGE_TYPE, body)


@cache
def _pages() -> "ProblemPages":
    # not before a page is made: what is published needs no templates for anything else
    from app.pages.assets import asset_dir
    from app.pages.site.published_site import ProblemPages

    return ProblemPages(asset_dir("templates"))


def _answer(problem: Problem, request: HttpRequest, media_type: str, body: bytes) -> HttpAnswer:
    headers = _headers(problem, media_type, len(body))
    sent = b"" if request.method == "HEAD" else body
    return HttpAnswer(problem.status.value, headers, sent, refusal=problem.code)


def _headers(problem: Problem, media_type: str, length: int) -> Headers:
    described = {
        "Content-Type": media_type,
        "Content-Length": str(length),
        "Cache-Control": "no-store",
        "Vary": "Accept",
    }
    return [*(described | dict(problem.headers)).items(), *SHARED, *SAFE_PAGE]


def _as_page(problem: Problem) -> bytes:
    items = "".join(
        _CHOICE.format(path=escape(path), media_type=escape(media_type))
        for media_type, path in problem.choices
    )
    words = {"title": escape(problem.title), "detail": escape(problem.detail)}
    choices = f"<ul>\n{items}</ul>\n" if items else ""
    there = _THERE.format(url=escape(problem.there)) if problem.there else ""
    home = _HOME if problem.leads_home else ""
    rule = _rule(problem) if problem.leads_home else ""
    return _PAGE.format(**words, choices=choices, there=there, home=home, rule=rule).encode()


def _rule(problem: Problem) -> str:
    named = problem.code
    source = escape(named.source if named.source.endswith(".") else f"{named.source}.")
    return _RULE.format(source=source, path=named.path, code=named.code)


def _as_document(problem: Problem) -> bytes:
    there = f" Go to {problem.there}" if problem.there else ""
    more: dict[str, object] = {"position": problem.position, "there": problem.there}
    if problem.choices:
        more["choices"] = [{"type": type_, "href": path} for type_, path in problem.choices]
    return problem_document(problem.code, problem.status, problem.detail + there, more)
