"""References and mixed texts as words in a sentence."""

import re
from collections.abc import Callable

from app.registration.records.registry_records import RichText, Xref, XrefType

_SERIES = re.compile("([a-z]+)([0-9]+)")


def reference_words(xref: Xref) -> str:
    """A reference as a sentence names it: ``RFC 8107, Section 6`` or ``draft-name-03``.

    A draft that is approved and waits for its number is told from one that is not.
    """
    named = document_words(xref)
    return f"{named}, {xref.fragment.capitalize()} {xref.at}" if xref.fragment else named


def full_reference_words(xref: Xref) -> str:
    """A reference in words with what it points at, for two that are called alike."""
    return f"{reference_words(xref)} <{xref.data}>" if xref.data else reference_words(xref)


def document_words(xref: Xref) -> str:
    """What a reference names, without the part of it that is meant."""
    return _NAMED[xref.type](xref)


def rich_text_words(text: RichText, cite: Callable[[Xref], str] = reference_words) -> str:
    """A mixed text as one line of words."""
    parts = (part if isinstance(part, str) else cite(part) for part in text)
    return fold_space("".join(parts))


def fold_space(text: str) -> str:
    """A text as one line, white space folded."""
    return " ".join(text.split())


def _numbered(xref: Xref) -> str:
    match = _SERIES.fullmatch(xref.data)
    return f"{match[1].upper()} {match[2]}" if match else xref.data


def _draft(xref: Xref) -> str:
    # IANA writes RFC-name for a draft that is approved and waits for its number
    name = xref.data.removeprefix("RFC-").removeprefix("draft-")
    return f"draft-{name} (approved)" if xref.data.startswith("RFC-") else xref.data


def _labelled(xref: Xref) -> str:
    return fold_space(xref.label) or xref.data


_NAMED: dict[XrefType, Callable[[Xref], str]] = {
    XrefType.RFC: _numbered,
    XrefType.DRAFT: _draft,
    XrefType.ERRATA: lambda xref: f"RFC Errata {xref.data}",
    XrefType.URI: _labelled,
    XrefType.PERSON: lambda xref: xref.data.replace("_", " "),
    XrefType.REGISTRY: _labelled,
    XrefType.NOTE: lambda xref: f"note {xref.data}",
    XrefType.UNICODE: lambda xref: f"Unicode {xref.data.removeprefix('ucd')}",
    XrefType.TEXT: lambda xref: fold_space(xref.label),
}
