"""What the forms of linked data have in common: addresses, escapes, and one record's statements.

Source: RDF 1.1 Turtle; JSON-LD 1.1.
"""

import re
from collections.abc import Iterator

from app.exports.formats.export_format import RecordExport
from app.exports.formats.rdf_graph import Iri, RdfResource, Value, record_nodes

_NOT_IN_IRI = re.compile('[\x00-\x20<>"{}|^`\\\\]')  # IRIREF, Turtle section 6.5
NOT_IN_TEXT = re.compile('[\x00-\x1f"\\\\\x7f]')
# As the writers of Turtle and JSON-LD write the name of a record.
_NOTATION = re.compile(rb':notation(?:":|) "([^"]*)"')
_SHORT = {"\t": r"\t", "\b": r"\b", "\n": r"\n", "\r": r"\r", "\f": r"\f", '"': r"\"", "\\": r"\\"}


def nodes_of(one: RecordExport) -> Iterator[RdfResource]:
    """What is said of one record and the people it names; nothing without a place."""
    if one.place:
        yield from record_nodes(one.snapshot, one.home, one.record, one.people, one.place)


def names_in(body: bytes) -> list[str]:
    """The names of a file of ours, former ones among them."""
    return [match[1].decode() for match in _NOTATION.finditer(body)]


def group_by_predicate(node: RdfResource) -> dict[str, list[Value]]:
    """What is said of a thing, gathered by predicate, in the order in which it is said."""
    said: dict[str, list[Value]] = {}
    for predicate, value in node.said:
        said.setdefault(predicate, []).append(value)
    return said


def iri_text(iri: Iri) -> str:
    """An address in angle brackets."""
    return f"<{encode_iri(iri)}>"


def encode_iri(iri: Iri) -> str:
    """An address without the characters that none may hold, which are percent-encoded."""
    return _NOT_IN_IRI.sub(lambda found: f"%{ord(found[0]):02X}", iri)


def escape_character(found: re.Match[str]) -> str:
    """A character as an escape of two signs or of a number."""
    return _SHORT.get(found[0], f"\\u{ord(found[0]):04X}")
