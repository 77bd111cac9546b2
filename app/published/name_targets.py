"""The names that people ask for, from the target of a request as it was sent."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from app.identifiers.urn import InvalidURN, parse_urn
from app.published.exchange import HttpRequest
from app.resolution.name_paths import NAMES, name_at

LONGEST_TARGET = 8 * 1024  # octets
_URN = "/urn:"
_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def is_of_name(path: str) -> bool:
    """Whether names are answered at a path, percent-encodings taken out of it."""
    return path[:5].lower() == _URN or path.startswith(NAMES)


def is_page_of_name(path: str) -> bool:
    """Whether what is asked for is the page of a name, and not where it leads."""
    return path.startswith(NAMES)


def name_asked(request: HttpRequest) -> str:
    """The text that is asked for as a name: of ``/urn:a:b%2Fc?=q`` all but the slash.

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


def find_mended(text: str, position: int | None) -> str:
    """A URN that a text without a URN's syntax may have been meant for; empty where none is.

    ``urn:isbn:0-395-36341-1?fbclid=x`` gives what stands before the question mark.
    """
    return next((urn for urn in _mended(text, position) if _is_urn(urn)), "")


def _mended(text: str, position: int | None) -> Iterator[str]:
    if "%" in text[:10]:  # `urn%3Aisbn%3A…`, as a program writes a value of a query
        yield unquote(text, encoding="latin-1")
    if position:
        yield text[:position]


def _is_urn(text: str) -> bool:
    try:
        parse_urn(text)
    except InvalidURN:
        return False
    return True
