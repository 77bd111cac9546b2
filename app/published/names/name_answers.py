"""What is sent for a name: the way on, its page, a list to choose from, or why there is none."""

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from typing import NamedTuple

from app.problems import publication_codes
from app.problems.problem_documents import MEDIA_TYPE
from app.published.http.accept_headers import find_best, wants_page
from app.published.http.conditions import NOT_MODIFIED, OK, evaluate_preconditions
from app.published.http.cross_origin import METHODS, SHARED
from app.published.http.headers import (
    SAFE,
    Headers,
    PreparedHeaders,
    append_headers,
    sniffing_guards,
)
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.http.problems import CHANGED, Problem, media_type_problem, problem_answer
from app.published.http.representation import MediaTypeOffer
from app.resolution.name_paths import name_path
from app.resolution.outcomes import Destination, EqualChoice, ResolvedName
from app.resolution.service_choice import ServiceCandidate
from app.resolution.urn_resolver import PlainNameWay

# Plain numbers, since a member of an enumeration is found slowly by its name.
_CHOICES, _FOUND, _SEE_OTHER = (
    status.value for status in (HTTPStatus.MULTIPLE_CHOICES, HTTPStatus.FOUND, HTTPStatus.SEE_OTHER)
)
HTML, JSON, LIST = "text/html; charset=utf-8", "application/json", "text/uri-list"
PLAIN, ERC = "text/plain; charset=utf-8", "text/x-erc; charset=utf-8"
# So many octets of links are sent: servers in between take heads of some kilobytes alone.
_LONGEST_LINKS = 4_000
STEERING: Headers = [("Cache-Control", "no-cache"), *SHARED]
_LEADING = PreparedHeaders([("Content-Length", "0"), *STEERING, *SAFE])
_NEGOTIATED = ("Vary", "Accept, Accept-Language")
_QUOTABLE = re.compile(r"[A-Za-z0-9!#$&^_.+/; =*-]+")

TOO_LONG = Problem(
    publication_codes.NAME_TOO_LONG,
    "The identifier is too long: the limit is 8,192 octets, including its components "
    "and the address. Shorten it.",
)
NO_RULES = Problem(
    publication_codes.NAMES_UNRULED,
    "This edition was published without resolution rules. Try again after the next "
    "edition, or use the registry itself.",
)
NOT_A_READ = Problem(
    publication_codes.NAME_READ_ONLY,
    "This address is read-only. Open it in a browser, or use GET or HEAD.",
    (("Allow", METHODS),),
)


class WordedName(NamedTuple):
    """What is said of a name, as a page and as JSON; only what is asked for is made."""

    page: Callable[[], str]
    document: Callable[[], str]


def lead_on(led: ResolvedName, notice: str, successor: str, request: HttpRequest) -> HttpAnswer:
    """Lead to the first choice; the others are told beside it.

    Source: RFC 9110 sections 15.4.3 and 15.4.4; RFC 8288.
    """
    first = led.first
    status = _SEE_OTHER if first.is_description else _FOUND
    fields = [
        ("Location", first.target),
        *links_to(led.judgement.normal_form, led.alternates, successor),
        ("URN-Service", _service(str(first.service.kind), first.is_registrants)),
    ]
    if led.is_negotiated:
        fields.append(_NEGOTIATED)
    return _leading(status, fields, notice, request)


def lead_plainly_on(way: PlainNameWay) -> HttpAnswer | None:
    """What ``lead_on`` answers to a name of the plain kind, made in one piece."""
    found = iter(way.found.items())
    target, first = next(found)
    link = f'</names/{way.name.replace("/", "%2F")}>; rel="describedby"'
    for other, candidate in found:
        link += f", <{other}>{_attributes_of(candidate)}"
    if len(link) > _LONGEST_LINKS:
        return None
    service = _service_of(first)
    fields = [("Location", target), ("Link", link), ("URN-Service", service)]
    told = f"location: {target}\r\nlink: {link}\r\nurn-service: {service}\r\n"
    if way.is_negotiated:
        fields.append(_NEGOTIATED)
        told += f"vary: {_NEGOTIATED[1]}\r\n"
    fields += _LEADING.fields
    prepared = PreparedHeaders(fields, None, told.encode("latin-1") + _LEADING.lines)
    return HttpAnswer(_SEE_OTHER if first.is_description else _FOUND, fields, b"", prepared)


def lead_to_page(name: str, notice: str, successor: str, request: HttpRequest) -> HttpAnswer:
    fields = [("Location", name_path(name)), *links_to(name, (), successor)]
    return _leading(_SEE_OTHER, fields, notice, request)


def _leading(status: int, fields: Headers, notice: str, request: HttpRequest) -> HttpAnswer:
    if notice:
        body = f"{notice}\n".encode()
        about = [
            ("Content-Type", PLAIN),
            ("Content-Length", str(len(body))),
        ]
        headers = [*fields, *about, *STEERING, *SAFE]
        return HttpAnswer(status, headers, b"" if request.method == "HEAD" else body)
    prepared = append_headers(fields, _LEADING)
    return HttpAnswer(status, prepared.fields, b"", prepared)


def offer_choice(
    choice: EqualChoice, told: WordedName, successor: str, request: HttpRequest
) -> HttpAnswer:
    """Let the asker choose among equals; one is preferred.

    Source: RFC 9110 section 15.4.1; RFC 2483 section 5 for the list.
    """
    listed = [f"# {choice.judgement.normal_form}", *(one.target for one in choice.choices)]
    uris = "".join(f"{line}\r\n" for line in listed)
    forms = (HTML, told.page), (LIST, lambda: uris), (JSON, told.document)
    best = find_best(
        request.headers.get("accept", ""), tuple(media_type for media_type, _ in forms)
    )
    media_type, write = forms[1 if best is None else best]
    fields = [
        ("Location", choice.choices[0].target),
        *links_to(choice.judgement.normal_form, choice.choices, successor),
        ("Vary", "Accept, Accept-Language" if choice.is_negotiated else "Accept"),
    ]
    return text_answer(_CHOICES, media_type, write(), fields, request)


def answer_page(
    told: WordedName, edition: int, name: str, links: str, request: HttpRequest
) -> HttpAnswer:
    """The page of a name, or the same as JSON, unless it is known to the asker."""
    types = (HTML, JSON)
    best = find_best(request.headers.get("accept", ""), types)
    if best is None:
        return problem_answer(
            media_type_problem(MediaTypeOffer(types, (name_path(name),) * 2)), request
        )
    media_type, text = types[best], (told.page, told.document)[best]()
    fields: Headers = [("Vary", "Accept"), *([("Link", links)] if links else [])]
    return answer_unless_known(
        f"{edition} {name} {media_type} {text}", media_type, text, fields, request
    )


def answer_unless_known(
    told: str, media_type: str, text: str, fields: Headers, request: HttpRequest
) -> HttpAnswer:
    """A text, unless it is known to the asker; ``told`` is all that its entity tag tells apart.

    Source: RFC 9110 section 13.
    """
    etag = f'"{sha256(told.encode()).hexdigest()}"'
    fields = [("ETag", etag), *fields]
    status = evaluate_preconditions(_undated(request), etag, 0)
    if status == NOT_MODIFIED:
        return _prepared(status, [*fields, *STEERING])
    if status != OK:
        return problem_answer(CHANGED, request)
    return text_answer(HTTPStatus.OK.value, media_type, text, fields, request)


def _undated(request: HttpRequest) -> dict[str, str]:
    dated = ("if-modified-since", "if-unmodified-since")
    return {name: value for name, value in request.headers.items() if name not in dated}


def answer_problem(
    status: HTTPStatus, told: WordedName, links: str, request: HttpRequest
) -> HttpAnswer:
    """Why a name leads nowhere: a page for people, a problem document for programs."""
    media_type, text = (
        (HTML, told.page())
        if wants_page(request.headers.get("accept", ""))
        else (MEDIA_TYPE, told.document())
    )
    fields = [("Vary", "Accept"), *([("Link", links)] if links else [])]
    return text_answer(status.value, media_type, text, fields, request)


def text_answer(
    status: int, media_type: str, text: str, fields: Headers, request: HttpRequest
) -> HttpAnswer:
    body = text.encode()
    headers = [
        *fields,
        ("Content-Type", media_type),
        ("Content-Length", str(len(body))),
        *STEERING,
        *sniffing_guards(media_type),
    ]
    return _prepared(status, headers, b"" if request.method == "HEAD" else body)


def _prepared(status: int, headers: Headers, body: bytes = b"") -> HttpAnswer:
    return HttpAnswer(status, headers, body, PreparedHeaders(headers))


def json_document(members: dict[str, object]) -> str:
    return json.dumps(members) + "\n"


def succession(successor: str, at: Callable[[str], str] = str) -> str:
    """Source: RFC 5829."""
    return f'<{at(f"/namespaces/{successor}")}>; rel="successor-version"' if successor else ""


def links_to(name: str, others: Iterable[Destination], successor: str) -> Headers:
    """What is linked to a name, as one Link field: as much of it as every server lets through."""
    links = [f'<{name_path(name)}>; rel="describedby"']
    if len(links[0]) > _LONGEST_LINKS:
        links.clear()
    if successor:
        links.append(succession(successor))
    left = _LONGEST_LINKS - sum(map(len, links))
    for one in others:
        link = f"<{one.target}>{_attributes(one)}"
        left -= len(link) + 2
        if left < 0:
            break
        links.append(link)
    return [("Link", ", ".join(links))] if links else []


def _attributes(one: Destination | ServiceCandidate) -> str:
    service = one.service
    return _written(str(service.kind), service.media_type, service.language, one.is_registrants)


# By the candidate itself, which is found in less time than what it says.
_attributes_of = lru_cache(maxsize=4096)(_attributes)


@lru_cache(maxsize=4096)
def _written(kind: str, media_type: str, language: str, is_registrants: bool) -> str:
    told = [("rel", "alternate"), ("type", media_type), ("hreflang", language), ("service", kind)]
    if not is_registrants:
        told.append(("registrant", "no"))
    return "".join(f'; {name}="{value}"' for name, value in told if _QUOTABLE.fullmatch(value))


@lru_cache(maxsize=64)
def _service(kind: str, is_registrants: bool) -> str:
    return f"{kind};registrant=?{int(is_registrants)}"


@lru_cache(maxsize=4096)
def _service_of(candidate: ServiceCandidate) -> str:
    return _service(str(candidate.service.kind), candidate.is_registrants)
