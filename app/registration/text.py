"""A template as plain text, as it is mailed to the discussion list and published; and back."""

import re
import textwrap
from collections.abc import Iterator, Mapping

from app.registration.declarations import TEMPLATE_FIELDS

WIDTH = 72


def format_template(fields: Mapping[str, str]) -> str:
    """The template's fields under Appendix A's headings, in its order, 72 columns wide.

    Lines that are indented, or short enough, stand as they are; only long lines are
    folded, so that grammars keep their shape. Absent fields are left out.

    Source: RFC 8141 appendix A.
    """
    parts = [
        _entry(field.label, fields[field.name], one_line=not field.is_long)
        for field in TEMPLATE_FIELDS
        if fields.get(field.name)
    ]
    return "\n\n".join(parts) + "\n"


def _entry(label: str, text: str, *, one_line: bool) -> str:
    if one_line:
        return f"{label}: {text}"
    return f"{label}:\n\n" + "\n".join(_folded(line) for line in text.strip("\n").splitlines())


def _folded(line: str) -> str:
    if len(line) <= WIDTH or line[:1].isspace():
        return line.rstrip()
    return textwrap.fill(
        line, WIDTH, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    )


# The headings of RFC 3406 and RFC 2611, which divide otherwise, by the field that asks for it now.
_EARLIER = {
    "namespace id": "namespace_identifier",
    "registrant contact": "registrant",
    "declared registrant of the namespace": "registrant",
    "declaration of syntactic structure": "syntax",
    "declaration of structure": "syntax",
    "relevant ancillary documentation": "documentation",
    "identifier uniqueness considerations": "assignment",
    "identifier persistence considerations": "assignment",
    "process of identifier assignment": "assignment",
    "process for identifier resolution": "resolution",
    "rules for lexical equivalence": "syntax",
    "conformance with urn syntax": "syntax",
    "validation mechanism": "syntax",
    "scope": "purpose",
    "namespace considerations": "purpose",
    "community considerations": "purpose",
    "security considerations": "security_and_privacy",
    "privacy considerations": "security_and_privacy",
}
_LABELS = {field.label.lower(): field.name for field in TEMPLATE_FIELDS}
_HEADING = re.compile(r" {0,3}([A-Za-z][A-Za-z ]{3,40}?) ?:[ \t]*(.*)", re.ASCII)
_VERSION = re.compile(r"Version[^0-9\n]{0,10}([0-9]{1,4})\b", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,4}\b", re.ASCII)


def read_template(text: str) -> dict[str, str]:
    """What a template's text says, field by field, as far as its headings are known.

    A heading of an earlier form stays above its words, since several stand for one field.
    What comes before the first heading is in none. Lines keep their order and their indent
    toward each other.

    Source: RFC 8141 appendix A; RFC 3406 appendix A.1; RFC 2611 section 5.
    """
    found: dict[str, list[str]] = {}
    for name, part in _parts(text):
        found.setdefault(name, []).append(part)
    read = {name: "\n\n".join(part for part in parts if part) for name, parts in found.items()}
    return {name: words for name, words in read.items() if words}


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """What stands under each heading that is known, in the order of the text."""
    name, lines = "", [""]
    for line in text.splitlines():
        heading = _HEADING.fullmatch(line)
        begun = _field_of(heading[1]) if heading else None
        if heading is None or begun is None:
            lines.append(line)
            continue
        if name:
            yield name, _unindented(lines)
        earlier = heading[1].lower() not in _LABELS
        name, lines = begun, [f"{heading[1]}: {heading[2]}" if earlier else heading[2]]
    if name:
        yield name, _unindented(lines)


def _field_of(heading: str) -> str | None:
    folded = " ".join(heading.lower().split())
    return _LABELS.get(folded) or _EARLIER.get(folded)


def _unindented(lines: list[str]) -> str:
    first, *rest = lines
    under = textwrap.dedent("\n".join(rest)).strip("\n").rstrip()
    return f"{first.strip()}\n{under}".strip("\n")


def stated_version(text: str) -> int | None:
    """The version that a template's text states of itself; None where it does not."""
    stated = _NUMBER.search(read_template(text).get("version", ""))
    if stated:
        return int(stated[0])
    lines = (_VERSION.match(line.strip()) for line in text.splitlines())
    return next((int(found[1]) for found in lines if found), None)
