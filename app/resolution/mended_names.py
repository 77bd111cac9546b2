"""What a text without a URN's syntax may have been meant for."""

from collections.abc import Iterator
from urllib.parse import unquote

from app.identifiers.urn import InvalidURN, parse_urn
from app.resolution.name_paths import LONGEST_TARGET


def find_mended(text: str, position: int | None) -> str:
    """A URN that a text without a URN's syntax may have been meant for; empty where none is,
    and for one that is longer than any name that is answered.

    ``urn:isbn:0-395-36341-1?fbclid=x`` gives what stands before the question mark.
    """
    if len(text) > LONGEST_TARGET:
        return ""
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
