"""An identifier cut into its parts, to be shown each in its colour."""

from collections.abc import Iterator
from typing import NamedTuple

from app.identifiers.ark import ARK


class IdentifierPart(NamedTuple):
    """A run of characters, and what they are: ``scheme``, ``nid``, ``r`` and so on, or a mark."""

    kind: str
    text: str


ARK_LABELS = {
    "naan": "NAAN",
    "name": "Name",
    "component": "Component",
    "variant": "Variant",
    "inflection": "Inflection",
    "query": "Query",
    "f": "Fragment",
}
_INFLECTIONS = frozenset({"", "?", "info"})  # a query that says what is asked of the ARK itself


def pieces_of_ark(ark: ARK) -> tuple[IdentifierPart, ...]:
    """An ARK as it was given, cut into its parts, the marks between them included.

    Joined they are the text. Source: The ARK URI scheme section 4.
    """
    return tuple(piece for piece in _pieces(ark) if piece.text)


def _pieces(ark: ARK) -> Iterator[IdentifierPart]:
    text = str(ark)
    yield IdentifierPart("scheme", text[: 5 if text[4] == "/" else 4])
    yield IdentifierPart("naan", ark.naan)
    yield from _marked("/", "name", ark.name)
    for component in ark.components:
        yield from _marked("/", "component", component)
    for variant in ark.variants:
        yield from _marked(".", "variant", variant)
    if ark.query is not None:
        kind = "inflection" if ark.query in _INFLECTIONS else "query"
        yield from _marked("?", kind, ark.query)
    if ark.fragment is not None:
        yield from _marked("#", "f", ark.fragment)


def _marked(mark: str, kind: str, text: str) -> Iterator[IdentifierPart]:
    yield IdentifierPart("mark", mark)
    yield IdentifierPart(kind, text)
