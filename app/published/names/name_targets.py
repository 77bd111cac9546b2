"""The names that people ask for, from the target of a request as it was sent."""

import re

from app.identifiers.uri_schemes import find_scheme_look_alike
from app.published.http.http_exchange import HttpRequest
from app.registration.declarations.group_paths import characters_of
from app.resolution.name_paths import NAMES, name_at

THTTP = "/uri-res/"  # below which the services of RFC 2169 are asked
_URN, _ARK = "/urn:", "/ark:"
_PAGE_OF_ARK = NAMES + "ark:"
_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def is_of_name(path: str) -> bool:
    """Whether names are answered at a path, percent-encodings taken out of it."""
    return path[:5].lower() == _URN or path.startswith(NAMES) or _looks_like(path, "urn")


def is_of_ark(path: str) -> bool:
    """Whether ARKs are answered at a path, percent-encodings taken out of it."""
    is_so = path[:5].lower() == _ARK or path[: len(_PAGE_OF_ARK)].lower() == _PAGE_OF_ARK
    return is_so or _looks_like(path, "ark")


def _looks_like(path: str, scheme: str) -> bool:
    """Whether a name begins with what only looks like a scheme, to be told so."""
    if path.isascii():
        return False
    name = path.removeprefix(NAMES).removeprefix("/")
    return find_scheme_look_alike(characters_of(name), scheme) is not None


def is_page_of_name(path: str) -> bool:
    """Whether what is asked for is the page of a name, and not where it leads."""
    return path.startswith(NAMES)


def name_asked(request: HttpRequest) -> str:
    """The text that is asked for as a name: of ``/urn:a:b%2Fc?=q`` all but the slash.

    Of an ARK the same, so that ``ark:1/a?`` has its question mark.

    Nothing of it is decoded, no slashes are merged, and the query is a part of it. The name of a
    page is one segment, or written out; a query of a page says nothing of the name.

    Source: RFC 8141 section 2.3; RFC 9112 section 3.2.
    """
    target = request.target
    if target[:1] != "/":
        origin = _ORIGIN.match(target)
        target = target[origin.end() :] if origin else target
    written = target.partition("#")[0]
    if is_page_of_name(request.path):
        return name_at(written.partition("?")[0].split("/", 2)[-1])
    return written[1:]
