"""References as people write them, one a line or in brackets within a text, and back.

``RFC 8141, Section 6``, ``draft-name-00``, ``RFC Errata 3188``, ``https://example.org/ Label``.
A reference that is known already stays whole, with its title and of whatever type it is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from app.registration.records.registry_records import (
    RichText,
    Xref,
    XrefFragment,
    XrefType,
    bracket_reference,
)

_NUMBERED = re.compile(
    r"(RFC|BCP|STD) ?([0-9]{1,6})(?:, ([A-Za-z]+) (\S.*))?", re.IGNORECASE | re.ASCII
)
_ERRATA = re.compile(r"RFC Errata ([1-9][0-9]{0,8})", re.IGNORECASE | re.ASCII)
_DRAFT = re.compile(r"(?:draft|RFC)(?:-[A-Za-z0-9]+)+", re.ASCII)
_ADDRESS = re.compile(r"(https?://\S+)\s+(\S.*)")
_WORDS = re.compile(r'"([^"]+)"')
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_PERSON = re.compile(r"person:([^\s\[\]]+)")


class UnreadableReference(ValueError):
    """A line that is no reference; ``text`` is the line, unchanged."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"`{text[:80]}` is not a reference. Enter an RFC (RFC 8141, Section 6), a draft "
            "(draft-name-00), or an https:// address and its owner's name."
        )
        self.text = text


def parse_reference(text: str) -> Xref:
    """The reference that a line stands for. Raises UnreadableReference for any other text.

    Whether the RFC or the address exists is not asked.
    """
    line = " ".join(text.split())
    for read in (_errata, _numbered, _draft, _address, _person):
        xref = read(line)
        if xref is not None:
            return xref
    raise UnreadableReference(text)


def format_reference(xref: Xref) -> str:
    """A reference as a line that reads back as it was, its title and last update aside."""
    if xref.type is XrefType.URI:
        return f"{xref.data} {xref.label or xref.data}"
    if xref.type is XrefType.PERSON:
        return f"person:{xref.data}"
    if xref.type is XrefType.RFC:
        line = f"{xref.data[:3].upper()} {xref.data[3:]}"
        return f"{line}, {xref.fragment.capitalize()} {xref.at}" if xref.fragment else line
    return bracket_reference(xref)[1:-1]


def format_lines(text: RichText) -> str:
    """References one a line; words that stand between them come in quotation marks."""
    return "\n".join(
        f'"{part}"' if isinstance(part, str) else _folded(format_reference(part)) for part in text
    )


def parse_lines(text: str, known: Iterable[Xref] = ()) -> RichText:
    """The references and words that lines stand for; blank lines are passed over.

    Raises UnreadableReference with the first line that is neither.
    """
    have = _by_line(known)
    lines = (line.strip() for line in text.splitlines())
    return tuple(_part(line, have) for line in lines if line)


def _part(line: str, have: Mapping[str, Xref]) -> str | Xref:
    words = _WORDS.fullmatch(line)
    return words[1] if words else have.get(_folded(line)) or parse_reference(line)


def format_text(text: RichText) -> str:
    """A mixed text with its references in square brackets."""
    return "".join(
        part if isinstance(part, str) else f"[{_folded(format_reference(part))}]" for part in text
    )


def parse_text(text: str, known: Iterable[Xref] = ()) -> RichText:
    """The mixed text that was written so; brackets that hold no reference stay words."""
    return tuple(part for part in _parts(text, _by_line(known)) if part != "")


def _parts(text: str, have: Mapping[str, Xref]) -> Iterator[str | Xref]:
    end = 0
    for match in _BRACKETED.finditer(text):
        try:
            xref = have.get(_folded(match[1])) or parse_reference(match[1])
        except UnreadableReference:
            continue
        yield text[end : match.start()]
        yield xref
        end = match.end()
    yield text[end:]


def _by_line(known: Iterable[Xref]) -> dict[str, Xref]:
    return {_folded(format_reference(xref)): xref for xref in known}


def _folded(text: str) -> str:
    return " ".join(text.split())


def _errata(line: str) -> Xref | None:
    match = _ERRATA.fullmatch(line)
    return Xref(XrefType.ERRATA, match[1]) if match else None


def _numbered(line: str) -> Xref | None:
    match = _NUMBERED.fullmatch(line)
    if match is None or (match[3] and match[3].lower() not in set(XrefFragment)):
        return None
    fragment = XrefFragment(match[3].lower()) if match[3] else None
    data = f"{match[1].lower()}{int(match[2])}"
    return Xref(XrefType.RFC, data, fragment=fragment, at=match[4] or "")


def _draft(line: str) -> Xref | None:
    return Xref(XrefType.DRAFT, line) if _DRAFT.fullmatch(line) else None


def _address(line: str) -> Xref | None:
    match = _ADDRESS.fullmatch(line)
    return Xref(XrefType.URI, match[1], match[2]) if match else None


def _person(line: str) -> Xref | None:
    match = _PERSON.fullmatch(line)
    return Xref(XrefType.PERSON, match[1]) if match else None
