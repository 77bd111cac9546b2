"""References to URIs: whether a text is one, and what it refers to where it stands."""

import re
from typing import NamedTuple

from app.identifiers.spelling import spell_character

LONGEST = 16_384  # characters of an address; twice what RFC 9110 section 4.1 asks for
WEB_SCHEMES = frozenset({"http", "https"})

_ENCODED = "%[0-9A-Fa-f]{2}"
_PCHAR = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|{_ENCODED})"
_USER = rf"(?:(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|{_ENCODED})*+@)?+"
_NAMED = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=]|{_ENCODED})*+"
_LITERAL = r"\[[A-Za-z0-9.:\-_~!$&'()*+,;=]++\]"
_AUTHORITY = rf"(?:{_USER})(?:{_LITERAL}|{_NAMED})(?::[0-9]*+)?"
_REFERENCE = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*+):|(?![^/?#:]*+:))"
    rf"(?://(?P<authority>{_AUTHORITY})(?=[/?#]|\Z)|(?!//))"
    rf"(?P<path>(?:/|{_PCHAR})*+)"
    rf"(?:\?(?P<query>(?:[/?]|{_PCHAR})*+))?+"
    rf"(?:\#(?P<fragment>(?:[/?]|{_PCHAR})*+))?+"
)
_IN_NO_URI = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@/?#\[\]%]")
_HALF_ENCODED = re.compile(r"%(?![0-9A-Fa-f]{2})")


class InvalidUriReference(ValueError):
    """A text that is no URI and no relative reference; says why, and holds nothing of it."""


class UriReference(NamedTuple):
    """The components of a URI or of a relative reference; an absent one is None.

    ``str()`` of it is the text that they were read from. Source: RFC 3986 sections 3 and 4.1.
    """

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    def __str__(self) -> str:
        return "".join(
            (
                "" if self.scheme is None else f"{self.scheme}:",
                "" if self.authority is None else f"//{self.authority}",
                self.path,
                "" if self.query is None else f"?{self.query}",
                "" if self.fragment is None else f"#{self.fragment}",
            )
        )

    @property
    def is_web_address(self) -> bool:
        return (self.scheme or "").lower() in WEB_SCHEMES


def parse_reference(text: str) -> UriReference:
    """Split a URI or a relative reference; an empty text refers to where it stands.

    Raises InvalidUriReference for whatever RFC 3986 does not allow, which no repair makes good:
    spaces, line ends and characters beyond ASCII included.

    Source: RFC 3986 section 4.1.
    """
    if len(text) > LONGEST:
        raise InvalidUriReference(f"It has more than {LONGEST:,} characters.")
    found = _REFERENCE.fullmatch(text)
    if found is None:
        raise InvalidUriReference(_fault(text))
    return UriReference(**found.groupdict())


def _fault(text: str) -> str:
    wrong = _IN_NO_URI.search(text)
    if wrong is not None:
        place = f"at position {wrong.start() + 1}"
        return f"{spell_character(wrong[0])} {place} must be percent-encoded in an address."
    half = _HALF_ENCODED.search(text)
    if half is not None:
        return f"The % at position {half.start() + 1} needs two hexadecimal digits after it."
    return "The parts are not in the order that an address requires."


def resolve_reference(base: UriReference, reference: UriReference) -> UriReference:
    """What a reference means within a base, which has a scheme; dot segments are gone.

    Source: RFC 3986 section 5.2, in its strict form.
    """
    scheme, authority, path, query, fragment = reference
    if scheme is not None or authority is not None:
        return UriReference(scheme or base.scheme, authority, _undotted(path), query, fragment)
    if not path:
        return base._replace(query=base.query if query is None else query, fragment=fragment)
    merged = _undotted(path if path.startswith("/") else _merged(base, path))
    return base._replace(path=merged, query=query, fragment=fragment)


def _merged(base: UriReference, path: str) -> str:
    if base.authority is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


def _undotted(path: str) -> str:
    *between, last = path.split("/")
    kept: list[str] = []
    for place, segment in enumerate([*between, last]):
        is_last = place == len(between)
        if segment == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
            continue
        if is_last:
            kept.append("")
    return "/".join(kept)
