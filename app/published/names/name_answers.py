"""What is sent for a name: the way on, its page, a list to choose from, or why there is none."""

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from html import escape
from http import HTTPStatus
from typing import NamedTuple

from app.problems import publication_codes
from app.problems.problem_documents import MEDIA_TYPE
from app.published.http.accept_headers import find_best, wants_page
from app.published.http.file_answers import NOT_MODIFIED, OK, evaluate_preconditions
from app.published.http.http_exchange import (
    METHODS,
    SAFE,
    SHARED,
    Headers,
    HttpAnswer,
    HttpRequest,
    PreparedHeaders,
    append_headers,
    sniffing_guards,
)
from app.published.http.problems import (
    CHANGED,
    MediaTypeOffer,
    Problem,
    media_type_problem,
    problem_answer,
)
from app.resolution.ark_resolver import FOR_TESTS, ArkHandedOn, PlainArkWay, ResolvedArk
from app.resolution.ark_rules import ArkRedirect
from app.resolution.outcome_documents import name_path, shorten_text
from app.resolution.service_choice import Destination, ServiceCandidate, join_query
from app.resolution.urn_resolver import EqualChoice, PlainNameWay, ResolvedName

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


_ARK_SEE_OTHER = HTTPStatus.SEE_OTHER.value
_STATUSES = {
    ArkRedirect.FOUND: HTTPStatus.FOUND.value,
    ArkRedirect.SEE_OTHER: _ARK_SEE_OTHER,
    ArkRedirect.TEMPORARY_REDIRECT: HTTPStatus.TEMPORARY_REDIRECT.value,
}
# So many octets of a link are sent: servers in between take heads of some kilobytes alone.
_LONGEST_LINK = 2_000

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
    return HttpAnswer(_ARK_SEE_OTHER, prepared.fields, b"", prepared)


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


_LONGEST_TITLE = 200


class UriList(NamedTuple):
    """What is known of one URI, and in words what the list is."""

    title: str
    of: str
    uris: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()
    is_negotiated: bool = False

    @property
    def lines(self) -> str:
        """Source: RFC 2169 appendix A; RFC 2483 section 5."""
        return "".join(f"{line}\r\n" for line in (f"# {self.of}", *self.uris))


def answer_list(listed: UriList, edition: int, shell: str, request: HttpRequest) -> HttpAnswer:
    """A list in the form that the asker likes best, unless that is known there.

    Source: RFC 2169 sections 3.2, 3.6 to 3.8; RFC 9110 section 13.
    """
    forms = (LIST, listed.lines), (HTML, ""), (PLAIN, listed.lines), (JSON, _document(listed))
    types = tuple(media_type for media_type, _ in forms)
    media_type, text = forms[find_best(request.headers.get("accept", ""), types) or 0]
    if media_type == HTML:
        text = _page(listed, shell)
    made = f"{edition} {request.path} {listed.of} {media_type} {text}"
    fields = [("Vary", _vary(listed)), *listed.links]
    return answer_unless_known(made, media_type, text, fields, request)


def _vary(listed: UriList) -> str:
    return "Accept, Accept-Language" if listed.is_negotiated else "Accept"


def _document(listed: UriList) -> str:
    return json_document({"of": listed.of, "uris": list(listed.uris)})


def _page(listed: UriList, shell: str) -> str:
    # not before a page is made: what is published needs no templates for anything else
    from app.pages.site.name_pages import fill_shell

    title = shorten_text(f"{listed.title} {listed.of}", _LONGEST_TITLE)
    items = "".join(f"<li>{_item(uri)}\n" for uri in listed.uris)
    found = f"<ul>\n{items}</ul>" if items else "<p>None found.</p>"
    main = f"<h1>{escape(title)}</h1>\n{found}\n"
    return fill_shell(shell, escape(title), "", main)


def _item(uri: str) -> str:
    link = f'<a href="{escape(uri)}">{escape(uri)}</a>'
    if not uri.startswith("urn:"):
        return link
    return f'{link} (<a href="{escape(name_path(uri))}">about it</a>)'
