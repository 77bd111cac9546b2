"""The names that people ask for, from the target of a request as it was sent."""

import re
from urllib.parse import quote, unquote

from app.identifiers.ark import parse_ark
from app.identifiers.corrections import LONGEST_CORRECTED, corrections
from app.identifiers.errors import InvalidIdentifier
from app.identifiers.uri_schemes import find_scheme_look_alike
from app.identifiers.urn import parse_urn
from app.problems import publication_codes
from app.published.group_plane import EditionView
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import Problem, problem_answer
from app.registration.declarations.group_paths import characters_of
from app.registration.declarations.registry_groups import RegistryGroup
from app.resolution.outcome_documents import NAMES, UNDER, name_at

CHANGES, FEED = f"{NAMES}changes", f"{NAMES}feed"  # what copies of names follow
THTTP = "/uri-res/"  # below which the services of RFC 2169 are asked
_URN, _ARK = "/urn:", "/ark:"
_PAGE_OF_ARK = NAMES + "ark:"
_PAGE = re.compile(rf"{NAMES}([A-Za-z]+):")
_IN_EDITION = re.compile(rf"(/(?:[a-z][a-z0-9-]*/)?editions/)[1-9][0-9]*{_PAGE.pattern}")
_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def is_of_name(path: str) -> bool:
    return path[:5].lower() == _URN or path.startswith(NAMES) or _looks_like(path, "urn")


def is_of_ark(path: str) -> bool:
    is_so = path[:5].lower() == _ARK or path[: len(_PAGE_OF_ARK)].lower() == _PAGE_OF_ARK
    return is_so or _looks_like(path, "ark")


def _looks_like(path: str, scheme: str) -> bool:
    if path.isascii():
        return False
    name = path.removeprefix(NAMES).removeprefix("/")
    return find_scheme_look_alike(characters_of(name), scheme) is not None


def is_page_of_name(path: str) -> bool:
    return path.startswith(NAMES)


def is_page_of_group(path: str, group: RegistryGroup) -> bool:
    page = _PAGE.match(path)
    return page is not None and page[1].lower() in group.schemes


def is_page_in_edition(path: str, group: RegistryGroup) -> bool:
    page = _IN_EDITION.match(path)
    return page is not None and page[1] == group.editions and page[2].lower() in group.schemes


def segment_asked(request: HttpRequest) -> str:
    """The name of a page as the address has it, nothing of it decoded."""
    page = _IN_EDITION.match(request.path) or _PAGE.match(request.path)
    before = page[0].count("/") if page else NAMES.count("/")
    return target_asked(request).partition("?")[0].split("/", before)[-1]


def name_asked(request: HttpRequest) -> str:
    """The text that is asked for as a name: of ``/urn:a:b%2Fc?=q`` all but the slash. Of an ARK the
    same, so that ``ark:1/a?`` has its question mark.

    Source: RFC 8141 section 2.3; RFC 9112 section 3.2.
    """
    if is_page_of_name(request.path) or _IN_EDITION.match(request.path):
        return name_at(segment_asked(request))
    return target_asked(request)[1:]


def is_list_of_names(path: str) -> bool:
    return f"{path}/".startswith(UNDER) or path in (CHANGES, FEED)


def beginning_asked(request: HttpRequest) -> str | None:
    """The beginning of names whose list is asked for; None at any other path."""
    if request.path == UNDER.rstrip("/"):
        return ""
    if not request.path.startswith(UNDER):
        return None
    return name_at(target_asked(request).partition("?")[0].split("/", UNDER.count("/"))[-1])


def target_asked(request: HttpRequest) -> str:
    """What is asked for of a site, path and query as they were sent, without a fragment."""
    target = request.target
    if target[:1] != "/":
        origin = _ORIGIN.match(target)
        target = target[origin.end() :] if origin else target
    return target.partition("#")[0]


_SHOWN = 200  # characters of an identifier in a sentence
_URI = "".join(map(chr, range(0x21, 0x7F)))


class WrappedNames:
    """Offer the identifier at paths such as ``/https://n2t.net/ark:12148/x`` or ``/(urn:isbn:X)``.

    A path whose first segment is a page of the site, as in ``/resolvers/ark:12148``, is left to
    that page.
    """

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """Return a page that offers the identifier; None at any other path."""
        if ":" not in request.path or request.method not in READS:
            return None
        lowered = request.path.lower()
        if "urn:" not in lowered and "ark:" not in lowered:
            return None
        view.check_current()
        target = target_asked(request)
        if len(target) > LONGEST_CORRECTED:
            return None
        path, mark, query = target[1:].partition("?")
        inner = next(filter(_is_identifier, _inner_texts(path)), "")
        return offer_identifier(f"{inner}{mark}{query}", "", request) if inner else None


def offer_identifier(identifier: str, why: str, request: HttpRequest) -> HttpAnswer:
    """Answer a request for more than an identifier with a page that links to the identifier.
    ``identifier`` is as it goes into an address, ``why`` a sentence on what is left out."""
    shown = identifier if len(identifier) <= _SHOWN else f"{identifier[:_SHOWN]}…"
    why = why or "There is extra text around the identifier."
    there = "/" + quote(identifier, safe=_URI)
    detail = f"This address is not an identifier. Did you mean `{shown}`? {why}"
    problem = Problem(publication_codes.IDENTIFIER_WRAPPED, detail, there=there)
    return problem_answer(problem, request)


def _inner_texts(path: str) -> list[str]:
    texts = (path, unquote(path)) if "%" in path else (path,)
    return [one.identifier for text in texts for one in corrections(text)]


def _is_identifier(text: str) -> bool:
    try:
        (parse_urn if text[:4].lower() == "urn:" else parse_ark)(text)
    except InvalidIdentifier:
        return False
    return True
