"""What is sent for an ARK: the way on, what is known of it, or why there is no way."""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import NamedTuple

from app.problems import publication_codes
from app.problems.problem_documents import MEDIA_TYPE
from app.published.http.accept_headers import find_best, wants_page
from app.published.http.headers import SAFE, Headers, PreparedHeaders, append_headers
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.http.problems import Problem, media_type_problem, problem_answer
from app.published.http.representation import MediaTypeOffer
from app.published.names.name_answers import (
    ERC,
    HTML,
    JSON,
    PLAIN,
    STEERING,
    answer_unless_known,
    text_answer,
)
from app.resolution.arks.ark_outcomes import FOR_TESTS, ArkHandedOn, ResolvedArk
from app.resolution.arks.ark_resolver import PlainArkWay
from app.resolution.arks.ark_rules import ArkRedirect
from app.resolution.targets import join_query

_SEE_OTHER = HTTPStatus.SEE_OTHER.value
_STATUSES = {
    ArkRedirect.FOUND: HTTPStatus.FOUND.value,
    ArkRedirect.SEE_OTHER: _SEE_OTHER,
    ArkRedirect.TEMPORARY_REDIRECT: HTTPStatus.TEMPORARY_REDIRECT.value,
}
# So many octets of a link are sent: servers in between take heads of some kilobytes alone.
_LONGEST_LINK = 2_000
_LEADING = PreparedHeaders([("Content-Length", "0"), *STEERING, *SAFE])

OVERLONG = Problem(
    publication_codes.ARK_TOO_LONG_TO_FOLLOW,
    "The ARK is too long: the limit is 8,192 characters, with percent-encoding and "
    "query. Shorten it.",
)


class WordedArk(NamedTuple):
    """What is said of an ARK, as a page, as an ERC and as JSON; only what is asked for is made."""

    page: Callable[[], str]
    erc: Callable[[], str]
    document: Callable[[], str]


def link_field(links: Iterable[tuple[str, str]]) -> Headers:
    """One Link field of addresses and their relations; empty and overlong ones are left out.

    Source: RFC 8288 section 3.
    """
    told = ""
    for address, relation in links:
        if address and len(address) <= _LONGEST_LINK:
            told += f'{", " if told else ""}<{address}>; rel="{relation}"'
    return [("Link", told)] if told else []


def lead_ark_on(led: ResolvedArk | ArkHandedOn, links: Headers, request: HttpRequest) -> HttpAnswer:
    """Lead to what is named, or to something related; of an ARK for tests that is told too.

    Source: The ARK URI scheme section 7.1.2; RFC 9110 section 15.4.
    """
    status = _STATUSES[led.rules.redirect]
    fields: Headers = [("Location", led.target), *links]
    if FOR_TESTS in led.notes:
        return text_answer(status, PLAIN, f"{FOR_TESTS.message}\n", fields, request)
    prepared = append_headers(fields, _LEADING)
    return HttpAnswer(status, prepared.fields, b"", prepared)


def lead_plain_ark_on(way: PlainArkWay, registry: str) -> HttpAnswer | None:
    """What ``lead_ark_on`` answers to an ARK of the plain kind, made in one piece. ``registry`` is
    the address of the registry that the edition is of."""
    target = way.target
    described, canonical = join_query(target, "info"), f"{registry}/ark:{way.path}"
    if len(described) > _LONGEST_LINK or len(canonical) > _LONGEST_LINK:
        return None
    link = f'<{described}>; rel="describedby", <{canonical}>; rel="canonical"'
    fields = [("Location", target), ("Link", link), *_LEADING.fields]
    lines = f"location: {target}\r\nlink: {link}\r\n".encode("latin-1") + _LEADING.lines
    status = _STATUSES[way.rules.redirect]
    return HttpAnswer(status, fields, b"", PreparedHeaders(fields, None, lines))


def lead_ark_to_page(path: str, links: Headers) -> HttpAnswer:
    """Source: The ARK URI scheme section 7.1.2, on 303."""
    prepared = append_headers([("Location", path), *links], _LEADING)
    return HttpAnswer(_SEE_OTHER, prepared.fields, b"", prepared)


def answer_described_ark(
    told: WordedArk, of: str, links: Headers, request: HttpRequest
) -> HttpAnswer:
    """Source: The ARK URI scheme section 3.4."""
    forms = (PLAIN, told.erc), (HTML, told.page), (JSON, told.document), (ERC, told.erc)
    return answer_one_of(forms, of, links, request)


def answer_ark_page(told: WordedArk, of: str, links: Headers, request: HttpRequest) -> HttpAnswer:
    return answer_one_of(((HTML, told.page), (JSON, told.document)), of, links, request)


def answer_one_of(
    forms: tuple[tuple[str, Callable[[], str]], ...], of: str, links: Headers, request: HttpRequest
) -> HttpAnswer:
    """The form that the asker likes best, unless it is known there; the first where none is named.
    ``of`` tells what is described from all else, and its edition from others."""
    types = tuple(media_type for media_type, _ in forms)
    best = find_best(request.headers.get("accept", ""), types)
    if best is None:
        return problem_answer(
            media_type_problem(MediaTypeOffer(types, (request.target,) * len(types))), request
        )
    media_type, write = forms[best]
    text = write()
    fields = [("Vary", "Accept"), *links]
    return answer_unless_known(f"{of} {media_type} {text}", media_type, text, fields, request)


def answer_ark_problem(status: HTTPStatus, told: WordedArk, request: HttpRequest) -> HttpAnswer:
    """Why an ARK leads nowhere: a page for people, a problem document for programs."""
    media_type, text = (
        (HTML, told.page())
        if wants_page(request.headers.get("accept", ""))
        else (MEDIA_TYPE, told.document())
    )
    return text_answer(status.value, media_type, text, [("Vary", "Accept")], request)
