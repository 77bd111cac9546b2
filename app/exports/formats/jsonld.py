"""A registry's statements as JSON-LD, its context in it. Equal snapshots give equal bytes.

Source: JSON-LD 1.1.
"""

from collections.abc import Iterator

from app.exports.content.file_names import registry_file
from app.exports.content.publication_site import PublicationSite
from app.exports.formats.export_format import ExportFormat, Files, RecordExport
from app.exports.formats.rdf import encode_iri, group_by_predicate, names_in, nodes_of
from app.exports.formats.rdf_graph import PREFIXES, Iri, RdfResource, Value, registry_nodes
from app.exports.serialization.json_text import Members, json_bytes
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import RegistrySnapshot


def jsonld_files(snapshot: RegistrySnapshot, place: PublicationSite) -> Files:
    """The registry as JSON-LD, its context in it."""
    yield registry_file(snapshot, Format.JSONLD), _linked(registry_nodes(snapshot, place))


def _linked(nodes: Iterator[RdfResource]) -> bytes:
    return json_bytes({"@context": PREFIXES, "@graph": map(_members, nodes)})


def _members(node: RdfResource) -> Members:
    said = {name: list(map(_member, values)) for name, values in group_by_predicate(node).items()}
    one_or_many = {name: values if values[1:] else values[0] for name, values in said.items()}
    return {"@id": encode_iri(node.iri), "@type": node.type, **one_or_many}


def _member(value: Value) -> Members | str:
    if isinstance(value, Iri):
        return {"@id": encode_iri(value)}
    return {"@value": value.text, "@type": value.datatype} if value.datatype else value.text


def _record(one: RecordExport) -> bytes | None:
    return _linked(nodes_of(one)) if one.place else None


FORMAT = ExportFormat(
    format=Format.JSONLD,
    make=lambda snapshot, place: jsonld_files(snapshot, place) if place else iter(()),
    names_in=names_in,
    record=_record,
    lists_former=True,
    rank=7,
)
