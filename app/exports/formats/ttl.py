"""A registry's statements as Turtle, a paragraph for each thing. Equal snapshots give equal bytes.

Source: RDF 1.1 Turtle.
"""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO

from app.exports.content.file_names import registry_file
from app.exports.content.publication_site import PublicationSite
from app.exports.formats.export_format import ExportFormat, Files, RecordExport
from app.exports.formats.rdf import (
    NOT_IN_TEXT,
    escape_character,
    group_by_predicate,
    iri_text,
    names_in,
    nodes_of,
)
from app.exports.formats.rdf_graph import (
    PREFIXES,
    Iri,
    RdfLiteral,
    RdfResource,
    Value,
    registry_nodes,
)
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import RegistrySnapshot

_NOT_IN_LINES = re.compile('[\x00-\x09\x0b-\x1f"\\\\\x7f]')  # of a text in triple quotes


def ttl_files(snapshot: RegistrySnapshot, place: PublicationSite) -> Files:
    """The registry as Turtle, a paragraph for each thing."""
    yield registry_file(snapshot, Format.TTL), _paragraphs(registry_nodes(snapshot, place))


def _paragraphs(nodes: Iterable[RdfResource]) -> bytes:
    data, used = BytesIO(), set[str]()
    for node in nodes:
        used.update(name.partition(":")[0] for name in _prefixed_names(node))
        data.write(_paragraph(node).encode())
    declared = (f"@prefix {prefix}: <{PREFIXES[prefix]}> .\n" for prefix in sorted(used))
    return "".join(declared).encode() + data.getvalue()


def _prefixed_names(node: RdfResource) -> Iterator[str]:
    yield node.type
    for predicate, value in node.said:
        yield predicate
        if isinstance(value, RdfLiteral) and value.datatype:
            yield value.datatype


def _paragraph(node: RdfResource) -> str:
    said = [f"a {node.type}"]
    for predicate, values in group_by_predicate(node).items():
        said.append(f"{predicate} " + ",\n        ".join(map(_short, values)))
    lines = " ;\n    ".join(said)
    return f"\n{iri_text(node.iri)} {lines} .\n"


def _short(value: Value) -> str:
    if isinstance(value, Iri):
        return iri_text(value)
    quote, unfit = ('"""', _NOT_IN_LINES) if "\n" in value.text else ('"', NOT_IN_TEXT)
    text = f"{quote}{unfit.sub(escape_character, value.text)}{quote}"
    return f"{text}^^{value.datatype}" if value.datatype else text


def _record(one: RecordExport) -> bytes | None:
    return _paragraphs(nodes_of(one)) if one.place else None


FORMAT = ExportFormat(
    format=Format.TTL,
    make=lambda snapshot, place: ttl_files(snapshot, place) if place else iter(()),
    names_in=names_in,
    record=_record,
    lists_former=True,
    rank=6,
)
